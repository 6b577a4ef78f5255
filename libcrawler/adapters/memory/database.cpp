#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

// From when on it may be claimed: since it was fetched, when it is due again, or at the end of its lease.
TimePoint ready_at(const CrawledRaw& raw) {
    const auto& state = raw.state();
    return state.lease_until.value_or(state.due_at.value_or(state.fetched_at));
}

}  // namespace

MemoryDatabase::MemoryDatabase(Faults* faults) : tables_(std::make_unique<Tables>()) {
    tables_->faults = faults;
}

MemoryDatabase::~MemoryDatabase() = default;

void MemoryDatabase::Tables::put_raw(CrawledRaw raw) {
    const auto id = raw.state().id;
    if (const auto before = raws.find(id); before != raws.end())
        open_raws.erase(before->second.state().seller.value(), ready_at(before->second), id);
    if (raw_table.allows(raw.state().status, RawVerb::claim))
        open_raws.insert(raw.state().seller.value(), ready_at(raw), id);
    raws.insert_or_assign(id, std::move(raw));
}

bool MemoryDatabase::Tables::stamp(const ports::LedgerStamp& stamp) {
    const auto entry = ledger.find(stamp.reservation);
    if (entry == ledger.end()) return false;
    if (!entry->second.answered) {
        entry->second.answered = stamp.answered;
        entry->second.outcome = stamp.outcome;
    }
    return true;
}

Result<> MemoryDatabase::Tables::check_claim(const CrawledRaw& raw) const {
    const auto stored = raws.find(raw.state().id);
    if (stored != raws.end() && stored->second.state().lease_until &&
        stored->second.state().attempt == raw.state().attempt)
        return {};
    return Error{Errc::conflict, "the claim on raw " + raw.state().id.value + " is over"};
}

}  // namespace crawler::adapters

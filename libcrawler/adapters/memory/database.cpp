#include "adapters/memory/database.hpp"

namespace crawler::adapters {

MemoryDatabase::MemoryDatabase(Faults* faults) : tables_(std::make_unique<Tables>()) {
    tables_->faults = faults;
}

MemoryDatabase::~MemoryDatabase() = default;

void MemoryDatabase::Tables::put_raw(CrawledRaw raw) {
    const auto place = std::pair(raw.state().fetched_at, raw.state().id);
    if (raw_table.allows(raw.state().status, RawVerb::claim)) {
        open_raws.insert(place);
    } else {
        open_raws.erase(place);
    }
    raws.insert_or_assign(place.second, std::move(raw));
}

Result<> MemoryDatabase::Tables::check_claim(const CrawledRaw& raw) const {
    const auto stored = raws.find(raw.state().id);
    if (stored != raws.end() && stored->second.state().lease_until &&
        stored->second.state().attempt == raw.state().attempt)
        return {};
    return Error{Errc::conflict, "the claim on raw " + raw.state().id.value + " is over"};
}

}  // namespace crawler::adapters

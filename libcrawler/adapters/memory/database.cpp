#include "adapters/memory/database.hpp"

namespace crawler::adapters {

MemoryDatabase::MemoryDatabase(Faults* faults) : tables_(std::make_unique<Tables>()) {
    tables_->faults = faults;
}

MemoryDatabase::~MemoryDatabase() = default;

void MemoryDatabase::Tables::put_raw(CrawledRaw raw) {
    const auto place = std::pair(raw.fetched_at, raw.id);
    if (raw.status == RawStatus::pending) {
        pending_raws.insert(place);
    } else {
        pending_raws.erase(place);
    }
    raws.insert_or_assign(place.second, std::move(raw));
}

bool MemoryDatabase::Tables::is_claimed(const CrawledRaw& raw) const {
    const auto stored = raws.find(raw.id);
    return stored != raws.end() && stored->second.status == RawStatus::pending && stored->second.lease_until &&
           stored->second.attempt == raw.attempt;
}

void MemoryDatabase::Tables::settle_raw(const CrawledRaw& raw) {
    auto settled = raws.at(raw.id);
    settled.status = raw.status;
    settled.reason = raw.reason;
    settled.lease_until.reset();
    put_raw(std::move(settled));
}

}  // namespace crawler::adapters

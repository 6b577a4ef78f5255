#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryRawStore final : public ports::RawStore {
  public:
    explicit MemoryRawStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<CrawledRaw>> {
            std::vector<CrawledRaw> claimed;
            for (const auto& [fetched_at, id] : tables_.pending_raws) {
                if (std::ssize(claimed) >= limit) break;
                auto& raw = tables_.raws.at(id);
                if (raw.lease_until && *raw.lease_until > now) continue;
                raw.lease_until = now + lease;
                ++raw.attempt;
                claimed.push_back(raw);
            }
            return claimed;
        };
        co_return with_faults(tables_.faults, "raw_store.claim", body);
    }

    Async<Result<>> settle(CrawledRaw raw) override {
        auto body = [&]() -> Result<> {
            if (!tables_.is_claimed(raw)) return Error{Errc::conflict, "the claim on raw " + raw.id.value + " is over"};
            tables_.settle_raw(raw);
            return {};
        };
        co_return with_faults(tables_.faults, "raw_store.settle", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::RawStore> make_memory_raw_store(MemoryDatabase& database) {
    return std::make_unique<MemoryRawStore>(database.tables());
}

}  // namespace crawler::adapters

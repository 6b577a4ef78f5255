#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryRawStore final : public ports::RawStore {
  public:
    explicit MemoryRawStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<CrawledRaw>> {
            std::vector<CrawledRaw> claimed;
            for (const auto& [fetched_at, id] : tables_.open_raws) {
                if (std::ssize(claimed) >= limit) break;
                auto& raw = tables_.raws.at(id);
                if (raw.claim(now, lease)) claimed.push_back(raw);
            }
            return claimed;
        };
        co_return with_faults(tables_.faults, "raw_store.claim", body);
    }

    Async<Result<>> settle(CrawledRaw raw) override {
        auto body = [&]() -> Result<> {
            if (raw.state().status == RawStatus::pending || raw.state().lease_until)
                return Error{Errc::invalid, "nothing became of raw " + raw.state().id.value};
            if (auto claimed = tables_.check_claim(raw); !claimed) return claimed;
            tables_.put_raw(raw);
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

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryRawStore final : public ports::RawStore {
  public:
    explicit MemoryRawStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<CrawledRaw>> {
            std::vector<CrawledRaw> claimed;
            while (std::ssize(claimed) < limit) {
                const auto next = tables_.open_raws.next(now);
                if (!next) break;
                auto raw = tables_.raws.at(*next);
                if (auto done = raw.claim(now, lease); !done) return done.error();
                tables_.put_raw(raw);
                claimed.push_back(std::move(raw));
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
            if (raw.state().status == RawStatus::processed)
                tables_.answers.work_in(raw.state().id, raw.state().fetched_at);
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

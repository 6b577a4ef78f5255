#include <algorithm>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryRawStore final : public ports::RawStore {
  public:
    explicit MemoryRawStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<CrawledRaw>> {
            std::vector<CrawledRaw> claimed;
            std::vector<CrawledRaw> before;
            while (std::ssize(claimed) < limit) {
                const auto next = tables_.open_raws.next(now);
                if (!next) break;
                before.push_back(tables_.raws.at(*next));
                auto raw = before.back();
                if (auto done = raw.claim(now, lease); !done) return done.error();
                tables_.put_raw(raw);
                claimed.push_back(std::move(raw));
            }
            return suspect_alone(std::move(claimed), before);
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
    // Where one is among them of which a claim was lost, it comes alone; the others are as they were before.
    std::vector<CrawledRaw> suspect_alone(std::vector<CrawledRaw> claimed, const std::vector<CrawledRaw>& before) {
        const auto suspect = std::ranges::find_if(claimed, [](const auto& raw) { return raw.state().lost_count > 0; });
        if (suspect == claimed.end()) return claimed;
        for (const auto& raw : before) {
            if (raw.state().id != suspect->state().id) tables_.put_raw(raw);
        }
        return {*suspect};
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::RawStore> make_memory_raw_store(MemoryDatabase& database) {
    return std::make_unique<MemoryRawStore>(database.tables());
}

}  // namespace crawler::adapters

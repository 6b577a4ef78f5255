// A marketplace that gives the answers of a script, one after the other, and remembers who asked when. Where the script is at its
// end, another marketplace answers.
#pragma once
#include <deque>

#include "ports/clock.hpp"
#include "ports/marketplace.hpp"

namespace crawler::test {

class ScriptedMarketplace final : public ports::Marketplace {
  public:
    struct Request {
        std::string url;
        UserAgentId identity;
        TimePoint at;
    };
    std::deque<Result<ports::Page>> pages;
    std::deque<Result<std::int64_t>> counts;
    std::vector<Request> requests;

    ScriptedMarketplace(ports::Marketplace& behind, const ports::Clock& clock) : behind_(behind), clock_(clock) {}

    Async<Result<std::int64_t>> count_items(SellerId seller, ports::Slot slot) override {
        requests.push_back({"count", slot.identity, clock_.now()});
        if (counts.empty()) co_return co_await behind_.count_items(std::move(seller), std::move(slot));
        auto next = std::move(counts.front());
        counts.pop_front();
        co_return next;
    }
    Async<Result<ports::Page>> fetch(CrawlerTask task, ports::Slot slot) override {
        requests.push_back({task.state().request_url.text(), slot.identity, clock_.now()});
        if (pages.empty()) co_return co_await behind_.fetch(std::move(task), std::move(slot));
        auto next = std::move(pages.front());
        pages.pop_front();
        co_return next;
    }
    Async<Result<Secret>> open_session(ports::Slot slot) override { return behind_.open_session(std::move(slot)); }
    Result<std::vector<Facet>> read(const CrawledRaw& raw) const override { return behind_.read(raw); }

  private:
    ports::Marketplace& behind_;
    const ports::Clock& clock_;
};

}  // namespace crawler::test

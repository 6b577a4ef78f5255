// Raw answers for tests: a_raw("r-1").of(TaskType::product_detail).about(4711).claimed().build().
#pragma once
#include "domain/crawled_raw.hpp"
#include "support/builders/seller.hpp"

namespace crawler::test {

class RawBuilder {
  public:
    RawBuilder(const std::string& id, TimePoint fetched_at) {
        state_.id = {id};
        state_.task = {"t-1"};
        state_.fetched_at = fetched_at;
        state_.body = "body of " + id;
    }

    RawBuilder from(const std::string& seller) {
        return with([&](auto& s) { s.seller = seller_id(seller); });
    }
    RawBuilder by_task(const std::string& task) {
        return with([&](auto& s) { s.task = {task}; });
    }
    RawBuilder of(TaskType type) {
        return with([&](auto& s) { s.type = type; });
    }
    RawBuilder about(ItemNo item) {
        return with([&](auto& s) { s.item = item; });
    }
    RawBuilder answering(int http_status, std::string body) {
        return with([&](auto& s) {
            s.http_status = http_status;
            s.body = std::move(body);
        });
    }
    RawBuilder hashed(Digest hash) {
        return with([&](auto& s) { s.content_hash = hash; });
    }
    RawBuilder claimed(TimePoint until = t0 + 60s) {
        return with([&](auto& s) {
            s.lease_until = until;
            ++s.attempt;
        });
    }
    RawBuilder in(RawStatus status) {
        return with([&](auto& s) {
            s.status = status;
            if (status == RawStatus::failed || status == RawStatus::quarantined) s.reason = "TIMEOUT: no answer";
        });
    }
    RawBuilder failed(int retries, TimePoint due_at) {
        return in(RawStatus::failed).with([&](auto& s) {
            s.retry_count = retries;
            s.due_at = due_at;
        });
    }

    CrawledRaw build() const { return CrawledRaw::restore(state_); }
    operator CrawledRaw() const { return build(); }

  private:
    template <class Change>
    RawBuilder with(Change change) const {
        auto next = *this;
        change(next.state_);
        return next;
    }
    CrawledRaw::State state_{CrawledAnswer{.id = {}, .task = {}, .seller = seller_id()}};
};

inline RawBuilder a_raw(const std::string& id = "r-1", TimePoint fetched_at = t0) {
    return RawBuilder(id, fetched_at);
}

}  // namespace crawler::test

// Things of the domain for tests, with everything filled in that a test does not care about.
#pragma once
#include <string_view>

#include "domain/crawled_raw.hpp"
#include "domain/execution.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"
#include "support/clocks.hpp"

namespace crawler::test {

using namespace std::chrono_literals;

inline SellerId seller_id(const std::string& text = "shop-1") {
    return *SellerId::parse(text);
}
inline Seller a_seller(const std::string& id = "shop-1") {
    return *Seller::enroll(seller_id(id), "Shop", *CrawlingInterval::days(1), t0);
}
inline CrawlerTask a_task(const std::string& id, const std::string& execution = "e-1") {
    return CrawlerTask::create(TaskId{id}, ExecutionId{execution}, seller_id(), TaskType::minishop, "/listing?" + id,
                               t0);
}
inline CrawlerTask a_running_task(const std::string& id, const std::string& execution = "e-1") {
    auto task = a_task(id, execution);
    (void)task.publish(t0);
    (void)task.start(t0, 60s);
    return task;
}
inline OutboxEntry an_entry(const std::string& id, const std::string& subject, TimePoint created = t0) {
    return OutboxEntry::create(OutboxId{id}, subject, "payload of " + id, "key-" + id, created);
}
inline CrawledRaw a_raw(const std::string& id, TimePoint fetched_at = t0) {
    return {.id = RawId{id},
            .task = TaskId{"t-1"},
            .seller = seller_id(),
            .fetched_at = fetched_at,
            .body = "body of " + id};
}

// "OK", or the name of the error: reads well where a check fails.
template <class T>
std::string_view code_of(const Result<T>& result) {
    return result ? "OK" : to_string(result.error().code);
}

}  // namespace crawler::test

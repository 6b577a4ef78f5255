#include "application/trigger_crawl.hpp"

#include <algorithm>

#include "application/new_tasks.hpp"
#include "application/slot_outcome.hpp"

namespace crawler::application {

Async<Result<ports::Disposition>> TriggerCrawl::handle(SellerId id) {
    auto seller = co_await p_.sellers.find(id);
    if (!seller && seller.error().code != Errc::not_found) co_return seller.error();
    const auto allowed = seller ? seller->may_be_crawled() : Result<>(seller.error());
    if (!allowed) {
        p_.telemetry.emit(ports::CrawlRefused{id.value(), allowed.error()});
        co_return ports::Ack{};
    }

    // Each trigger holds for itself: two in one process are as much in each other's way as two anywhere. Who finds it held
    // comes back when a holder that died would have lost it.
    const auto holder = p_.ids.make<OutboxId>().value;
    const auto lease = co_await p_.leases.acquire("trigger/" + id.value(), holder, settings_.lease);
    if (!lease) co_return lease.error();
    if (!*lease) co_return ports::RetryAfter{settings_.lease};

    auto slot = slots_.take();
    Result<ports::Disposition> disposition{ports::Disposition{ports::RetryAfter{settings_.soon}}};
    if (slot) disposition = co_await start_run(std::move(*seller), std::move(*slot));
    const auto released = co_await p_.leases.release(**lease);
    if (!released) p_.telemetry.emit(ports::LeaseUnreleased{released.error()});
    co_return disposition;
}

Async<Result<ports::Disposition>> TriggerCrawl::start_run(Seller seller, ports::Slot slot) {
    const auto products = co_await p_.marketplace.count_items(seller.state().id, slot);
    ports::SlotReport report(slot_outcome(products), std::string(to_string(TaskType::minishop)));
    const auto reported = co_await p_.identities.report(slot, std::move(report));
    if (!reported) p_.telemetry.emit(ports::SlotUnreported{reported.error()});
    if (!products) co_return products.error();

    const auto stored = co_await store_run(std::move(seller), *products);
    if (!stored) co_return stored.error();
    co_return ports::Ack{};
}

// The total, the run, its listing tasks and their outbox entries: one transaction. No products is a finished run.
Async<Result<>> TriggerCrawl::store_run(Seller seller, std::int64_t products) {
    const auto now = p_.clock.now();
    const auto id = seller.state().id;
    auto execution = CrawlingScheduleExecution::begin(p_.ids.make<ExecutionId>(), id, now);
    const auto pages = (products + listing_page_size - 1) / listing_page_size;

    NewTasks listing;
    for (std::int64_t page = 0; page < pages; ++page) {
        auto url = RequestUrl::minishop(id, page);
        if (!url) co_return url.error();
        auto task = CrawlerTask::create(p_.ids.make<TaskId>(), execution.state().id, id, std::move(*url), now);
        listing.add(std::move(task), p_.ids, now);
    }
    if (auto counted = execution.tasks_created(pages, now); !counted) co_return counted.error();
    if (auto announced = seller.announce_total(products, now); !announced) co_return announced.error();

    const auto event = ports::CrawlTriggered{execution.state().id, id, products, listing.tasks.size()};
    ports::NewRun run{std::move(seller), std::move(execution), std::move(listing.tasks), std::move(listing.outbox)};
    const auto started = co_await p_.executions.start(std::move(run));
    if (started) p_.telemetry.emit(event);
    co_return started;
}

}  // namespace crawler::application

#include "application/trigger_crawl.hpp"

#include <algorithm>

namespace crawler::application {
namespace {

Error under_way(const CrawlingScheduleExecution& run) {
    const auto& state = run.state();
    return {Errc::conflict, "run " + state.id.value + " is under way since " + to_rfc3339(state.started_at)};
}

}  // namespace

TriggerCrawl::TriggerCrawl(Ports ports, SlotShelf& slots, Settings settings)
    : p_(ports),
      slots_(slots),
      settings_(std::move(settings)),
      attempt_({ports.identities, ports.clock, ports.pause, ports.telemetry}, slots, settings_.attempt) {}

Async<Result<ports::Disposition>> TriggerCrawl::handle(SellerId id) {
    auto seller = co_await p_.sellers.find(id);
    if (!seller && seller.error().code != Errc::not_found) co_return seller.error();
    const auto allowed = seller ? seller->may_be_crawled() : Result<>(seller.error());
    if (!allowed) co_return refuse(id, allowed.error());
    const auto open = co_await find_fresh_run(id);
    if (!open) co_return open.error();
    if (*open) co_return refuse(id, under_way(**open));

    // Each trigger holds for itself: two in one process are as much in each other's way as two anywhere. Who finds it held
    // comes back when a holder that died would have lost it.
    const auto holder = p_.ids.make<OutboxId>().value;
    const auto lease = co_await p_.leases.acquire("trigger/" + id.value(), holder, settings_.lease);
    if (!lease) co_return lease.error();
    if (!*lease) co_return ports::RetryAfter{settings_.lease};

    auto disposition = co_await begin_run(std::move(*seller), (**lease).until);
    const auto released = co_await p_.leases.release(**lease);
    if (!released) p_.telemetry.emit(ports::LeaseUnreleased{released.error()});
    co_return disposition;
}

// The open run of the seller, unless it is stuck.
Async<Result<std::optional<CrawlingScheduleExecution>>> TriggerCrawl::find_fresh_run(SellerId seller) {
    auto open = co_await p_.executions.open_run(std::move(seller));
    if (open && *open && (**open).state().started_at < stuck_if_before()) open->reset();
    co_return open;
}

Async<Result<ports::Disposition>> TriggerCrawl::begin_run(Seller seller, TimePoint until) {
    if (settings_.listing == ListingSource::search) return search(std::move(seller));
    return read_listing(std::move(seller), until);
}

// How much there is to read is asked for outside any transaction. No products is a finished run.
Async<Result<ports::Disposition>> TriggerCrawl::read_listing(Seller seller, TimePoint until) {
    const auto id = seller.state().id;
    auto reserved = co_await slots_.take_or_reserve();
    if (!reserved) co_return reserved.error();
    if (const auto* next = std::get_if<ports::NextSlotAt>(&*reserved))
        co_return ports::RetryAfter{std::max(settings_.soon, next->time - p_.clock.now())};

    Attempt::Ask<std::int64_t> ask = [this, id](ports::Slot with) {
        return p_.marketplace.count_items(id, std::move(with));
    };
    Attempt::Question question{TaskType::minishop, id.value(), until};
    auto slot = std::get<ports::Slot>(std::move(*reserved));
    const auto products = co_await attempt_.make(std::move(ask), std::move(question), std::move(slot));
    if (!products.what && products.step == NextStep::retry_task) co_return put_off(id, products.what.error());
    if (!products.what) co_return refuse(id, products.what.error());

    NewTasks listing;
    const auto now = p_.clock.now();
    const auto run = p_.ids.make<ExecutionId>();
    const auto pages = (*products.what + listing_page_size - 1) / listing_page_size;
    for (std::int64_t page = 0; page < pages; ++page) {
        auto url = RequestUrl::minishop(id, page);
        if (!url) co_return url.error();
        listing.add(CrawlerTask::create(p_.ids.make<TaskId>(), run, id, std::move(*url), now), p_.ids, now);
    }
    if (auto announced = seller.announce_total(*products.what, now); !announced) co_return announced.error();
    co_return co_await store(std::move(seller), run, std::move(listing), *products.what);
}

// The first page names the second one, and so on: the run is open until the last one names none.
Async<Result<ports::Disposition>> TriggerCrawl::search(Seller seller) {
    const auto& id = seller.state().id;
    const auto keyword = settings_.keywords.find(id.value());
    auto url = RequestUrl::search(keyword == settings_.keywords.end() ? id.value() : keyword->second);
    if (!url) co_return refuse(id, url.error());

    NewTasks listing;
    const auto now = p_.clock.now();
    const auto run = p_.ids.make<ExecutionId>();
    listing.add(CrawlerTask::create(p_.ids.make<TaskId>(), run, id, std::move(*url), now), p_.ids, now);
    co_return co_await store(std::move(seller), run, std::move(listing), 0);
}

// The total, the run, its listing tasks and their outbox entries: one transaction. A run that is stuck is given up in it.
Async<Result<ports::Disposition>> TriggerCrawl::store(Seller seller, ExecutionId run, NewTasks listing,
                                                      std::int64_t announced) {
    const auto now = p_.clock.now();
    const auto id = seller.state().id;
    auto execution = CrawlingScheduleExecution::begin(run, id, now);
    if (auto counted = execution.tasks_created(std::ssize(listing.tasks), now); !counted) co_return counted.error();
    execution.announce(announced);

    const auto event = ports::CrawlTriggered{run, id, announced, listing.tasks.size()};
    ports::NewRun started{std::move(seller), std::move(execution), std::move(listing.tasks), std::move(listing.outbox),
                          stuck_if_before()};
    const auto stored = co_await p_.executions.start(std::move(started));
    if (stored) {
        p_.telemetry.emit(event);
        co_return ports::Ack{};
    }
    if (stored.error().code != Errc::conflict) co_return stored.error();
    const auto open = co_await find_fresh_run(id);
    if (open && *open) co_return refuse(id, under_way(**open));
    co_return stored.error();
}

TimePoint TriggerCrawl::stuck_if_before() const {
    return p_.clock.now() - settings_.run_deadline;
}

ports::Disposition TriggerCrawl::put_off(const SellerId& seller, const Error& why) {
    const auto wait = std::max(settings_.retry_wait, why.retry_after.value_or(Duration{0}));
    p_.telemetry.emit(ports::CrawlDelayed{seller.value(), why, wait});
    return ports::RetryAfter{wait};
}

ports::Disposition TriggerCrawl::refuse(const SellerId& seller, const Error& why) {
    p_.telemetry.emit(ports::CrawlRefused{seller.value(), why});
    return ports::Ack{};
}

}  // namespace crawler::application

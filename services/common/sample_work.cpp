#include "common/sample_work.hpp"

#include "application/relay_task_outbox.hpp"
#include "application/trigger_crawl.hpp"
#include "domain/schedule_rule.hpp"

namespace crawler::services {

SampleWork::SampleWork(MemoryWorld& world, const adapters::Catalogue& catalogue, const ports::Clock& clock,
                       ports::IdGenerator& ids, std::stop_token stop)
    : world_(world),
      catalogue_(catalogue),
      clock_(clock),
      ids_(ids),
      stop_(std::move(stop)),
      marketplace_(adapters::make_memory_marketplace(catalogue)),
      slots_(*world.identities, clock, Duration::zero()),
      execute_task_({*world.tasks, *world.identities, *marketplace_, ids, clock, silence_}, slots_, {}) {}

Async<Result<>> SampleWork::put(Stage stage) {
    using Step = Async<Result<>> (SampleWork::*)();
    std::vector<Step> steps{&SampleWork::enroll_sellers};
    if (stage == Stage::trigger) steps.push_back(&SampleWork::send_triggers);
    // From here on the listing has been read and its follow-ups, two per product, are what a stage finds.
    if (stage >= Stage::relay)
        steps.insert(steps.end(), {&SampleWork::trigger, &SampleWork::publish_tasks, &SampleWork::execute_tasks});
    if (stage >= Stage::crawl) steps.push_back(&SampleWork::publish_tasks);
    if (stage >= Stage::absorb) steps.push_back(&SampleWork::execute_tasks);

    for (const auto step : steps) {
        if (stop_.stop_requested()) break;
        const auto done = co_await (this->*step)();
        if (!done) co_return done.error();
    }
    co_return Result<>{};
}

Async<Result<>> SampleWork::enroll_sellers() {
    for (const auto& [name, items] : catalogue_) {
        const auto id = SellerId::parse(name);
        const auto daily = CrawlingInterval::days(1);
        auto seller = Seller::enroll(*id, "표본 셀러 " + name, *daily, clock_.now());
        if (!seller) co_return seller.error();
        auto schedule = CrawlingSchedule::create(ids_.make<ScheduleId>(), *id, *daily, clock_.now()).schedule;
        ports::SellerAndSchedule both{std::move(*seller), std::move(schedule)};
        // Nobody relays it: the sample triggers its crawls itself.
        OutboxEntry::Content rule{ids_.make<OutboxId>(), name, trigger_input(*id), "rule-" + name, name};
        auto order = OutboxEntry::create(std::move(rule), clock_.now());
        const auto added = co_await world_.sellers->add(std::move(both), std::move(order));
        // In a database he may be there already, from an earlier start.
        if (!added && added.error().code != Errc::conflict) co_return added.error();
    }
    co_return Result<>{};
}

Async<Result<>> SampleWork::send_triggers() {
    std::vector<ports::OutgoingMessage> messages;
    for (const auto& [name, items] : catalogue_) {
        const auto id = SellerId::parse(name);
        messages.push_back({.body = trigger_input(*id), .group = name, .deduplication_id = {}});
    }
    const auto sent = co_await world_.trigger_queue->send(std::move(messages));
    if (!sent) co_return sent.error();
    co_return Result<>{};
}

Async<Result<>> SampleWork::trigger() {
    application::TriggerCrawl trigger({*world_.sellers, *world_.executions, *world_.leases, *world_.identities,
                                       *marketplace_, ids_, clock_, silence_},
                                      slots_, {});
    for (const auto& [name, items] : catalogue_) {
        const auto id = SellerId::parse(name);
        const auto filled = co_await slots_.fill(1);
        if (!filled) co_return filled.error();
        const auto handled = co_await trigger.handle(*id);
        if (!handled) co_return handled.error();
    }
    co_return Result<>{};
}

Async<Result<>> SampleWork::publish_tasks() {
    application::RelayTaskOutbox relay({*world_.task_outbox, *world_.task_queue, clock_, silence_}, {});
    while (!stop_.stop_requested()) {
        const auto published = co_await relay.run_once();
        if (!published) co_return published.error();
        if (*published == 0) break;
    }
    co_return Result<>{};
}

Async<Result<>> SampleWork::execute_tasks() {
    while (!stop_.stop_requested()) {
        auto received = co_await world_.task_queue->receive(10, Duration::zero());
        if (!received) co_return received.error();
        if (received->empty()) break;
        const auto executed = co_await execute(std::move(*received));
        if (!executed) co_return executed.error();
    }
    co_return Result<>{};
}

Async<Result<>> SampleWork::execute(std::vector<ports::Delivery> deliveries) {
    const auto filled = co_await slots_.fill(static_cast<int>(deliveries.size()));
    if (!filled) co_return filled.error();
    for (auto& delivery : deliveries) {
        TaskId task{std::move(delivery.body)};
        const auto handled = co_await execute_task_.handle(std::move(task));
        if (!handled) co_return handled.error();
        const auto acked = co_await world_.task_queue->ack(std::move(delivery.receipt));
        if (!acked) co_return acked.error();
    }
    co_return Result<>{};
}

}  // namespace crawler::services

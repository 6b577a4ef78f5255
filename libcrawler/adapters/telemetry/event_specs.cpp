// Longer than usual: one description per event, all of them in one place, in the order of the list.
// What each event says. A new alternative of ports::Event does not compile until it is described here, with at least
// one metric.
#include "adapters/telemetry/event_specs_of_queues.hpp"

namespace crawler::adapters {
namespace {

using namespace ports;
using enum LogLevel;
using adapters::describe;  // the events of the pool and the queues

// Metrics that more than one event moves.
Metric running(bool is_running) {
    return gauge("crawler_service_running", "1 from the start until the daemon stops or fails.", {},
                 always(is_running));
}
Metric tasks_created(Reading count) {
    return counter("crawler_tasks_created_total", "Crawl tasks created, by a trigger or as follow-ups of another task.",
                   {}, std::move(count));
}

// The daemon's life.

EventSpec describe(Of<ServiceStarted>) {
    using E = ServiceStarted;
    return told("service_started", info,
                {field("version", &E::version), field("port", &E::port), field("world", &E::world)}, running(true));
}

EventSpec describe(Of<ServiceStopping>) {
    return told("service_stopping", info, {field("reason", &ServiceStopping::reason)}, running(false));
}

// Durations of what happens once in a life are gauges: a histogram of one says less.
EventSpec describe(Of<ServiceStopped>) {
    using E = ServiceStopped;
    return told("service_stopped", info, {field("took_seconds", &E::took)},
                gauge("crawler_service_stop_duration_seconds", "How long the daemon took to stop.", {}, of(&E::took)));
}

EventSpec describe(Of<ServiceFailed>) {
    return told("service_failed", error, {field("error", &ServiceFailed::what)}, running(false),
                counter("crawler_service_failures_total", "Failures that ended the daemon.", {}));
}

EventSpec describe(Of<HttpServerFailed>) {
    return told("http_server_failed", error, {field("error", &HttpServerFailed::what)},
                counter("crawler_http_server_failures_total",
                        "Requests to us that crashed, and times from which no connection could be accepted.", {}));
}

// Any loop.

EventSpec describe(Of<LoopPassed>) {
    using E = LoopPassed;
    const auto loop = label("loop", &E::loop);
    return told("loop_passed", debug,
                {field("loop", &E::loop), field("work", &E::work), field("took_seconds", &E::took)},
                histogram("crawler_loop_pass_duration_seconds", "How long a successful pass of a loop took.", {loop},
                          of(&E::took)),
                counter("crawler_loop_work_items_total", "Pieces of work that loops took in.", {loop}, of(&E::work)),
                gauge("crawler_loop_last_success_timestamp_seconds",
                      "When a pass last succeeded, in Unix time; 0: never.", {loop}, the_time()));
}

EventSpec describe(Of<LoopFailed>) {
    using E = LoopFailed;
    return told("loop_failed", warning, {field("loop", &E::loop), error_code(&E::error), error_text(&E::error)},
                counter("crawler_loop_failures_total", "Passes of a loop that failed.",
                        {label("loop", &E::loop), label("error_code", &E::error)}));
}

EventSpec describe(Of<LoopCrashed>) {
    using E = LoopCrashed;
    return told("loop_crashed", error, {field("loop", &E::loop), field("error", &E::what)},
                counter("crawler_loop_crashes_total", "Exceptions that nobody expected.", {label("loop", &E::loop)}));
}

EventSpec describe(Of<LoopDrained>) {
    using E = LoopDrained;
    const auto loop = label("loop", &E::loop);
    return told(
        "loop_drained", {info, {raised(warning, "cut", &E::cut)}},
        {field("loop", &E::loop), field("cut", &E::cut), field("took_seconds", &E::took)},
        gauge("crawler_loop_drain_duration_seconds", "How long a loop took to drain after stop.", {loop}, of(&E::took)),
        counter("crawler_loop_cut_items_total", "Pieces of work let go at the end of the drain.", {loop}, of(&E::cut)));
}

EventSpec describe(Of<InFlight>) {
    using E = InFlight;
    return told("in_flight", debug, {field("loop", &E::loop), field("count", &E::count)},
                gauge("crawler_loop_in_flight_items", "Pieces of work being done now.", {label("loop", &E::loop)},
                      of(&E::count)));
}

EventSpec describe(Of<DeliverySettled>) {
    using E = DeliverySettled;
    const auto loop = label("loop", &E::loop);
    return told(
        "delivery_settled", {debug, {raised(warning, "settled=abandoned", &E::settled, Settled::abandoned)}},
        {field("loop", &E::loop), field("message_id", &E::message_id), field("settled", &E::settled),
         field("took_seconds", &E::took)},
        counter("crawler_deliveries_settled_total", "Deliveries handled, by what became of them.",
                {loop, label("settled", &E::settled)}),
        histogram("crawler_delivery_duration_seconds", "How long a delivery was worked on.", {loop}, of(&E::took)));
}

EventSpec describe(Of<DeliveryLost>) {
    using E = DeliveryLost;
    return told(
        "delivery_lost", warning,
        {field("loop", &E::loop), field("message_id", &E::message_id), error_code(&E::error), error_text(&E::error)},
        counter("crawler_deliveries_lost_total", "Deliveries settled too late, or not at all.",
                {label("loop", &E::loop), label("error_code", &E::error)}));
}

// The line.

EventSpec describe(Of<CrawlTriggered>) {
    using E = CrawlTriggered;
    return only_in(Loop::trigger_queue,
                   told("crawl_triggered", info,
                        {field("execution_id", &E::execution), field("seller_id", &E::seller),
                         field("products", &E::products), field("tasks", &E::tasks)},
                        counter("crawler_crawls_triggered_total", "Runs over a seller's catalogue begun.", {}),
                        tasks_created(of(&E::tasks))));
}

EventSpec describe(Of<CrawlRefused>) {
    using E = CrawlRefused;
    return only_in(
        Loop::trigger_queue,
        told("crawl_refused", warning, {field("seller_id", &E::seller), error_code(&E::error), error_text(&E::error)},
             counter("crawler_crawls_refused_total", "Triggers that began no run.", {label("error_code", &E::error)})));
}

EventSpec describe(Of<CrawlDelayed>) {
    using E = CrawlDelayed;
    return only_in(Loop::trigger_queue,
                   told("crawl_delayed", warning,
                        {field("seller_id", &E::seller), error_code(&E::error), error_text(&E::error),
                         field("wait_seconds", &E::wait)},
                        counter("crawler_crawls_delayed_total",
                                "Triggers that come back later, because the marketplace did not answer them.",
                                {label("error_code", &E::error)})));
}

EventSpec describe(Of<ScheduleFailed>) {
    using E = ScheduleFailed;
    return only_in(
        Loop::scheduler_outbox,
        told("schedule_failed", error,
             {field("seller_id", &E::seller), field("rule", &E::rule), error_code(&E::error), error_text(&E::error)},
             counter("crawler_schedules_failed_total",
                     "Schedules whose rule could not be put or removed in the end; an operator must act.",
                     {label("error_code", &E::error)})));
}

EventSpec describe(Of<RulesChanged>) {
    using E = RulesChanged;
    return only_in(
        Loop::scheduler_outbox,
        told("rules_changed", {info, {raised(warning, "retried", &E::retried)}},
             {field("put", &E::put), field("removed", &E::removed), field("retried", &E::retried)},
             counter("crawler_rules_put_total", "Rules created or changed.", {}, of(&E::put)),
             counter("crawler_rules_removed_total", "Rules removed.", {}, of(&E::removed)),
             counter("crawler_rule_retries_total", "Rules that will be put or removed later.", {}, of(&E::retried))));
}

EventSpec describe(Of<PublishingHeldBack>) {
    using E = PublishingHeldBack;
    return only_in(
        Loop::task_outbox,
        told("publishing_held_back", info,
             {field("held", &E::held), field("servable", &E::servable), field("waiting", &E::waiting)},
             gauge("crawler_publishing_held_back",
                   "1 while no task is published, because the queue holds all that the request budget can serve soon.",
                   {}, of(&E::held))));
}

EventSpec describe(Of<TasksPublished>) {
    using E = TasksPublished;
    return only_in(
        Loop::task_outbox,
        told("tasks_published", {debug, {raised(warning, "retried", &E::retried), raised(error, "dead", &E::dead)}},
             {field("sent", &E::sent), field("retried", &E::retried), field("dead", &E::dead)},
             counter("crawler_tasks_published_total", "Crawl tasks put on the queue.", {}, of(&E::sent)),
             counter("crawler_task_publish_retries_total", "Crawl tasks that will be put on the queue later.", {},
                     of(&E::retried)),
             counter("crawler_task_publish_deaths_total", "Crawl tasks given up before they reached the queue.", {},
                     of(&E::dead))));
}

EventSpec describe(Of<TaskSucceeded>) {
    using E = TaskSucceeded;
    return only_in(Loop::crawl_queue,
                   told("task_succeeded", debug,
                        {field("task_id", &E::task), field("type", &E::type), field("follow_ups", &E::follow_ups),
                         field("outcome", &E::outcome)},
                        counter("crawler_tasks_succeeded_total", "Crawl tasks completed, with an answer or as gone.",
                                {label("type", &E::type), label("outcome", &E::outcome)}),
                        tasks_created(of(&E::follow_ups))));
}

EventSpec describe(Of<TaskFailed>) {
    using E = TaskFailed;
    return only_in(Loop::crawl_queue,
                   told("task_failed", {warning, {raised(error, "final", &E::final)}},
                        {field("task_id", &E::task), field("type", &E::type), error_code(&E::error),
                         error_text(&E::error), field("final", &E::final)},
                        counter("crawler_tasks_failed_total",
                                "Attempts at crawl tasks that failed; final ones are not tried again.",
                                {label("type", &E::type), label("error_code", &E::error), label("final", &E::final)})));
}

EventSpec describe(Of<TaskPostponed>) {
    using E = TaskPostponed;
    return only_in(Loop::crawl_queue,
                   told("task_postponed", info, {field("task_id", &E::task), field("type", &E::type)},
                        counter("crawler_tasks_postponed_total",
                                "Attempts at crawl tasks that ended before a request, for want of a slot.",
                                {label("type", &E::type)})));
}

EventSpec describe(Of<TransactionRetried>) {
    using E = TransactionRetried;
    return told(
        "transaction_retried", debug,
        {field("retry", &E::retry), error_code(&E::error), error_text(&E::error), field("wait_seconds", &E::wait)},
        counter("crawler_transactions_retried_total", "Transactions that lost to another one and began anew.", {}));
}

EventSpec describe(Of<RowSetAside>) {
    using E = RowSetAside;
    return told("row_set_aside", error, {field("row", &E::row), field("why", &E::why)},
                counter("crawler_rows_set_aside_total",
                        "Rows that stood in line, could not be claimed and were put out of the way.", {}));
}

EventSpec describe(Of<Purged>) {
    using E = Purged;
    return only_in(Loop::retention,
                   told("purged", info, {field("what", &E::what), field("rows", &E::rows)},
                        counter("crawler_rows_purged_total", "Rows that were done with, old enough, and deleted.",
                                {label("what", &E::what)}, of(&E::rows))));
}

EventSpec describe(Of<LeaseUnreleased>) {
    using E = LeaseUnreleased;
    return told("lease_unreleased", warning, {error_code(&E::error), error_text(&E::error)},
                counter("crawler_leases_unreleased_total", "Leases that could not be given back and end by time.",
                        {label("error_code", &E::error)}));
}

EventSpec describe(Of<ClaimsLost>) {
    using E = ClaimsLost;
    return told(
        "claims_lost", warning, {field("loop", &E::loop), field("count", &E::count)},
        counter("crawler_outbox_claims_lost_total",
                "Outbox entries and tasks whose lease was over, and taken by another, before they were settled.",
                {label("loop", &E::loop)}, of(&E::count)));
}

EventSpec describe(Of<RawAbsorbed>) {
    using E = RawAbsorbed;
    return only_in(
        Loop::raw_intake,
        told("raw_absorbed", debug,
             {field("raw_id", &E::raw), field("facets", &E::facets), field("changed", &E::changed),
              field("refused", &E::refused)},
             counter("crawler_raws_absorbed_total", "Answers worked into products.", {}),
             counter("crawler_facets_absorbed_total", "Facets read from answers.", {}, of(&E::facets)),
             counter("crawler_facets_changed_total", "Facets that changed a product.", {}, of(&E::changed))));
}

EventSpec describe(Of<FacetRefused>) {
    using E = FacetRefused;
    return only_in(
        Loop::raw_intake,
        told("facet_refused", info, {field("raw_id", &E::raw), field("item", &E::item), field("why", &E::why)},
             counter("crawler_facets_refused_total", "Facets not taken, most of them of other sellers' items.", {})));
}

EventSpec describe(Of<RawQuarantined>) {
    using E = RawQuarantined;
    return only_in(
        Loop::raw_intake,
        told("raw_quarantined", error, {field("raw_id", &E::raw), error_code(&E::error), error_text(&E::error)},
             counter("crawler_raws_quarantined_total", "Answers put aside because they cannot be read.",
                     {label("error_code", &E::error)})));
}

EventSpec describe(Of<ProductPushed>) {
    using E = ProductPushed;
    return only_in(Loop::product_outbox,
                   told("product_pushed", debug, {field("outbox_id", &E::entry), field("item", &E::item)},
                        counter("crawler_products_pushed_total", "Products the product server has accepted.", {})));
}

EventSpec describe(Of<ProductPushFailed>) {
    using E = ProductPushFailed;
    return only_in(Loop::product_outbox, told("product_push_failed", {warning, {raised(error, "final", &E::final)}},
                                              {field("outbox_id", &E::entry), field("item", &E::item),
                                               error_code(&E::error), error_text(&E::error), field("final", &E::final)},
                                              counter("crawler_product_push_failures_total",
                                                      "Pushes that failed; final ones are not tried again.",
                                                      {label("error_code", &E::error), label("final", &E::final)})));
}

EventSpec describe(Of<RunConcluded>) {
    using E = RunConcluded;
    return only_in(
        Loop::conclusions,
        told("run_concluded", info,
             {field("execution_id", &E::execution), field("seller_id", &E::seller), field("whole", &E::whole),
              field("listed", &E::listed), field("announced", &E::announced), field("seen", &E::seen),
              field("complete", &E::complete), field("delisted", &E::delisted), field("deleted", &E::deleted)},
             counter("crawler_runs_concluded_total",
                     "Runs whose completeness is proven; whole ones miss nothing that the marketplace has.",
                     {label("whole", &E::whole), label("listed", &E::listed)}),
             counter("crawler_run_items_seen_total", "Items that the listings of concluded runs named.", {},
                     of(&E::seen)),
             counter("crawler_run_items_complete_total", "Those of them that have all their facets.", {},
                     of(&E::complete)),
             counter("crawler_products_delisted_total", "Products that a complete listing lacked.", {},
                     of(&E::delisted)),
             counter("crawler_products_deleted_total", "Products deleted because two complete listings lacked them.",
                     {}, of(&E::deleted))));
}

EventSpec describe(Of<InvariantBroken>) {
    using E = InvariantBroken;
    return only_in(Loop::invariants, told("invariant_broken", error,
                                          {field("rule", &E::rule), field("row", &E::row), field("rows", &E::rows)},
                                          counter("crawler_invariants_broken_total",
                                                  "Times that a rule about what is stored was found broken.", {})));
}

EventSpec describe(Of<InvariantsChecked>) {
    using E = InvariantsChecked;
    return only_in(Loop::invariants,
                   told("invariants_checked", {info, {raised(error, "violations", &E::violations)}},
                        {field("rules", &E::rules), field("broken", &E::broken), field("violations", &E::violations)},
                        gauge("crawler_invariant_rules_broken", "Rules about what is stored that rows break now.", {},
                              of(&E::broken)),
                        gauge("crawler_invariant_violations",
                              "Rows that break a rule about what is stored, up to a most for each rule.", {},
                              of(&E::violations))));
}

template <class... E>
std::vector<EventSpec> describe_all(Of<std::variant<E...>>) {
    return {describe(Of<E>{})...};
}

}  // namespace

const std::vector<EventSpec>& event_specs() {
    static const auto specs = describe_all(Of<Event>{});
    return specs;
}

}  // namespace crawler::adapters

// A database in which everything is as it should be, with something in every state that matters. It comes about through the stores, as in
// life: what they leave behind must never look like a violation.
#pragma once
#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"

namespace crawler::test {

constexpr ItemNo healthy_item = 4711;

// Claims what is due and settles it as sent.
template <class World>
void send_all(World& w, ports::OutboxStore& outbox, TimePoint now) {
    auto claimed = w.run(outbox.claim(100, now, 60s));
    REQUIRE(claimed);
    for (auto& entry : *claimed) REQUIRE(entry.mark_sent());
    REQUIRE(w.run(outbox.settle(*claimed, now)));
}

// A run with tasks, each with the entry o-<task> that will publish it.
template <class World>
void start_published_run(World& w, const std::string& execution, const std::vector<std::string>& ids) {
    std::vector<CrawlerTask> tasks;
    std::vector<OutboxEntry> outbox;
    for (const auto& id : ids) {
        CrawlerTask task = a_task(id, execution).asking(a_listing_url(std::ssize(tasks)));
        outbox.push_back(task.publication(OutboxId{"o-" + id}, t0));
        tasks.push_back(task);
    }
    start_run(w, execution, std::move(tasks), std::move(outbox));
}

template <class World>
CrawlerTask begin_task(World& w, const std::string& id, Duration lease) {
    auto task = w.run(w.tasks->load(TaskId{id}));
    REQUIRE(task);
    REQUIRE(task->start(t0, lease));
    auto saved = w.run(w.tasks->save(*task));
    REQUIRE(saved);
    return *saved;
}

template <class World>
void complete_task(World& w, const std::string& id, std::vector<CrawledRaw> raws = {}) {
    auto task = begin_task(w, id, 60s);
    REQUIRE(task.complete(t0));
    REQUIRE(w.run(w.tasks->finish({.task = task, .raws = std::move(raws), .follow_ups = {}, .outbox = {}})));
}

// Works the next raw in, as this facet of the product, with its history and an event about it.
template <class World>
void absorb_next(World& w, FacetBuilder facet, TimePoint at) {
    auto raw = claim_raw(w, at);
    REQUIRE(raw.mark_processed());
    const auto known = w.run(w.products->find({healthy_item}));
    REQUIRE(known);
    auto product = known->empty() ? Product::discover(healthy_item, seller_id(), at) : known->front().product;
    const auto absorbed = product.absorb(facet.fetched(at), flat_diff, at);
    REQUIRE(absorbed);
    const ports::ProductChange change{healthy_item, product.state().version, raw.state().id, at, absorbed->diff};
    const auto event = "p-" + std::to_string(product.state().version);
    REQUIRE(w.run(w.products->absorb({.raw = raw,
                                      .products = {product},
                                      .history = {change},
                                      .events = {an_entry(event, std::to_string(healthy_item), at).in_lane("shop-1")},
                                      .melted = {}})));
}

// Messages a1, in flight, and a2 behind it, loose, put off, and the dead letter poison; the rule of shop-1.
template <class World>
void fill_queue(World& w) {
    const auto queue = adapters::make_sql_queue(*w.database, {.max_receive_count = 1}, w.clock, w.io.get_executor());
    REQUIRE(w.run(queue->send({{.body = "poison", .group = "a", .deduplication_id = "d"}})));
    const auto poison = w.run(queue->receive(10, {}))->at(0);
    REQUIRE(w.run(queue->retry_after(poison.receipt, 0s)));
    REQUIRE(w.run(queue->receive(10, {}))->empty());
    REQUIRE(w.run(queue->send({{.body = "put off"}})));
    const auto put_off = w.run(queue->receive(10, {}))->at(0);
    REQUIRE(w.run(queue->retry_after(put_off.receipt, 1h)));
    REQUIRE(w.run(queue->send({{.body = "a1", .group = "a"}, {.body = "a2", .group = "a"}})));
    REQUIRE(w.run(queue->receive(10, {}))->size() == 1);
    REQUIRE(w.run(queue->send({{.body = "loose"}})));

    const auto rules = adapters::make_sql_schedule_rules(*w.database, w.clock);
    REQUIRE(w.run(rules->put(rule_of(seller_id(), days(1)))));
}

// Tasks t-published, t-waiting, t-running and t-done of the open run e-1, t-old of e-2, which is over, and of e-3, whose tasks are
// purged. Answers r-old, superseded; r-listing, r-detail, r-option, each a latest; r-aside, quarantined; r-wait. Events p-1 sent, p-2
// dead, p-3 and p-4 waiting.
template <class World>
void make_healthy(World& w) {
    start_published_run(w, "e-3", {"t-purged"});
    send_all(w, *w.task_outbox, t0);
    complete_task(w, "t-purged");
    prove_run(w, "e-3");
    REQUIRE(*w.run(w.retention->purge(ports::Expendable::finished_tasks, t0 + 1us, 10)) == 1);
    REQUIRE(*w.run(w.retention->purge(ports::Expendable::sent_tasks, t0 + 1us, 10)) == 1);

    start_published_run(w, "e-1", {"t-published", "t-running", "t-done"});
    start_published_run(w, "e-2", {"t-old"});
    send_all(w, *w.task_outbox, t0);
    begin_task(w, "t-running", 1h);
    complete_task(w, "t-old");

    auto done = begin_task(w, "t-done", 60s);
    REQUIRE(done.complete(t0));
    CrawlerTask waiting = a_task("t-waiting", "e-1").asking(a_detail_url(healthy_item));
    auto entry = waiting.publication(OutboxId{"o-t-waiting"}, t0);
    REQUIRE(w.run(
        w.tasks->finish({.task = done,
                         .raws = {a_raw("r-old", t0), a_raw("r-listing", t0 + 1s), a_raw("r-detail", t0 + 2s),
                                  a_raw("r-option", t0 + 3s), a_raw("r-aside", t0 + 4s), a_raw("r-wait", t0 + 5s)},
                         .follow_ups = {waiting},
                         .outbox = {entry}})));

    absorb_next(w, a_listing().saying(R"({"name":"old"})"), t0);
    send_all(w, *w.product_outbox, t0);
    absorb_next(w, a_listing(), t0 + 1s);
    auto dead = w.run(w.product_outbox->claim(1, t0 + 1s, 60s));
    REQUIRE(dead->front().mark_failed({Errc::invalid, "refused"}, RetryPolicy{.max_retries = 0}, t0 + 1s));
    REQUIRE(w.run(w.product_outbox->settle(*dead, t0 + 1s)));
    absorb_next(w, a_detail(), t0 + 2s);
    absorb_next(w, an_option(), t0 + 3s);
    auto aside = claim_raw(w, t0 + 4s);
    REQUIRE(aside.quarantine("/name: is no text"));
    REQUIRE(w.run(w.raws->settle(aside)));

    fill_queue(w);
    auto resting = a_user_agent().with_id("ua-2").suspended(t0, t0 + 1h).build().state();
    resting.user_agent_string = "Mozilla/5.0 (Macintosh)";
    REQUIRE(*w.run(w.user_agents->add({a_user_agent(), UserAgent::restore(resting)})) == 2);
    const auto slots = adapters::make_counting_ids("slot-");
    const adapters::SqlIdentityPoolConfig made_up{.sessions = {.made_up = true}, .server_clock = false};
    const auto pool = adapters::make_sql_identity_pool(*w.database, made_up, test_keys(), w.clock, *slots);
    REQUIRE(w.run(pool->reserve()));
    REQUIRE(
        w.run(w.ledger->reserve({.reservation = "s-1", .identity = {"ua-1"}, .reserved = t0, .lease_end = t0 + 60s})));
    REQUIRE(w.run(w.ledger->answer({"s-1", t0 + 1s, RequestOutcome::succeeded})));
    REQUIRE(
        w.run(w.ledger->reserve({.reservation = "s-2", .identity = {"ua-1"}, .reserved = t0, .lease_end = t0 + 60s})));
}

}  // namespace crawler::test

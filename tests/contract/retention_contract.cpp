#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using ports::Expendable;

namespace {

constexpr int plenty = 100;

template <class Stores>
std::size_t purge(Stores& f, Expendable what, TimePoint before, int limit = plenty) {
    const auto gone = f.run(f.retention->purge(what, before, limit));
    REQUIRE(gone);
    return *gone;
}

// Ends a running task of its run at that time.
template <class Stores>
void finish(Stores& f, const std::string& id, TimePoint at, std::vector<CrawlerTask> follow_ups = {}) {
    auto task = f.run(f.tasks->load(TaskId{id}));
    REQUIRE(task);
    REQUIRE(task->complete(at));
    REQUIRE(f.run(f.tasks->finish({.task = *task, .raws = {}, .follow_ups = std::move(follow_ups), .outbox = {}})));
}

template <class Stores>
bool is_there(Stores& f, const std::string& task) {
    return static_cast<bool>(f.run(f.tasks->load(TaskId{task})));
}

// Claims all that is due and settles it as sent at that time.
void send_all(auto& f, TimePoint at) {
    auto claimed = f.run(f.outbox().claim(plenty, at, 60s));
    REQUIRE(claimed);
    for (auto& entry : *claimed) REQUIRE(entry.mark_sent());
    REQUIRE(f.run(f.outbox().settle(*claimed, at)));
}

// Works a raw that was fetched then into product 4711, whose listing it was; nothing of it is taken where it says so.
template <class Stores>
void absorb_listing(Stores& f, const std::string& raw_id, TimePoint at, bool is_taken = true) {
    put_raws(f, {a_raw(raw_id, at)}, "e-" + raw_id);
    auto raw = claim_raw(f, at);
    REQUIRE(raw.mark_processed());
    const auto known = f.run(f.products->find({4711}));
    REQUIRE(known);
    auto product = known->empty() ? Product::discover(4711, seller_id(), at) : known->front().product;
    if (is_taken)
        REQUIRE(product.absorb(a_listing().saying("{\"name\":\"" + raw_id + "\"}").fetched(at), flat_diff, at));
    std::vector<Product> products;
    if (is_taken) products.push_back(product);
    REQUIRE(f.run(f.products->absorb({.raw = raw, .products = products, .history = {}, .events = {}, .melted = {}})));
}

template <class Stores>
Expendable sent_in(const TaskOutbox<Stores>&) {
    return Expendable::sent_tasks;
}
template <class Stores>
Expendable sent_in(const SchedulerOutbox<Stores>&) {
    return Expendable::sent_schedules;
}
template <class Stores>
Expendable sent_in(const ProductOutbox<Stores>&) {
    return Expendable::sent_products;
}

using OutboxFixtures = OutboxesOf<StoreFixtures>::Type;

}  // namespace

TEMPLATE_LIST_TEST_CASE("retention: a task that ended before goes, one that ended at the time or later stays",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2"), a_running_task("t-3")});
    finish(f, "t-1", t0 + 1s);
    finish(f, "t-2", t0 + 2s);
    finish(f, "t-3", t0 + 3s);
    prove_run(f, "e-1");

    CHECK(purge(f, Expendable::finished_tasks, t0 + 2s) == 1);

    CHECK_FALSE(is_there(f, "t-1"));
    CHECK(is_there(f, "t-2"));
    CHECK(is_there(f, "t-3"));
}

TEMPLATE_LIST_TEST_CASE("retention: a task stays while another of its run is open", "[contract][retention]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-open", {a_running_task("t-1", "e-open"), a_running_task("t-2", "e-open")});
    start_run(f, "e-over", {a_running_task("t-3", "e-over")});
    finish(f, "t-1", t0 + 1s);
    finish(f, "t-3", t0 + 2s);
    prove_run(f, "e-over");

    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h, 1) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h, 1) == 0);
    CHECK(is_there(f, "t-1"));
    CHECK(is_there(f, "t-2"));
    CHECK_FALSE(is_there(f, "t-3"));

    finish(f, "t-2", t0 + 3s);
    prove_run(f, "e-open");
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h) == 2);
}

TEMPLATE_LIST_TEST_CASE("retention: tasks and answers of a run stay until its completeness is proven",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1").by_task("t-e-1"), a_raw("r-2").by_task("t-e-1")}, "e-1");
    for (int i = 0; i < 2; ++i) {
        auto raw = claim_raw(f);
        REQUIRE(raw.mark_processed());
        REQUIRE(f.run(f.raws->settle(raw)));
    }

    CHECK(purge(f, Expendable::finished_tasks, t0 + 24h) == 0);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 0);

    prove_run(f, "e-1");
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h, 1) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 24h) == 1);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 1);
}

TEMPLATE_LIST_TEST_CASE("retention: runs are kept for ever, with their counters", "[contract][retention]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1")});
    finish(f, "t-1", t0);
    prove_run(f, "e-1");
    REQUIRE(purge(f, Expendable::finished_tasks, t0 + 1h) == 1);

    for (const auto& entry : names(Expendable{})) (void)purge(f, entry.value, t0 + 24h);

    const auto run = f.run(f.executions->find(ExecutionId{"e-1"}));
    REQUIRE(run);
    CHECK(run->state().completed_tasks == 1);
}

TEMPLATE_LIST_TEST_CASE(
    "retention: no more than the limit go at a time, oldest first; fewer mean that there is no more",
    "[contract][retention]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2"), a_running_task("t-3")});
    finish(f, "t-3", t0 + 1s);
    finish(f, "t-1", t0 + 2s);
    finish(f, "t-2", t0 + 3s);
    prove_run(f, "e-1");

    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h, 2) == 2);
    CHECK(is_there(f, "t-2"));
    CHECK_FALSE(is_there(f, "t-3"));

    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h, 2) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h, 2) == 0);
}

TEMPLATE_LIST_TEST_CASE("retention: tasks that ended at the same time go all, whatever the limit",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2"), a_running_task("t-3")});
    for (const auto* id : {"t-2", "t-3", "t-1"}) finish(f, id, t0);
    prove_run(f, "e-1");

    CHECK(purge(f, Expendable::finished_tasks, t0 + 1s, 1) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1s, 1) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1s, 1) == 1);
    CHECK(purge(f, Expendable::finished_tasks, t0 + 1s, 1) == 0);
}

TEMPLATE_LIST_TEST_CASE(
    "retention: what ends later than the last that went is found by the next pass, and so is what ended "
    "before it",
    "[contract][retention]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1")});
    finish(f, "t-1", t0 + 5s);
    prove_run(f, "e-1");
    REQUIRE(purge(f, Expendable::finished_tasks, t0 + 1h, 1) == 1);
    REQUIRE(purge(f, Expendable::finished_tasks, t0 + 1h, 1) == 0);

    start_run(f, "e-2", {a_running_task("t-2", "e-2"), a_running_task("t-3", "e-2")});
    finish(f, "t-2", t0 + 1s);
    finish(f, "t-3", t0 + 9s);
    prove_run(f, "e-2");

    CHECK(purge(f, Expendable::finished_tasks, t0 + 1h) == 2);
}

TEMPLATE_LIST_TEST_CASE("retention: sent entries go by the time at which they were sent", "[contract][retention]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    send_all(f, t0 + 1s);
    f.put({an_entry("o-2", "s-2")});
    send_all(f, t0 + 2s);

    CHECK(purge(f, sent_in(f), t0 + 1s) == 0);
    CHECK(purge(f, sent_in(f), t0 + 2s) == 1);
    CHECK(purge(f, sent_in(f), t0 + 3s) == 1);
    CHECK(purge(f, sent_in(f), t0 + 3s) == 0);
}

TEMPLATE_LIST_TEST_CASE("retention: an entry that is not sent stays, however old it is", "[contract][retention]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-2"), an_entry("o-3", "s-3")});
    auto claimed = f.run(f.outbox().claim(2, t0, 60s));
    REQUIRE(claimed);
    REQUIRE(claimed->front().mark_failed({Errc::invalid, "never"}, RetryPolicy{.max_retries = 0}, t0));
    REQUIRE(claimed->front().state().status == OutboxStatus::dead);
    REQUIRE(f.run(f.outbox().settle({claimed->front()}, t0)));

    CHECK(purge(f, sent_in(f), t0 + 24h) == 0);

    CHECK(f.run(f.outbox().claim(plenty, t0 + 1h, 60s))->size() == 2);
}

TEMPLATE_LIST_TEST_CASE("retention: an answer stays while a product knows a facet from it", "[contract][retention]",
                        StoreFixtures) {
    TestType f;
    absorb_listing(f, "r-1", t0);

    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 0);
}

TEMPLATE_LIST_TEST_CASE("retention: an answer goes by the time at which another took its place",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    absorb_listing(f, "r-1", t0);
    absorb_listing(f, "r-2", t0 + 10s);
    absorb_listing(f, "r-3", t0 + 20s);

    CHECK(purge(f, Expendable::superseded_raws, t0 + 10s) == 0);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 11s) == 1);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 1);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 0);
}

TEMPLATE_LIST_TEST_CASE("retention: an answer that nothing was taken from goes by the time at which it was fetched",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    absorb_listing(f, "r-1", t0 + 5s, false);

    CHECK(purge(f, Expendable::superseded_raws, t0 + 5s) == 0);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 6s) == 1);
}

TEMPLATE_LIST_TEST_CASE("retention: an answer of many products stays until the last of them has another",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    REQUIRE(raw.mark_processed());
    std::vector<Product> both;
    for (const ItemNo item : {4711, 4712}) {
        auto product = Product::discover(item, seller_id(), t0);
        REQUIRE(product.absorb(a_listing().of_item(item).fetched(t0), flat_diff, t0));
        both.push_back(product);
    }
    REQUIRE(f.run(f.products->absorb({.raw = raw, .products = both, .history = {}, .events = {}, .melted = {}})));

    absorb_listing(f, "r-2", t0 + 10s);
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 0);

    put_raws(f, {a_raw("r-3", t0 + 20s)}, "e-3");
    raw = claim_raw(f, t0 + 20s);
    REQUIRE(raw.mark_processed());
    auto second = f.run(f.products->find({4712}))->front().product;
    REQUIRE(second.absorb(a_listing().of_item(4712).fetched(t0 + 20s), flat_diff, t0 + 20s));
    REQUIRE(f.run(f.products->absorb({.raw = raw, .products = {second}, .history = {}, .events = {}, .melted = {}})));
    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 1);
}

TEMPLATE_LIST_TEST_CASE("retention: answers that wait, failed or were put aside stay", "[contract][retention]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1"), a_raw("r-2"), a_raw("r-3")});
    auto failed = claim_raw(f);
    REQUIRE(failed.mark_failed({Errc::timeout, "no answer"}, RetryPolicy{}, t0));
    REQUIRE(f.run(f.raws->settle(failed)));
    auto aside = claim_raw(f);
    REQUIRE(aside.quarantine("/name: is no text"));
    REQUIRE(f.run(f.raws->settle(aside)));

    CHECK(purge(f, Expendable::superseded_raws, t0 + 24h) == 0);
}

TEMPLATE_LIST_TEST_CASE("retention: ledger entries go by the time of their reservation, answered or not",
                        "[contract][retention]", StoreFixtures) {
    TestType f;
    for (const auto second : {1, 2, 3}) {
        const auto at = t0 + std::chrono::seconds{second};
        REQUIRE(f.run(f.ledger->reserve(
            {.reservation = "s-" + std::to_string(second), .identity = {"ua-1"}, .reserved = at, .lease_end = at})));
    }
    REQUIRE(f.run(f.ledger->answer({"s-1", t0 + 9s, RequestOutcome::succeeded})));

    CHECK(purge(f, Expendable::ledger_entries, t0 + 3s) == 2);

    const auto left = f.run(f.ledger->since(t0, {}));
    REQUIRE(left->size() == 1);
    CHECK(left->front().reservation == "s-3");
}

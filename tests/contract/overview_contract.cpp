#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Ids = std::vector<std::string>;

// A run of that seller without tasks, begun at that time.
template <class Stores>
void begin_run(Stores& f, const std::string& id, const std::string& seller, TimePoint at) {
    (void)enlist(f, a_seller(seller));
    auto stored = f.run(f.sellers->find(seller_id(seller)));
    auto run = CrawlingScheduleExecution::begin(ExecutionId{id}, seller_id(seller), at);
    REQUIRE(run.tasks_created(0, at));
    REQUIRE(f.run(f.executions->start({*stored, run, {}, {}})));
}

template <class Stores>
Ids runs(Stores& f, ports::RunFilter filter = {}) {
    const auto found = f.run(f.overview->runs(filter));
    REQUIRE(found);
    Ids ids;
    for (const auto& run : *found) ids.push_back(run.state().id.value);
    return ids;
}

template <class Stores>
void fail_task(Stores& f, const std::string& id, ErrorClass why, const std::string& message, int retries = 0) {
    auto task = f.run(f.tasks->load(TaskId{id}));
    REQUIRE(task->fail(why, message, RetryPolicy{.max_retries = retries}, t0));
    REQUIRE(f.run(f.tasks->finish({.task = *task, .raws = {}, .follow_ups = {}, .outbox = {}})));
}

template <class Stores>
ports::OutboxView outbox(Stores& f, ports::OutboxName name) {
    const auto all = f.run(f.overview->outboxes());
    REQUIRE(all);
    REQUIRE(all->size() == names(ports::OutboxName{}).size());
    return *std::ranges::find(*all, name, &ports::OutboxView::name);
}

template <class Stores>
ports::OutboxName name_of(const TaskOutbox<Stores>&) {
    return ports::OutboxName::tasks;
}
template <class Stores>
ports::OutboxName name_of(const SchedulerOutbox<Stores>&) {
    return ports::OutboxName::schedules;
}
template <class Stores>
ports::OutboxName name_of(const ProductOutbox<Stores>&) {
    return ports::OutboxName::products;
}

using OutboxFixtures = OutboxesOf<StoreFixtures>::Type;

}  // namespace

TEMPLATE_LIST_TEST_CASE("overview: runs come newest first, up to the limit", "[contract][overview]", StoreFixtures) {
    TestType f;
    begin_run(f, "e-1", "shop-1", t0 + 1s);
    begin_run(f, "e-3", "shop-2", t0 + 3s);
    begin_run(f, "e-2", "shop-1", t0 + 2s);

    CHECK(runs(f) == Ids{"e-3", "e-2", "e-1"});
    CHECK(runs(f, {.limit = 2}) == Ids{"e-3", "e-2"});
}

TEMPLATE_LIST_TEST_CASE("overview: runs are those of the seller and in the state that are asked for",
                        "[contract][overview]", StoreFixtures) {
    TestType f;
    begin_run(f, "e-1", "shop-1", t0);
    begin_run(f, "e-2", "shop-2", t0);
    start_run(f, "e-3", {a_task("t-1", "e-3")});

    CHECK(runs(f, {.seller = seller_id("shop-1")}) == Ids{"e-3", "e-1"});
    CHECK(runs(f, {.status = ExecutionStatus::in_progress}) == Ids{"e-3"});
    CHECK(runs(f, {.seller = seller_id("shop-2"), .status = ExecutionStatus::in_progress}).empty());
}

TEMPLATE_LIST_TEST_CASE("overview: a run is shown with its tasks by type and status", "[contract][overview]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1",
              {a_task("t-1"), a_task("t-2"), a_running_task("t-3"), a_task("t-4").asking(a_detail_url(4711))});
    start_run(f, "e-2", {a_task("t-5", "e-2")});

    const auto view = f.run(f.overview->run(ExecutionId{"e-1"}, 5));

    REQUIRE(view);
    CHECK(view->run.state().id.value == "e-1");
    CHECK(view->run.state().total_tasks == 4);
    CHECK(view->tasks == std::vector<ports::TaskCount>{{TaskType::minishop, TaskStatus::waiting, 2},
                                                       {TaskType::minishop, TaskStatus::in_progress, 1},
                                                       {TaskType::product_detail, TaskStatus::waiting, 1}});
    CHECK(view->troubles.empty());
    CHECK(code_of(f.run(f.overview->run(ExecutionId{"e-9"}, 5))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("overview: what goes wrong with a run is told by how often it does", "[contract][overview]",
                        StoreFixtures) {
    TestType f;
    std::vector<CrawlerTask> tasks;
    for (int i = 0; i < 5; ++i) tasks.push_back(a_running_task("t-" + std::to_string(i)));
    start_run(f, "e-1", tasks);
    fail_task(f, "t-0", ErrorClass::permanent, "HTTP 400");
    fail_task(f, "t-1", ErrorClass::transient, "HTTP 503");
    fail_task(f, "t-2", ErrorClass::transient, "HTTP 503");
    fail_task(f, "t-3", ErrorClass::transient, "HTTP 503", 2);

    const auto view = f.run(f.overview->run(ExecutionId{"e-1"}, 2));

    REQUIRE(view->troubles.size() == 2);
    CHECK(view->troubles[0] ==
          ports::TaskTrouble{TaskType::minishop, TaskStatus::failed, ErrorClass::transient, "HTTP 503", 2});
    CHECK(view->troubles[1].tasks == 1);
    CHECK(f.run(f.overview->run(ExecutionId{"e-1"}, 5))->troubles.size() == 3);
}

TEMPLATE_LIST_TEST_CASE("overview: an outbox is what of it is not sent, and since when", "[contract][overview]",
                        OutboxFixtures) {
    TestType f;
    const auto name = name_of(f);
    f.put({an_entry("o-1", "s-1", t0), an_entry("o-2", "s-2", t0 + 1s), an_entry("o-3", "s-3", t0 + 2s),
           an_entry("o-4", "s-4", t0 + 3s), an_entry("o-5", "s-5", t0 + 4s)});
    auto claimed = f.run(f.outbox().claim(4, t0 + 4s, 60s));
    REQUIRE(claimed->size() == 4);
    std::ranges::sort(*claimed, {}, [](const OutboxEntry& entry) { return entry.state().id; });
    REQUIRE(claimed->at(0).mark_sent());
    REQUIRE(claimed->at(1).mark_failed({Errc::invalid, "refused"}, {}, t0 + 5s));
    REQUIRE(claimed->at(2).mark_failed({Errc::timeout, "no answer"}, {}, t0 + 5s));
    claimed->erase(claimed->begin() + 3);
    const auto before = outbox(f, name);
    REQUIRE(f.run(f.outbox().settle(*claimed, t0 + 5s)));

    const auto after = outbox(f, name);

    CHECK(before.processing == 4);
    CHECK(after.processing == 1);
    CHECK(after.failed == 1);
    CHECK(after.dead == 1);
    CHECK(after.pending == before.pending);
    CHECK(after.pending >= 1);
    if (name != ports::OutboxName::schedules) CHECK(after.oldest_unsent == t0 + 2s);
}

TEMPLATE_LIST_TEST_CASE("overview: outboxes in which nothing waits have no oldest entry", "[contract][overview]",
                        StoreFixtures) {
    TestType f;

    for (const auto& name : names(ports::OutboxName{})) CHECK(outbox(f, name.value) == ports::OutboxView{name.value});
}

TEMPLATE_LIST_TEST_CASE("overview: answers are those that wait, failed or were put aside", "[contract][overview]",
                        StoreFixtures) {
    TestType f;
    CHECK(*f.run(f.overview->raws()) == ports::RawView{});
    put_raws(f, {a_raw("r-1"), a_raw("r-2", t0 + 1s), a_raw("r-3", t0 + 2s), a_raw("r-4", t0 + 3s)});
    auto aside = claim_raw(f);
    REQUIRE(aside.quarantine("/name: is no text"));
    REQUIRE(f.run(f.raws->settle(aside)));
    auto done = claim_raw(f, t0 + 1s);
    REQUIRE(done.mark_processed());
    REQUIRE(f.run(f.raws->settle(done)));
    auto failed = claim_raw(f, t0 + 2s);
    REQUIRE(failed.mark_failed({Errc::timeout, "no answer"}, RetryPolicy{}, t0 + 2s));
    REQUIRE(f.run(f.raws->settle(failed)));

    CHECK(*f.run(f.overview->raws()) ==
          ports::RawView{.pending = 1, .failed = 1, .quarantined = 1, .oldest_waiting = t0 + 2s});
}

TEMPLATE_LIST_TEST_CASE("overview: a seller is shown with products by status and the last run", "[contract][overview]",
                        StoreFixtures) {
    TestType f;
    begin_run(f, "e-1", "shop-1", t0 + 1s);
    begin_run(f, "e-2", "shop-1", t0 + 2s);
    (void)enlist(f, a_seller("shop-2"));
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    REQUIRE(raw.mark_processed());
    const std::vector<Product> products{a_product().of_item(1), a_product().of_item(2).complete(t0),
                                        a_product().of_item(3).complete(t0), a_product().of_item(4).gone(t0),
                                        a_product().of_item(5).of_seller("shop-3")};
    REQUIRE(f.run(f.products->absorb({.raw = raw, .products = products, .history = {}, .events = {}, .melted = {}})));

    const auto views = f.run(f.overview->sellers("", 10));

    REQUIRE(views);
    REQUIRE(views->size() == 2);
    const auto& first = views->front();
    CHECK(first.seller.state().id == seller_id("shop-1"));
    CHECK(first.incomplete == 1);
    CHECK(first.live == 2);
    CHECK(first.deleted == 1);
    REQUIRE(first.last_run);
    CHECK(first.last_run->state().id.value == "e-2");
    CHECK_FALSE(views->back().last_run);
    CHECK(views->back().live == 0);
}

TEMPLATE_LIST_TEST_CASE("overview: sellers come page by page", "[contract][overview]", StoreFixtures) {
    TestType f;
    for (const auto* id : {"shop-2", "shop-1", "shop-3"}) REQUIRE(enlist(f, a_seller(id)));

    const auto first = f.run(f.overview->sellers("", 2));
    const auto second = f.run(f.overview->sellers("shop-2", 2));

    REQUIRE(first->size() == 2);
    CHECK(first->back().seller.state().id == seller_id("shop-2"));
    REQUIRE(second->size() == 1);
    CHECK(second->front().seller.state().id == seller_id("shop-3"));
}

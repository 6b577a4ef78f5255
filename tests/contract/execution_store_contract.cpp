#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

// A run of two tasks, not stored yet.
template <class Stores>
ports::NewRun new_run(Stores& f, const std::string& execution = "e-1") {
    (void)enlist(f, a_seller());
    auto seller = *f.run(f.sellers->find(seller_id()));
    REQUIRE(seller.announce_total(700, t0 + 1s));
    auto run = CrawlingScheduleExecution::begin(ExecutionId{execution}, seller_id(), t0);
    REQUIRE(run.tasks_created(2, t0 + 1s));
    return {seller,
            run,
            {a_task(execution + "/t-1", execution), a_task(execution + "/t-2", execution)},
            {an_entry(execution + "/o-1", execution + "/t-1"), an_entry(execution + "/o-2", execution + "/t-2")}};
}

template <class Stores>
std::size_t claimable(Stores& f) {
    return f.run(f.task_outbox->claim(100, t0 + 1h, 1s))->size();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("execution store: a started run leaves seller, run, tasks and outbox",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;

    REQUIRE(f.run(f.executions->start(new_run(f))));

    const auto run = f.run(f.executions->find(ExecutionId{"e-1"}));
    REQUIRE(run);
    CHECK(run->state().seller == seller_id());
    CHECK(run->state().status == ExecutionStatus::in_progress);
    CHECK(run->state().total_tasks == 2);
    CHECK(run->state().completed_tasks == 0);
    CHECK(run->state().failed_tasks == 0);
    CHECK(run->state().started_at == t0);
    CHECK(run->state().updated_at == t0 + 1s);
    CHECK(f.run(f.sellers->find(seller_id()))->state().total_product_count == 700);
    const auto task = f.run(f.tasks->load(TaskId{"e-1/t-2"}));
    REQUIRE(task);
    CHECK(task->state().status == TaskStatus::waiting);
    CHECK(task->state().execution == ExecutionId{"e-1"});
    CHECK(task->state().seller == seller_id());
    CHECK(task->state() == a_task("e-1/t-2", "e-1").build().state());
    CHECK(task->state().created_at == t0);
    CHECK(claimable(f) == 2);
}

TEMPLATE_LIST_TEST_CASE("execution store: a run that is not there is not_found", "[contract][execution_store]",
                        StoreFixtures) {
    TestType f;
    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-1"}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("execution store: a run without tasks is stored as finished", "[contract][execution_store]",
                        StoreFixtures) {
    TestType f;

    start_run(f, "e-1", {});

    CHECK(f.run(f.executions->find(ExecutionId{"e-1"}))->state().status == ExecutionStatus::completed);
}

TEMPLATE_LIST_TEST_CASE("execution store: a run of a seller saved since is a conflict and leaves nothing",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    const auto run = new_run(f);
    REQUIRE(f.run(f.sellers->save(*f.run(f.sellers->find_both(seller_id())), std::nullopt)));

    CHECK(code_of(f.run(f.executions->start(run))) == "CONFLICT");

    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-1"}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.tasks->load(TaskId{"e-1/t-1"}))) == "NOT_FOUND");
    CHECK(f.run(f.sellers->find(seller_id()))->state().total_product_count == 0);
    CHECK(claimable(f) == 0);
}

TEMPLATE_LIST_TEST_CASE("execution store: a run of an unknown seller is not_found and leaves nothing",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    const auto run = CrawlingScheduleExecution::begin(ExecutionId{"e-1"}, seller_id(), t0);

    CHECK(code_of(f.run(f.executions->start({a_seller(), run, {}, {}}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-1"}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("execution store: an id that is taken is a conflict and leaves nothing",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.executions->start(new_run(f, "e-1"))));
    auto run = new_run(f, "e-2");

    SECTION("the run's") {
        run.execution = new_run(f, "e-1").execution;
    }
    SECTION("a task's") {
        run.tasks.back() = a_task("e-1/t-1", "e-2");
    }
    SECTION("an outbox entry's") {
        run.outbox.back() = an_entry("e-1/o-1", "e-2/t-2");
    }
    SECTION("two tasks share one") {
        run.tasks.back() = run.tasks.front();
    }
    const auto revision = f.run(f.sellers->find(seller_id()))->state().revision;

    CHECK(code_of(f.run(f.executions->start(run))) == "CONFLICT");

    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-2"}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.tasks->load(TaskId{"e-2/t-1"}))) == "NOT_FOUND");
    CHECK(f.run(f.sellers->find(seller_id()))->state().revision == revision);
    CHECK(claimable(f) == 2);
}

TEMPLATE_LIST_TEST_CASE("execution store: what was announced at the start is stored with the run",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    auto run = new_run(f);
    run.execution.announce(9'007'199'254'740'993);

    REQUIRE(f.run(f.executions->start(run)));

    CHECK(f.run(f.executions->find(ExecutionId{"e-1"}))->state().announced == 9'007'199'254'740'993);
}

TEMPLATE_LIST_TEST_CASE("execution store: the open run of a seller is found until it is over, and nobody else's",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    CHECK_FALSE(*f.run(f.executions->open_run(seller_id())));
    start_run(f, "e-0", {});
    CHECK_FALSE(*f.run(f.executions->open_run(seller_id())));

    start_run(f, "e-1", {a_running_task("t-1")});
    const auto open = f.run(f.executions->open_run(seller_id()));
    REQUIRE(open);
    REQUIRE(*open);
    CHECK((**open).state() == f.run(f.executions->find(ExecutionId{"e-1"}))->state());
    CHECK_FALSE(*f.run(f.executions->open_run(seller_id("shop-2"))));

    auto task = *f.run(f.tasks->load(TaskId{"t-1"}));
    REQUIRE(task.complete(t0));
    REQUIRE(f.run(f.tasks->finish({.task = task})));
    CHECK_FALSE(*f.run(f.executions->open_run(seller_id())));
}

TEMPLATE_LIST_TEST_CASE(
    "execution store: while a run of the seller is open another one is a conflict, and leaves nothing",
    "[contract][execution_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.executions->start(new_run(f, "e-1"))));
    auto second = new_run(f, "e-2");
    second.give_up_before = t0;  // e-1 was started then, and not before

    CHECK(code_of(f.run(f.executions->start(second))) == "CONFLICT");

    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-2"}))) == "NOT_FOUND");
    CHECK(f.run(f.executions->find(ExecutionId{"e-1"}))->state().status == ExecutionStatus::in_progress);
    CHECK(code_of(f.run(f.tasks->load(TaskId{"e-2/t-1"}))) == "NOT_FOUND");
    CHECK(claimable(f) == 2);
}

TEMPLATE_LIST_TEST_CASE("execution store: a run that is stuck gives way to the next in the same step",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.executions->start(new_run(f, "e-1"))));
    auto second = new_run(f, "e-2");
    second.give_up_before = t0 + 1us;

    REQUIRE(f.run(f.executions->start(second)));

    const auto stuck = f.run(f.executions->find(ExecutionId{"e-1"}))->state();
    CHECK(stuck.status == ExecutionStatus::failed);
    CHECK(stuck.failure_reason == "stuck beyond its deadline");
    CHECK(stuck.completed_at == t0);
    CHECK(stuck.revision == 1);
    CHECK((**f.run(f.executions->open_run(seller_id()))).state().id == ExecutionId{"e-2"});
}

TEMPLATE_LIST_TEST_CASE("execution store: of two who start a run of one seller at once only one does",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    const auto first = new_run(f, "e-1");
    const auto second = new_run(f, "e-2");

    const auto [one, two] = f.run_both(f.executions->start(first), f.executions->start(second));

    CHECK((code_of(one) == "OK") != (code_of(two) == "OK"));
    CHECK((code_of(one) == "CONFLICT") != (code_of(two) == "CONFLICT"));
    CHECK(claimable(f) == 2);
}

TEMPLATE_LIST_TEST_CASE("execution store: why a run failed is stored and can be read, whatever bytes it has",
                        "[contract][execution_store]", StoreFixtures) {
    TestType f;
    auto started = new_run(f);
    REQUIRE(started.execution.fail("cut off: \xEA\xB0", t0 + 1s));

    CHECK(f.run(f.executions->start(started)));

    const auto run = f.run(f.executions->find(ExecutionId{"e-1"}));
    REQUIRE(run);
    CHECK(run->state().failure_reason.starts_with("cut off: "));
}

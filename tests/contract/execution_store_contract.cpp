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

#include "domain/execution.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <random>

#include "state_walk.hpp"
#include "support/builders/execution.hpp"

using namespace crawler;
using namespace crawler::test;
using Catch::Approx;

namespace {

using S = ExecutionStatus;
using V = ExecutionVerb;

// Where two tasks are open, so that one outcome more leaves one.
const Grid<S, V> with_two_open{
    {{S::started, V::add_tasks}, S::in_progress},
    {{S::in_progress, V::complete_task}, S::in_progress},
    {{S::in_progress, V::fail_task}, S::in_progress},
    {{S::in_progress, V::revive_task}, S::in_progress},
    {{S::completed, V::revive_task}, S::in_progress},
    {{S::in_progress, V::recount}, S::in_progress},
    {{S::completed, V::recount}, S::in_progress},
    {{S::failed, V::recount}, S::failed},
    {{S::started, V::fail}, S::failed},
    {{S::in_progress, V::fail}, S::failed},
    {{S::in_progress, V::prove}, S::in_progress},
    {{S::completed, V::prove}, S::completed},
    {{S::failed, V::prove}, S::failed},
    {{S::failed, V::complete_task}, S::failed},
    {{S::failed, V::fail_task}, S::failed},
    {{S::failed, V::revive_task}, S::failed},
};

// Where one is open, so that the next outcome is the last.
Grid<S, V> with_one_open() {
    auto grid = with_two_open;
    for (const auto verb : {V::complete_task, V::fail_task, V::recount}) grid[{S::in_progress, verb}] = S::completed;
    grid[{S::started, V::add_tasks}] = S::completed;
    grid[{S::completed, V::recount}] = S::completed;
    return grid;
}

CrawlingScheduleExecution in(S status, std::int64_t open) {
    return a_run().with_tasks(2 + open).completed(1).failed(1).in(status);
}

CompletenessProof a_proof() {
    return *CompletenessProof::of(2, {{.item = 5'000'000'001, .listed = true}});
}

Result<> apply(CrawlingScheduleExecution& run, V verb, std::int64_t open_after) {
    switch (verb) {
        case V::add_tasks:
            return run.tasks_created(open_after, t0 + 1s);
        case V::complete_task:
            return run.task_completed(0, t0 + 1s);
        case V::fail_task:
            return run.task_failed(t0 + 1s);
        case V::revive_task:
            return run.task_revived(t0 + 1s);
        case V::recount:
            return run.recount(3 + open_after, 2, 1, t0 + 1s);
        case V::fail:
            return run.fail("stuck", t0 + 1s);
        case V::prove:
            break;
    }
    return run.prove(a_proof(), t0 + 1s);
}

}  // namespace

TEST_CASE("run: every verb in every state does what it should while tasks stay open") {
    walk(
        execution_table, with_two_open, [](S status) { return in(status, 2); },
        [](auto& run, V verb) { return apply(run, verb, 1); });
}

TEST_CASE("run: every verb in every state does what it should where the last task ends") {
    walk(
        execution_table, with_one_open(), [](S status) { return in(status, 1); },
        [](auto& run, V verb) { return apply(run, verb, 0); });
    check_rows<decltype(execution_table), S, V>(execution_table, {with_two_open, with_one_open()});
}

TEST_CASE("run: it begins STARTED, with nothing counted") {
    const auto run = CrawlingScheduleExecution::begin(ExecutionId{"e-1"}, seller_id("셀러-1"), t0);

    CHECK(run.state().id == ExecutionId{"e-1"});
    CHECK(run.state().seller == seller_id("셀러-1"));
    CHECK(run.state().status == S::started);
    CHECK(run.state().total_tasks == 0);
    CHECK(run.state().started_at == t0);
    CHECK(run.state().updated_at == t0);
    CHECK_FALSE(run.state().completed_at);
    CHECK_FALSE(run.state().proof);
}

TEST_CASE("run: it is IN_PROGRESS once it has tasks") {
    auto run = a_run().build();

    REQUIRE(run.tasks_created(3, t0 + 1s));

    CHECK(run.state().status == S::in_progress);
    CHECK(run.state().total_tasks == 3);
    CHECK(run.state().updated_at == t0 + 1s);
    CHECK_FALSE(run.state().completed_at);
}

TEST_CASE("run: one without tasks is finished at once") {
    auto run = a_run().build();

    REQUIRE(run.tasks_created(0, t0 + 1s));

    CHECK(run.state().status == S::completed);
    CHECK(run.state().completed_at == t0 + 1s);
}

TEST_CASE("run: it cannot have fewer tasks than none") {
    auto run = a_run().build();
    const auto before = run.state();

    const auto created = run.tasks_created(-1, t0 + 1s);

    REQUIRE_FALSE(created);
    CHECK(created.error().code == Errc::invalid);
    CHECK((run.state() == before));
}

TEST_CASE("run: it is finished when every task, follow-ups included, is done or failed") {
    auto run = a_run().with_tasks(1).build();

    REQUIRE(run.task_completed(2, t0 + 1s));
    CHECK(run.state().total_tasks == 3);
    CHECK(run.state().status == S::in_progress);

    REQUIRE(run.task_failed(t0 + 2s));
    CHECK(run.state().status == S::in_progress);
    CHECK_FALSE(run.state().completed_at);

    REQUIRE(run.task_completed(0, t0 + 3s));
    CHECK(run.state().status == S::completed);
    CHECK(run.state().completed_tasks == 2);
    CHECK(run.state().failed_tasks == 1);
    CHECK(run.state().completed_at == t0 + 3s);
    CHECK(run.state().updated_at == t0 + 3s);
}

TEST_CASE("run: the last task does not close it if it leaves a follow-up") {
    auto run = a_run().with_tasks(1).build();

    REQUIRE(run.task_completed(1, t0 + 1s));

    CHECK(run.state().status == S::in_progress);
}

TEST_CASE("run: fewer follow-ups than none are invalid and change nothing") {
    auto run = a_run().with_tasks(2).build();
    const auto before = run.state();

    const auto completed = run.task_completed(-1, t0 + 1s);

    REQUIRE_FALSE(completed);
    CHECK(completed.error().code == Errc::invalid);
    CHECK((run.state() == before));
}

TEST_CASE("run: no more tasks can be counted than it has, not even with follow-ups") {
    auto run = a_run().with_tasks(2).completed(1).failed(1).in(S::in_progress).build();  // counters that drifted
    const auto before = run.state();

    for (const auto& counted :
         {run.task_completed(0, t0 + 1s), run.task_completed(5, t0 + 1s), run.task_failed(t0 + 1s)}) {
        REQUIRE_FALSE(counted);
        CHECK(counted.error().code == Errc::conflict);
        CHECK(counted.error().detail.find("none is open") != std::string::npos);
    }
    CHECK((run.state() == before));
}

TEST_CASE("run: a revived task is open again, and reopens a finished run") {
    auto run = a_run().with_tasks(3).completed(2).failed(1).build();
    REQUIRE(run.state().status == S::completed);

    REQUIRE(run.task_revived(t0 + 1s));

    CHECK(run.state().status == S::in_progress);
    CHECK(run.state().failed_tasks == 0);
    CHECK(run.state().total_tasks == 3);
    CHECK_FALSE(run.state().completed_at);

    REQUIRE(run.task_completed(0, t0 + 2s));
    CHECK(run.state().status == S::completed);
    CHECK(run.state().completed_at == t0 + 2s);
}

TEST_CASE("run: where no task has failed none can be revived") {
    auto run = a_run().with_tasks(2).completed(2).build();
    const auto before = run.state();

    const auto revived = run.task_revived(t0 + 1s);

    REQUIRE_FALSE(revived);
    CHECK(revived.error().detail ==
          "CrawlingScheduleExecution e-1 is COMPLETED; cannot revive a task of it: none has failed");
    CHECK((run.state() == before));
}

TEST_CASE("run: a recount sets the numbers and closes it when no task is open") {
    auto run = a_run().with_tasks(9).completed(1).build();

    REQUIRE(run.recount(5'000'000'003, 5'000'000'000, 2, t0 + 1s));
    CHECK(run.state().status == S::in_progress);
    CHECK(run.state().total_tasks == 5'000'000'003);
    CHECK(run.state().completed_tasks == 5'000'000'000);
    CHECK(run.state().failed_tasks == 2);

    REQUIRE(run.recount(7, 3, 4, t0 + 2s));
    CHECK(run.state().status == S::completed);
    CHECK(run.state().completed_at == t0 + 2s);
}

TEST_CASE("run: a recount whose numbers do not fit is invalid and changes nothing") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::array<std::int64_t, 3>> wrong{{-1, 0, 0}, {1, -1, 0}, {1, 0, -1}, {1, 1, 1},
                                                         {1, 2, 0},  {1, 2, -1}, {0, 0, 1},  {most, most, most}};
    for (const auto& [total, completed, failed] : wrong) {
        CAPTURE(total, completed, failed);
        auto run = a_run().with_tasks(2).build();
        const auto before = run.state();

        const auto counted = run.recount(total, completed, failed, t0 + 1s);

        REQUIRE_FALSE(counted);
        CHECK(counted.error().code == Errc::invalid);
        CHECK((run.state() == before));
    }
}

TEST_CASE("run: a failed one says why and when, and keeps what was counted") {
    auto run = a_run().with_tasks(3).completed(1).build();

    REQUIRE(run.fail("no progress for 6 h; 진행 없음", t0 + 6h));

    CHECK(run.state().status == S::failed);
    CHECK(run.state().failure_reason == "no progress for 6 h; 진행 없음");
    CHECK(run.state().completed_at == t0 + 6h);
    CHECK(run.state().updated_at == t0 + 6h);
    CHECK(run.state().completed_tasks == 1);
}

TEST_CASE("run: a proof is carried, and a later one takes its place") {
    auto run = a_run().with_tasks(1).completed(1).build();
    const auto later = *CompletenessProof::of(1, {});

    REQUIRE(run.prove(a_proof(), t0 + 1s));
    CHECK((run.state().proof == a_proof()));
    CHECK(run.state().updated_at == t0 + 1s);

    REQUIRE(run.prove(later, t0 + 2s));
    CHECK((run.state().proof == later));
}

TEST_CASE("run: what was proven of a finished run is proven no longer when it is reopened") {
    auto run = a_run().with_tasks(2).completed(1).failed(1).proven(a_proof()).build();

    REQUIRE(run.task_revived(t0 + 1s));

    CHECK_FALSE(run.state().proof);
}

TEST_CASE("run: a proof of a run under way stays while tasks are counted") {
    auto run = a_run().with_tasks(3).proven(a_proof()).build();

    REQUIRE(run.task_failed(t0 + 1s));
    REQUIRE(run.task_revived(t0 + 2s));

    CHECK(run.state().proof);
}

TEST_CASE("run: progress is the share of tasks that are done or failed") {
    CHECK(a_run().build().progress_rate() == 0);
    CHECK(a_run().with_tasks(3).build().progress_rate() == 0);
    CHECK(a_run().with_tasks(3).completed(1).build().progress_rate() == Approx(100.0 / 3));
    CHECK(a_run().with_tasks(4).completed(1).failed(2).build().progress_rate() == Approx(75));
    CHECK(a_run().with_tasks(4).completed(1).failed(3).build().progress_rate() == 100);
}

TEST_CASE("run: a finished run without tasks is at 100 per cent, a failed one at 0") {
    CHECK(a_run().with_tasks(0).build().progress_rate() == 100);
    CHECK(a_run().in(S::failed).build().progress_rate() == 0);
}

TEST_CASE("run: success is the share of the processed tasks that are done") {
    CHECK(a_run().build().success_rate() == 0);
    CHECK(a_run().with_tasks(9).build().success_rate() == 0);
    CHECK(a_run().with_tasks(0).build().success_rate() == 0);
    CHECK(a_run().with_tasks(9).completed(3).build().success_rate() == 100);
    CHECK(a_run().with_tasks(9).completed(3).failed(1).build().success_rate() == Approx(75));
    CHECK(a_run().with_tasks(9).failed(1).build().success_rate() == 0);
}

namespace {

// The run as a bag of tasks, each open, done or failed.
struct Judge {
    std::int64_t open = 0, done = 0, failed = 0;
    std::int64_t total() const { return open + done + failed; }
    double progress() const { return static_cast<double>(done + failed) / static_cast<double>(total()) * 100; }
};

// One random step on both; says whether new work may have lowered the progress.
bool step(CrawlingScheduleExecution& run, Judge& judge, std::mt19937_64& random) {
    const auto kind = random() % 10;
    const auto now = t0 + 1s;
    if (kind < 5) {
        const auto follow_ups = judge.total() < 60 ? static_cast<std::int64_t>(random() % 4) : 0;
        REQUIRE(static_cast<bool>(run.task_completed(follow_ups, now)) == (judge.open > 0));
        if (judge.open == 0) return false;
        --judge.open, ++judge.done, judge.open += follow_ups;
        return follow_ups > 0;
    }
    if (kind < 8) {
        REQUIRE(static_cast<bool>(run.task_failed(now)) == (judge.open > 0));
        if (judge.open > 0) --judge.open, ++judge.failed;
        return false;
    }
    REQUIRE(static_cast<bool>(run.task_revived(now)) == (judge.failed > 0));
    if (judge.failed == 0) return false;
    --judge.failed, ++judge.open;
    return true;
}

}  // namespace

TEST_CASE(
    "run: whatever happens in whatever order, the counters add up and it is finished exactly while none is open") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        Judge judge{.open = 1 + static_cast<std::int64_t>(random() % 5)};
        auto run = a_run().build();
        REQUIRE(run.tasks_created(judge.open, t0));

        for (int i = 0; i < 200; ++i) {
            const auto before = run.progress_rate();
            const bool new_work = step(run, judge, random);

            const auto& state = run.state();
            REQUIRE(state.total_tasks == judge.total());
            REQUIRE(state.completed_tasks == judge.done);
            REQUIRE(state.failed_tasks == judge.failed);
            REQUIRE((state.status == S::completed) == (judge.open == 0));
            REQUIRE(state.completed_at.has_value() == (judge.open == 0));
            REQUIRE(run.progress_rate() == Approx(judge.progress()));
            if (!new_work) REQUIRE(run.progress_rate() >= before);
        }
    }
}

TEST_CASE("run: a task that ends after its run was given up is counted, and the run stays FAILED") {
    auto run = a_run().with_tasks(2).build();
    REQUIRE(run.fail("stuck", t0 + 1h));

    REQUIRE(run.task_completed(1, t0 + 2h));
    REQUIRE(run.task_failed(t0 + 3h));

    CHECK(run.state().status == ExecutionStatus::failed);
    CHECK(run.state().total_tasks == 3);
    CHECK(run.state().completed_tasks == 1);
    CHECK(run.state().failed_tasks == 1);
    CHECK(run.state().completed_at == t0 + 1h);
    CHECK(run.state().failure_reason == "stuck");
}

TEST_CASE("run: one that was closed too early is open again when it is recounted, and its tasks can end") {
    CrawlingScheduleExecution run = a_run().with_tasks(2).completed(2).in(S::completed);
    REQUIRE(run.prove(a_proof(), t0));

    REQUIRE(run.recount(2, 1, 0, t0 + 1s));

    CHECK(run.state().status == S::in_progress);
    CHECK_FALSE(run.state().completed_at);
    CHECK_FALSE(run.state().proof);
    CHECK(run.task_failed(t0 + 2s));
    CHECK(run.state().status == S::completed);
}

TEST_CASE("run: recounting what adds up already changes neither its end nor its proof") {
    CrawlingScheduleExecution run = a_run().with_tasks(2).completed(1).in(S::in_progress);
    REQUIRE(run.task_completed(0, t0 + 1s));
    REQUIRE(run.prove(a_proof(), t0 + 2s));

    REQUIRE(run.recount(2, 2, 0, t0 + 1h));

    CHECK(run.state().completed_at == t0 + 1s);
    CHECK(run.state().proof);
}

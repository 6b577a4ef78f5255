#include "domain/execution.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <vector>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

const TimePoint t0{std::chrono::hours{1000}};

CrawlingScheduleExecution begin() {
    return CrawlingScheduleExecution::begin(ExecutionId{"e-1"}, *SellerId::parse("shop-1"), t0);
}

CrawlingScheduleExecution with_tasks(std::int64_t count) {
    auto run = begin();
    REQUIRE(run.tasks_created(count, t0));
    return run;
}

CrawlingScheduleExecution in(ExecutionStatus status) {
    auto state = begin().state();
    state.status = status;
    state.total_tasks = 2;
    return CrawlingScheduleExecution::restore(state);
}

}  // namespace

TEST_CASE("run: it begins STARTED and is IN_PROGRESS once it has tasks") {
    auto run = begin();
    CHECK(run.state().status == ExecutionStatus::started);
    CHECK(run.state().started_at == t0);

    REQUIRE(run.tasks_created(3, t0 + 1s));
    CHECK(run.state().status == ExecutionStatus::in_progress);
    CHECK(run.state().total_tasks == 3);
    CHECK(run.state().updated_at == t0 + 1s);
}

TEST_CASE("run: one without tasks is finished at once") {
    CHECK(with_tasks(0).state().status == ExecutionStatus::completed);
}

TEST_CASE("run: it is finished when every task, follow-ups included, is done or failed") {
    auto run = with_tasks(1);

    REQUIRE(run.task_completed(2, t0 + 1s));
    CHECK(run.state().total_tasks == 3);
    CHECK(run.state().status == ExecutionStatus::in_progress);

    REQUIRE(run.task_failed(t0 + 2s));
    CHECK(run.state().status == ExecutionStatus::in_progress);

    REQUIRE(run.task_completed(0, t0 + 3s));
    CHECK(run.state().status == ExecutionStatus::completed);
    CHECK(run.state().completed_tasks == 2);
    CHECK(run.state().failed_tasks == 1);
    CHECK(run.state().updated_at == t0 + 3s);
}

TEST_CASE("run: every verb in a wrong state is a conflict that names the state and changes nothing") {
    const std::vector<std::pair<ExecutionStatus, std::function<Result<>(CrawlingScheduleExecution&)>>> verbs{
        {ExecutionStatus::started, [](auto& run) { return run.tasks_created(1, t0 + 1s); }},
        {ExecutionStatus::in_progress, [](auto& run) { return run.task_completed(1, t0 + 1s); }},
        {ExecutionStatus::in_progress, [](auto& run) { return run.task_failed(t0 + 1s); }}};

    for (const auto& [right, apply] : verbs) {
        for (const auto& [status, name] : names(ExecutionStatus{})) {
            auto run = in(status);
            const auto done = apply(run);
            if (status == right) {
                CHECK(done);
                continue;
            }
            REQUIRE_FALSE(done);
            CHECK(done.error().code == Errc::conflict);
            CHECK(done.error().detail.find(name) != std::string::npos);
            CHECK(run.state().status == status);
            CHECK(run.state().total_tasks == 2);
            CHECK(run.state().completed_tasks + run.state().failed_tasks == 0);
            CHECK(run.state().updated_at == t0);
        }
    }
}

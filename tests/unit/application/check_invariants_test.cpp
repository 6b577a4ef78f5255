#include "application/check_invariants.hpp"

#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/memory.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

// Finds what it is told to.
class ScriptedInvariants final : public ports::Invariants {
  public:
    std::vector<Rule> rules() const override { return {{"a", "is a"}, {"b", "is b"}, {"c", "is c"}}; }
    Async<Result<std::vector<ports::Violation>>> check(TimePoint now, ports::Patience, int most) override {
        asked_at = now;
        asked_for = most;
        co_return found;
    }
    Result<std::vector<ports::Violation>> found = std::vector<ports::Violation>{};
    TimePoint asked_at;
    int asked_for = 0;
};

struct World {
    ManualClock clock;
    ScriptedInvariants invariants;
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    application::CheckInvariants check{{invariants, clock, *telemetry}, {.most = 7, .patience = {}}};
};

}  // namespace

TEST_CASE("invariants: where no row breaks a rule that is what is told") {
    World w;

    CHECK(*run(w.check.run_once()) == 0);

    REQUIRE(told<ports::InvariantsChecked>(*w.telemetry).size() == 1);
    const auto checked = told<ports::InvariantsChecked>(*w.telemetry).front();
    CHECK(checked.rules == 3);
    CHECK(checked.broken == 0);
    CHECK(checked.violations == 0);
    CHECK(told<ports::InvariantBroken>(*w.telemetry).empty());
    CHECK(w.invariants.asked_at == t0);
    CHECK(w.invariants.asked_for == 7);
}

TEST_CASE("invariants: each broken rule is told once, with a row that breaks it and how many do") {
    World w;
    w.invariants.found =
        std::vector<ports::Violation>{{"b", "tasks t-1", "x"}, {"a", "runs e-1", "y"}, {"b", "tasks t-2", "x"}};

    CHECK(*run(w.check.run_once()) == 0);

    const auto broken = told<ports::InvariantBroken>(*w.telemetry);
    REQUIRE(broken.size() == 2);
    CHECK(broken[0].rule == "a");
    CHECK(broken[0].rows == 1);
    CHECK(broken[1].rule == "b");
    CHECK(broken[1].row == "tasks t-1");
    CHECK(broken[1].rows == 2);
    CHECK(told<ports::InvariantsChecked>(*w.telemetry)[0].broken == 2);
    CHECK(told<ports::InvariantsChecked>(*w.telemetry)[0].violations == 3);
}

TEST_CASE("invariants: a check that fails says nothing about the rows") {
    World w;
    w.invariants.found = Error{Errc::unavailable, "no database"};

    CHECK_FALSE(run(w.check.run_once()));

    CHECK(w.telemetry->events().empty());
}

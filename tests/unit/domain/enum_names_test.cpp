#include "domain/enum_names.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "domain/crawled_raw.hpp"
#include "domain/execution.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"
#include "domain/schedule.hpp"

using namespace crawler;

using Enums = std::tuple<Errc, SellerStatus, TaskType, TaskStatus, OutboxStatus, ExecutionStatus, RawStatus, FacetKind,
                         ExecutionVerb, RawVerb, SellerVerb, ScheduleStatus, ScheduleVerb, ScheduleEventType,
                         SchedulerOutboxType, FacetOutcome, MissingReason>;

TEMPLATE_LIST_TEST_CASE("enum names: every name leads back to its value, and none is used twice", "", Enums) {
    std::set<std::string_view> seen;
    int next = 0;
    for (const auto& [value, name] : names(TestType{})) {
        CHECK(static_cast<int>(value) == next++);  // the table is whole and in order
        CHECK(to_string(value) == name);
        CHECK(parse<TestType>(name) == value);
        CHECK(seen.insert(name).second);
    }
}

TEST_CASE("enum names: an unknown word is nothing, never a default") {
    CHECK_FALSE(parse<TaskStatus>(""));
    CHECK_FALSE(parse<TaskStatus>("waiting"));
    CHECK_FALSE(parse<TaskStatus>("WAITING "));
    CHECK_FALSE(parse<TaskStatus>("SENT"));
}

TEST_CASE("enum names: a value outside the enum prints as a question mark") {
    CHECK(to_string(static_cast<TaskStatus>(99)) == "?");
}

#include "domain/remedy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy three_tries{.max_retries = 2, .first_wait = 100ms, .longest_wait = 150ms, .jitter_percent = 0};

NextStep step(ErrorClass why, TaskType type, AttemptSoFar attempt) {
    return remedy_for(why, type, attempt, three_tries, "t-1").step;
}

// Section by section what is asked for, in its own words: the judge of the grid below.
std::string expected(ErrorClass why, TaskType type, const AttemptSoFar& attempt) {
    const bool item = type == TaskType::product_detail || type == TaskType::product_option;
    if (why == ErrorClass::no_capacity) return "WAIT_FOR_CAPACITY";
    if (why == ErrorClass::throttled) return attempt.another_identity ? "ANOTHER_IDENTITY" : "RETRY_TASK";
    if (why == ErrorClass::transient) return attempt.tries < 3 ? "TRY_AGAIN" : "RETRY_TASK";
    if (why == ErrorClass::auth) return attempt.token_renewed ? "RETRY_TASK" : "RENEW_TOKEN";
    if (why == ErrorClass::gone) return item ? "COMPLETE_AS_GONE" : "GIVE_UP";
    return "GIVE_UP";
}

}  // namespace

TEST_CASE("remedy: every class in every situation has the step that is asked for, and only a new try waits") {
    std::map<std::string_view, int> seen;
    for (const auto& [why, class_name] : names(ErrorClass{})) {
        for (const auto& [type, type_name] : names(TaskType{})) {
            for (int tries = 1; tries <= 4; ++tries) {
                for (const bool renewed : {false, true}) {
                    for (const bool another : {false, true}) {
                        INFO(class_name << " of " << type_name << " after " << tries << " tries, renewed " << renewed
                                        << ", another " << another);
                        const AttemptSoFar attempt{tries, renewed, another};

                        const auto remedy = remedy_for(why, type, attempt, three_tries, "t-1");

                        CHECK(to_string(remedy.step) == expected(why, type, attempt));
                        CHECK((remedy.wait > Duration{0}) == (remedy.step == NextStep::try_again));
                        ++seen[to_string(remedy.step)];
                    }
                }
            }
        }
    }
    CHECK(seen.size() == names(NextStep{}).size());
}

TEST_CASE("remedy: without capacity the task waits, whatever it tried before") {
    CHECK(step(ErrorClass::no_capacity, TaskType::minishop, {9, true, true}) == NextStep::wait_for_capacity);
}

TEST_CASE("remedy: who is throttled gives way to another identity at once; without one the attempt is over") {
    CHECK(remedy_for(ErrorClass::throttled, TaskType::search, {.another_identity = true}, three_tries, "t-1") ==
          Remedy{NextStep::another_identity, 0s});
    CHECK(step(ErrorClass::throttled, TaskType::search, {.another_identity = false}) == NextStep::retry_task);
}

TEST_CASE("remedy: throttled requests do not use up the tries") {
    CHECK(step(ErrorClass::throttled, TaskType::search, {.tries = 99, .another_identity = true}) ==
          NextStep::another_identity);
}

TEST_CASE("remedy: what may pass is tried again after a longer wait each time, then the task is retried") {
    const auto after = [](int tries) {
        return remedy_for(ErrorClass::transient, TaskType::minishop, {.tries = tries}, three_tries, "t-1");
    };
    CHECK(after(1) == Remedy{NextStep::try_again, 100ms});
    CHECK(after(2) == Remedy{NextStep::try_again, 150ms});
    CHECK(after(3) == Remedy{NextStep::retry_task, 0s});
}

TEST_CASE("remedy: by default there are three tries within an attempt") {
    const auto after = [](int tries) {
        return remedy_for(ErrorClass::transient, TaskType::minishop, {.tries = tries}, tries_within_attempt, "t-1")
            .step;
    };
    CHECK(after(2) == NextStep::try_again);
    CHECK(after(3) == NextStep::retry_task);
}

TEST_CASE("remedy: with a single try allowed the first transient error ends the attempt") {
    const RetryPolicy once{.max_retries = 0};
    CHECK(remedy_for(ErrorClass::transient, TaskType::minishop, {}, once, "t-1").step == NextStep::retry_task);
}

TEST_CASE("remedy: tasks that fail together do not try again together") {
    const auto wait = [](const char* key) {
        return remedy_for(ErrorClass::transient, TaskType::minishop, {}, tries_within_attempt, key).wait;
    };
    CHECK(wait("t-1") == wait("t-1"));
    CHECK(wait("t-1") != wait("t-2"));
    for (const auto* key : {"t-1", "t-2", "t-3"}) {
        CHECK(wait(key) > 250ms);
        CHECK(wait(key) <= 500ms);
    }
}

TEST_CASE("remedy: a refused identity gets one new token, not two") {
    CHECK(step(ErrorClass::auth, TaskType::product_detail, {.token_renewed = false}) == NextStep::renew_token);
    CHECK(step(ErrorClass::auth, TaskType::product_detail, {.token_renewed = true}) == NextStep::retry_task);
}

TEST_CASE("remedy: an item that is gone is an answer, a listing that is gone is not") {
    CHECK(step(ErrorClass::gone, TaskType::product_detail, {}) == NextStep::complete_as_gone);
    CHECK(step(ErrorClass::gone, TaskType::product_option, {}) == NextStep::complete_as_gone);
    CHECK(step(ErrorClass::gone, TaskType::minishop, {}) == NextStep::give_up);
    CHECK(step(ErrorClass::gone, TaskType::search, {}) == NextStep::give_up);
}

TEST_CASE("remedy: what can never succeed is given up at the first try") {
    CHECK(step(ErrorClass::permanent, TaskType::product_detail, {1, false, true}) == NextStep::give_up);
}

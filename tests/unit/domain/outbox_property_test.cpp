// Outbox entries under random verbs at random times, judged by a model that shares no code with them.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <random>
#include <string>

#include "support/builders/outbox_entry.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy policy{.max_retries = 5, .first_wait = 1s, .longest_wait = 10s, .jitter_percent = 50};

// The longest that back-off number `retry`, from 0, may be; the shortest is half of it.
Duration longest_back_off(int retry) {
    constexpr Duration waits[] = {1s, 2s, 4s, 8s, 10s};
    return waits[retry];
}

struct Model {
    std::string status = "PENDING";
    int attempt = 0;
    int retries = 0;
    TimePoint due = t0;
    TimePoint lease_end{};

    bool may_claim(TimePoint now) const {
        if (status == "PENDING" || status == "FAILED") return now >= due;
        return status == "PROCESSING" && now >= lease_end;
    }
    bool may_settle() const { return status == "PROCESSING"; }
};

}  // namespace

TEST_CASE("outbox property: random verbs at random times do what the model does") {
    const auto seed = GENERATE(range(1u, 201u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };

    OutboxEntry entry = an_entry("o-" + std::to_string(seed), "t-1");
    const auto key = entry.state().idempotency_key;
    Model model;
    auto now = t0 - 2s;
    for (int step = 0; step < 200; ++step) {
        now += Duration{pick(4'000'000)};
        const auto before = entry.state();
        bool done = false;
        bool expected = false;
        switch (pick(8)) {
            case 0:
            case 1:
            case 2:
                expected = model.may_claim(now);
                done = static_cast<bool>(entry.claim(now, 3s));
                if (expected) {
                    model.status = "PROCESSING";
                    ++model.attempt;
                    model.lease_end = now + 3s;
                }
                break;
            case 3:
                if (pick(10) > 0) continue;  // else hardly any would live long enough to fail
                expected = model.may_settle();
                done = static_cast<bool>(entry.mark_sent());
                if (expected) model.status = "SENT";
                break;
            case 4:
            case 5:
                expected = model.may_settle();
                done = static_cast<bool>(entry.mark_failed({Errc::unavailable, "down"}, policy, now));
                if (expected && model.retries < 5) {
                    const auto wait = entry.state().due_at - now;
                    CHECK(wait <= longest_back_off(model.retries));
                    CHECK(wait * 2 >= longest_back_off(model.retries) - 2us);
                    model.due = entry.state().due_at;
                    ++model.retries;
                    model.status = "FAILED";
                } else if (expected) {
                    model.status = "DEAD";
                }
                break;
            case 6:
                expected = model.may_settle();
                done = static_cast<bool>(entry.release());
                if (expected) model.status = "PENDING";
                break;
            case 7:
                if (pick(4) > 0) continue;
                expected = model.status == "DEAD";
                done = static_cast<bool>(entry.redrive(now));
                if (expected) {
                    model.status = "PENDING";
                    model.retries = 0;
                    model.due = now;
                }
                break;
        }

        REQUIRE(done == expected);
        if (!done) REQUIRE(entry.state() == before);
        REQUIRE(to_string(entry.state().status) == model.status);
        REQUIRE(entry.state().attempt == model.attempt);
        REQUIRE(entry.state().retry_count == model.retries);
        REQUIRE(entry.state().retry_count <= policy.max_retries);
        REQUIRE(entry.state().due_at == model.due);
        REQUIRE(entry.is_claimable(now) == model.may_claim(now));
        REQUIRE(entry.state().idempotency_key == key);
    }
}

TEST_CASE(
    "outbox property: whoever loses its lease, the entry is there for the next, at the latest when the lease ends") {
    const auto seed = GENERATE(range(1u, 101u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);

    OutboxEntry entry = an_entry();
    auto now = t0;
    for (int crash = 1; crash <= 50; ++crash) {
        const Duration lease{1 + static_cast<Duration::rep>(random() % 1'000'000)};
        REQUIRE(entry.claim(now, lease));
        REQUIRE(entry.state().attempt == crash);
        REQUIRE_FALSE(entry.is_claimable(now + lease - 1us));
        now += lease;
        if (random() % 2 == 0) REQUIRE(entry.release());
        REQUIRE(entry.is_claimable(now));
    }
    CHECK(entry.state().retry_count == 0);
    REQUIRE(entry.claim(now, 1s));
    CHECK(entry.mark_sent());
}

TEST_CASE("outbox property: back-offs grow, and every entry that always fails is dead after the same number of tries") {
    const auto seed = GENERATE(range(1u, 201u));
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const RetryPolicy any{.max_retries = static_cast<int>(random() % 12),
                          .first_wait = Duration{1000 + static_cast<Duration::rep>(random() % 10'000'000)},
                          .longest_wait = 1h,
                          .jitter_percent = static_cast<int>(random() % 51)};

    OutboxEntry entry = an_entry("o-" + std::to_string(random()));
    auto now = t0;
    int tries = 0;
    Duration last{0};
    while (entry.state().status != OutboxStatus::dead) {
        REQUIRE(entry.claim(now, 60s));
        REQUIRE(entry.mark_failed({Errc::timeout, "late"}, any, now));
        REQUIRE(++tries <= any.max_retries + 1);
        if (entry.state().status == OutboxStatus::dead) break;
        const auto wait = entry.state().due_at - now;
        const auto full = std::min<Duration>(any.first_wait * (1 << (tries - 1)), any.longest_wait);
        CHECK(wait <= full);
        CHECK(wait.count() * 100 >= (full.count() - 1) * (100 - any.jitter_percent) - 100);
        CHECK((wait >= last || full == any.longest_wait));
        last = wait;
        now = entry.state().due_at;
    }
    CHECK(tries == any.max_retries + 1);
}

TEST_CASE("outbox property: what is SENT stays so whatever is tried, and what is DEAD moves only when redriven") {
    const auto status = GENERATE(OutboxStatus::sent, OutboxStatus::dead);
    OutboxEntry entry = an_entry().in(status);
    const auto before = entry.state();
    std::mt19937_64 random(7);
    for (int step = 0; step < 1000; ++step) {
        const auto now = t0 + Duration{static_cast<Duration::rep>(random() % 100'000'000'000)};
        switch (random() % 5) {
            case 0:
                CHECK_FALSE(entry.claim(now, 60s));
                break;
            case 1:
                CHECK_FALSE(entry.mark_sent());
                break;
            case 2:
                CHECK_FALSE(entry.mark_failed({Errc::timeout, ""}, policy, now));
                break;
            case 3:
                CHECK_FALSE(entry.release());
                break;
            case 4:
                if (status == OutboxStatus::sent) CHECK_FALSE(entry.redrive(now));
                break;
        }
    }
    CHECK(entry.state() == before);
}

#include "domain/outbox.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

const TimePoint t0{std::chrono::hours{1000}};
constexpr RetryPolicy one_retry{.max_retries = 1, .first_wait = 10s};
const Error late{Errc::timeout, "no answer"};

OutboxEntry an_entry() {
    return OutboxEntry::create(OutboxId{"o-1"}, "t-1", "{}", "key", t0);
}

OutboxEntry claimed() {
    auto entry = an_entry();
    REQUIRE(entry.claim(t0, 60s));
    return entry;
}

OutboxEntry in(OutboxStatus status) {
    auto state = an_entry().state();
    state.status = status;
    if (status == OutboxStatus::processing) state.lease_until = t0 + 60s;
    return OutboxEntry::restore(state);
}

}  // namespace

TEST_CASE("outbox entry: a new one is PENDING and due at once") {
    const auto state = an_entry().state();

    CHECK(state.status == OutboxStatus::pending);
    CHECK(state.due_at == t0);
    CHECK(state.attempt == 0);
    CHECK(state.retry_count == 0);
}

TEST_CASE("outbox entry: it is claimable when due, or when the lease of another is over") {
    CHECK_FALSE(an_entry().is_claimable(t0 - 1us));
    CHECK(an_entry().is_claimable(t0));
    CHECK_FALSE(claimed().is_claimable(t0 + 60s - 1us));
    CHECK(claimed().is_claimable(t0 + 60s));
    CHECK_FALSE(in(OutboxStatus::sent).is_claimable(t0 + 24h));
    CHECK_FALSE(in(OutboxStatus::dead).is_claimable(t0 + 24h));
}

TEST_CASE("outbox entry: each claim counts an attempt and takes a lease, and burns no retry") {
    auto entry = claimed();
    CHECK(entry.state().status == OutboxStatus::processing);
    CHECK(entry.state().attempt == 1);
    CHECK(entry.state().lease_until == t0 + 60s);

    REQUIRE(entry.claim(t0 + 60s, 60s));
    CHECK(entry.state().attempt == 2);
    CHECK(entry.state().retry_count == 0);
    CHECK(entry.state().lease_until == t0 + 120s);
}

TEST_CASE("outbox entry: claiming what is not claimable is a conflict that names the state") {
    auto entry = claimed();

    const auto again = entry.claim(t0 + 1s, 60s);

    REQUIRE_FALSE(again);
    CHECK(again.error().code == Errc::conflict);
    CHECK(again.error().detail.find("PROCESSING") != std::string::npos);
    CHECK(entry.state().attempt == 1);
}

TEST_CASE("outbox entry: only what is PROCESSING can be sent or fail") {
    for (const auto status : {OutboxStatus::pending, OutboxStatus::sent, OutboxStatus::dead}) {
        auto entry = in(status);
        const auto sent = entry.mark_sent();
        const auto failed = entry.mark_failed(late, one_retry, t0);

        REQUIRE_FALSE(sent);
        CHECK(sent.error().code == Errc::conflict);
        REQUIRE_FALSE(failed);
        CHECK(failed.error().code == Errc::conflict);
        CHECK(entry.state().status == status);
    }
}

TEST_CASE("outbox entry: a sent one has no lease") {
    auto entry = claimed();

    REQUIRE(entry.mark_sent());

    CHECK(entry.state().status == OutboxStatus::sent);
    CHECK_FALSE(entry.state().lease_until);
}

TEST_CASE("outbox entry: a failed one is PENDING later; when the retries are spent it is DEAD") {
    auto entry = claimed();
    REQUIRE(entry.mark_failed(late, one_retry, t0 + 1s));
    CHECK(entry.state().status == OutboxStatus::pending);
    CHECK(entry.state().due_at == t0 + 11s);
    CHECK(entry.state().retry_count == 1);
    CHECK(entry.state().error_message == "TIMEOUT: no answer");
    CHECK_FALSE(entry.state().lease_until);

    REQUIRE(entry.claim(t0 + 11s, 60s));
    REQUIRE(entry.mark_failed(late, one_retry, t0 + 12s));
    CHECK(entry.state().status == OutboxStatus::dead);
    CHECK(entry.state().retry_count == 1);
}

TEST_CASE("outbox entry: what can never be sent is DEAD at once") {
    auto entry = claimed();

    REQUIRE(entry.mark_failed({Errc::invalid, "refused"}, one_retry, t0));

    CHECK(entry.state().status == OutboxStatus::dead);
    CHECK(entry.state().error_message == "INVALID: refused");
}

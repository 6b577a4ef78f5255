#include "domain/outbox.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <vector>

#include "support/builders/outbox_entry.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr RetryPolicy one_retry{.max_retries = 1, .first_wait = 10s, .jitter_percent = 0};
constexpr RetryPolicy no_retry{.max_retries = 0};
const Error late{Errc::timeout, "no answer"};
const Error refused{Errc::invalid, "거절"};

OutboxEntry claimed() {
    return an_entry().claimed();
}

struct Situation {
    OutboxVerb verb;
    const char* when;
    std::function<Result<>(OutboxEntry&)> apply;
    // Where it leads from PENDING, PROCESSING, SENT, FAILED, DEAD; "" is refused.
    std::array<std::string_view, 5> leads_to;
};

// The entry is due at t0 and, where it is PROCESSING, leased until t0 + 60s.
const std::vector<Situation> situations{
    {OutboxVerb::claim,
     "before it is due",
     [](OutboxEntry& e) { return e.claim(t0 - 1us, 60s); },
     {"", "", "", "", ""}},
    {OutboxVerb::claim,
     "when it is due",
     [](OutboxEntry& e) { return e.claim(t0, 60s); },
     {"PROCESSING", "", "", "PROCESSING", ""}},
    {OutboxVerb::claim,
     "when the lease is over",
     [](OutboxEntry& e) { return e.claim(t0 + 60s, 60s); },
     {"PROCESSING", "PROCESSING", "", "PROCESSING", ""}},
    {OutboxVerb::mark_sent, "", [](OutboxEntry& e) { return e.mark_sent(); }, {"", "SENT", "", "", ""}},
    {OutboxVerb::mark_failed,
     "with retries left",
     [](OutboxEntry& e) { return e.mark_failed(late, one_retry, t0); },
     {"", "FAILED", "", "", ""}},
    {OutboxVerb::mark_failed,
     "with the retries spent",
     [](OutboxEntry& e) { return e.mark_failed(late, no_retry, t0); },
     {"", "DEAD", "", "", ""}},
    {OutboxVerb::mark_failed,
     "for good",
     [](OutboxEntry& e) { return e.mark_failed(refused, one_retry, t0); },
     {"", "DEAD", "", "", ""}},
    {OutboxVerb::release, "", [](OutboxEntry& e) { return e.release(); }, {"", "PENDING", "", "", ""}},
    {OutboxVerb::redrive, "", [](OutboxEntry& e) { return e.redrive(t0 + 1s); }, {"", "", "", "", "PENDING"}},
};

std::size_t place(OutboxStatus status) {
    constexpr std::array order{OutboxStatus::pending, OutboxStatus::processing, OutboxStatus::sent,
                               OutboxStatus::failed, OutboxStatus::dead};
    return static_cast<std::size_t>(std::ranges::find(order, status) - order.begin());
}

// Whether some situation has it so.
bool leads_to(OutboxStatus from, OutboxVerb verb, std::string_view to) {
    return std::ranges::any_of(situations,
                               [&](const auto& s) { return s.verb == verb && s.leads_to[place(from)] == to; });
}

}  // namespace

TEST_CASE("outbox walk: every verb leads from every state where it should, in every situation") {
    for (const auto& situation : situations) {
        for (const auto& [status, name] : names(OutboxStatus{})) {
            INFO(to_string(situation.verb) << " " << situation.when << ", found " << name);
            const auto expected = situation.leads_to[place(status)];
            OutboxEntry entry = an_entry().in(status);

            const auto done = situation.apply(entry);

            CHECK(static_cast<bool>(done) == !expected.empty());
            CHECK(to_string(entry.state().status) == (expected.empty() ? name : expected));
            CHECK(entry.state().idempotency_key == "key-o-1");
        }
    }
}

TEST_CASE(
    "outbox walk: a refused verb is a conflict that names entry, state and verb, and leaves everything as it was") {
    int count = 0;
    for (const auto& situation : situations) {
        for (const auto& [status, name] : names(OutboxStatus{})) {
            if (!situation.leads_to[place(status)].empty()) continue;
            INFO(to_string(situation.verb) << " " << situation.when << ", found " << name);
            OutboxEntry entry = an_entry().in(status);
            const auto before = entry.state();

            const auto done = situation.apply(entry);

            REQUIRE_FALSE(done);
            CHECK(done.error().code == Errc::conflict);
            CHECK(done.error().detail.starts_with("OutboxEntry o-1 is " + std::string(name) + "; cannot " +
                                                  std::string(to_string(situation.verb)) + " it"));
            CHECK(entry.state() == before);
            ++count;
        }
    }
    CHECK(count == 34);
}

TEST_CASE("outbox walk: the table has these ways and no others") {
    for (const auto& [from, from_name] : names(OutboxStatus{})) {
        for (const auto& [verb, verb_name] : names(OutboxVerb{})) {
            bool any = false;
            for (const auto& [to, to_name] : names(OutboxStatus{})) {
                INFO(from_name << " -- " << verb_name << " -> " << to_name);
                const bool leads = leads_to(from, verb, to_name);
                CHECK(outbox_table.allows(from, verb, to) == leads);
                any = any || leads;
            }
            CHECK(outbox_table.allows(from, verb) == any);
        }
    }
    CHECK(outbox_table.machine().first == "PENDING");
}

TEST_CASE("outbox entry: a new one is PENDING and due at once") {
    const auto state = OutboxEntry::create({OutboxId{"o-1"}, "t-1", R"({"name":"가방"})", "key"}, t0).state();

    CHECK(state.id == OutboxId{"o-1"});
    CHECK(state.subject == "t-1");
    CHECK(state.payload == R"({"name":"가방"})");
    CHECK(state.idempotency_key == "key");
    CHECK(state.status == OutboxStatus::pending);
    CHECK(state.due_at == t0);
    CHECK(state.created_at == t0);
    CHECK(state.attempt == 0);
    CHECK(state.retry_count == 0);
    CHECK_FALSE(state.lease_until);
    CHECK(state.error_message.empty());
}

TEST_CASE("outbox entry: one that shall wait is due later, and was created now") {
    const auto state = OutboxEntry::create({OutboxId{"o-1"}, "t-1", "{}", "key"}, t0, 5s).state();

    CHECK(state.due_at == t0 + 5s);
    CHECK(state.created_at == t0);
}

TEST_CASE("outbox entry: its group is its subject unless it has one of its own") {
    CHECK(OutboxEntry::create({OutboxId{"o-1"}, "t-1", "{}", "key"}, t0).state().group == "t-1");
    CHECK(OutboxEntry::create({OutboxId{"o-1"}, "t-1", "{}", "key", {}, "item-1"}, t0).state().group == "item-1");
    CHECK(OutboxEntry::create({OutboxId{"o-1"}, "t-1", "{}", "key", {}, "item-1"}, t0).state().subject == "t-1");
}

TEST_CASE("outbox entry: it is claimable when due, or when the lease of another is over") {
    const auto is_claimable = [](OutboxStatus status, TimePoint now) {
        return an_entry().in(status).build().is_claimable(now);
    };
    CHECK_FALSE(is_claimable(OutboxStatus::pending, t0 - 1us));
    CHECK(is_claimable(OutboxStatus::pending, t0));
    CHECK_FALSE(is_claimable(OutboxStatus::failed, t0 - 1us));
    CHECK(is_claimable(OutboxStatus::failed, t0));
    CHECK_FALSE(is_claimable(OutboxStatus::processing, t0 + 60s - 1us));
    CHECK(is_claimable(OutboxStatus::processing, t0 + 60s));
    CHECK_FALSE(is_claimable(OutboxStatus::sent, t0 + 24h));
    CHECK_FALSE(is_claimable(OutboxStatus::dead, t0 + 24h));
}

TEST_CASE("outbox entry: each claim counts an attempt and takes a lease, and burns no retry") {
    OutboxEntry entry = an_entry();
    REQUIRE(entry.claim(t0, 60s));
    CHECK(entry.state().status == OutboxStatus::processing);
    CHECK(entry.state().attempt == 1);
    CHECK(entry.state().lease_until == t0 + 60s);

    REQUIRE(entry.claim(t0 + 60s, 60s));
    CHECK(entry.state().attempt == 2);
    CHECK(entry.state().retry_count == 0);
    CHECK(entry.state().lease_until == t0 + 120s);
}

TEST_CASE("outbox entry: who comes too early hears when to come") {
    const auto early = an_entry().build().claim(t0 - 1us, 60s);
    CHECK(early.error().detail ==
          "OutboxEntry o-1 is PENDING; cannot claim it: it is due at 2026-11-18T09:00:00.000000Z");
    const auto taken = claimed().claim(t0, 60s);
    CHECK(taken.error().detail ==
          "OutboxEntry o-1 is PROCESSING; cannot claim it: its lease runs until 2026-11-18T09:01:00.000000Z");
    const auto dead = an_entry().in(OutboxStatus::dead).build().claim(t0, 60s);
    CHECK(dead.error().detail == "OutboxEntry o-1 is DEAD; cannot claim it");
}

TEST_CASE("outbox entry: a sent one has no lease and keeps its attempt") {
    auto entry = claimed();

    REQUIRE(entry.mark_sent());

    CHECK(entry.state().status == OutboxStatus::sent);
    CHECK_FALSE(entry.state().lease_until);
    CHECK(entry.state().attempt == 1);
}

TEST_CASE("outbox entry: a lease that is over but went to nobody else does not keep it from being sent") {
    auto entry = claimed();
    CHECK(entry.mark_sent());  // however late
}

TEST_CASE("outbox entry: a failed one is due after the back-off; when the retries are spent it is DEAD") {
    auto entry = claimed();
    REQUIRE(entry.mark_failed(late, one_retry, t0 + 1s));
    CHECK(entry.state().status == OutboxStatus::failed);
    CHECK(entry.state().due_at == t0 + 11s);
    CHECK(entry.state().retry_count == 1);
    CHECK(entry.state().error_message == "TIMEOUT: no answer");
    CHECK_FALSE(entry.state().lease_until);

    CHECK_FALSE(entry.is_claimable(t0 + 11s - 1us));
    REQUIRE(entry.claim(t0 + 11s, 60s));
    REQUIRE(entry.mark_failed(late, one_retry, t0 + 12s));
    CHECK(entry.state().status == OutboxStatus::dead);
    CHECK(entry.state().retry_count == 1);
}

TEST_CASE("outbox entry: what can never be sent is DEAD at once, with the reason") {
    auto entry = claimed();

    REQUIRE(entry.mark_failed(refused, one_retry, t0));

    CHECK(entry.state().status == OutboxStatus::dead);
    CHECK(entry.state().retry_count == 0);
    CHECK(entry.state().error_message == "INVALID: 거절");
}

TEST_CASE("outbox entry: it dies of an error that stays and waits for one that may pass") {
    for (const auto& [code, name] : names(Errc{})) {
        INFO(name);
        auto entry = claimed();
        REQUIRE(entry.mark_failed({code, ""}, one_retry, t0));
        CHECK((entry.state().status == OutboxStatus::failed) == is_retryable(code));
    }
}

TEST_CASE("outbox entry: released, it is as it was, and due at once") {
    OutboxEntry entry = an_entry().claimed().retries(3);

    REQUIRE(entry.release());

    CHECK(entry.state().status == OutboxStatus::pending);
    CHECK(entry.state().retry_count == 3);
    CHECK(entry.state().attempt == 1);
    CHECK(entry.state().idempotency_key == "key-o-1");
    CHECK_FALSE(entry.state().lease_until);
    CHECK(entry.is_claimable(t0 + 60s));
}

TEST_CASE("outbox entry: redriven, it is due now under the same key, with all its retries") {
    OutboxEntry entry = an_entry().in(OutboxStatus::dead).retries(5).due(t0 + 10min);

    REQUIRE(entry.redrive(t0 + 1h));

    CHECK(entry.state().status == OutboxStatus::pending);
    CHECK(entry.state().due_at == t0 + 1h);
    CHECK(entry.state().retry_count == 0);
    CHECK(entry.state().idempotency_key == "key-o-1");
    CHECK(entry.is_claimable(t0 + 1h));
    CHECK_FALSE(entry.is_claimable(t0 + 1h - 1us));
}

TEST_CASE("outbox entry: one without a lease that is PROCESSING belongs to nobody") {
    auto state = claimed().state();
    state.lease_until.reset();

    CHECK(OutboxEntry::restore(state).is_claimable(t0));
    CHECK(OutboxEntry::restore(state).release());
}

TEST_CASE("outbox entry: two states are the same only if nothing at all differs") {
    using State = OutboxEntry::State;
    const auto differ = [](const std::function<void(State&)>& change) {
        const auto one = claimed().state();
        auto other = one;
        change(other);
        return one != other;
    };
    CHECK_FALSE(differ([](State&) {}));
    CHECK(differ([](State& s) { s.id.value = "o-2"; }));
    CHECK(differ([](State& s) { s.subject = "t-2"; }));
    CHECK(differ([](State& s) { s.group = "item-1"; }));
    CHECK(differ([](State& s) { s.payload = "가방"; }));
    CHECK(differ([](State& s) { s.idempotency_key = "key"; }));
    CHECK(differ([](State& s) { s.status = OutboxStatus::sent; }));
    CHECK(differ([](State& s) { ++s.attempt; }));
    CHECK(differ([](State& s) { ++s.retry_count; }));
    CHECK(differ([](State& s) { s.due_at += 1us; }));
    CHECK(differ([](State& s) { s.lease_until.reset(); }));
    CHECK(differ([](State& s) { s.error_message = "늦음"; }));
    CHECK(differ([](State& s) { s.created_at += 1us; }));
}

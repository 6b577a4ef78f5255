#include "application/audit_rate.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

#include "adapters/memory/database.hpp"
#include "adapters/memory/memory.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"
#include "support/server_view.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::application;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const UserAgentId someone{"ua-1"};
const WindowLimits three_a_minute{.limit = 3, .span = 60s, .spacing = 1s, .guard = 10s};

// Reserved so long after t0, and answered so long after that; without it, never.
ports::LedgerEntry entry(Duration at, std::optional<Duration> took = 0s,
                         RequestOutcome outcome = RequestOutcome::succeeded) {
    static int number = 0;
    ports::LedgerEntry entry{.reservation = "r-" + std::to_string(++number), .identity = someone};
    entry.reserved = t0 + at;
    entry.lease_end = t0 + at + 30s;
    if (took) {
        entry.answered = entry.reserved + *took;
        entry.outcome = outcome;
    }
    return entry;
}

IdentityRate audit(const std::vector<ports::LedgerEntry>& entries, const WindowLimits& limits = three_a_minute) {
    return audit_rate(someone, entries, limits);
}

}  // namespace

TEST_CASE("audit: an empty ledger proves that the limit was kept") {
    const auto rate = audit({});

    CHECK(rate.verdict == RateVerdict::kept);
    CHECK(rate.most_possible == 0);
    CHECK_FALSE(rate.closest_possible);
}

TEST_CASE("audit: requests a span apart are in two spans, and those within one are counted together") {
    CHECK(audit({entry(0s), entry(20s), entry(40s), entry(60s)}).most_possible == 3);
    CHECK(audit({entry(0s), entry(20s), entry(40s), entry(60s)}).verdict == RateVerdict::kept);

    const auto rate = audit({entry(0s), entry(20s), entry(40s), entry(60s - 1us)});
    CHECK(rate.most_possible == 4);
    CHECK(rate.most_certain == 4);
    CHECK(rate.worst_at == t0);
    CHECK(rate.verdict == RateVerdict::broken);
}

TEST_CASE(
    "audit: requests of a block whose end nobody told are counted, and the spacing to others is held against all of "
    "them") {
    const std::vector block{entry(10s, std::nullopt), entry(10s, std::nullopt), entry(10s, std::nullopt)};
    auto with_next = block;
    with_next.push_back(entry(10s + 30s + 10s + 1s));
    auto too_soon = block;
    too_soon.push_back(entry(10s + 30s + 10s + 1s - 1us));

    CHECK(audit(block).most_possible == 3);
    CHECK(audit(block).verdict == RateVerdict::kept);
    CHECK(audit(with_next).closest_possible == 1s);
    CHECK(audit(too_soon).closest_possible == 1s - 1us);
}

TEST_CASE("audit: a slow answer leaves open when the request arrived") {
    // The first may have arrived at 5 s, and is then in one span with the last.
    const auto rate = audit({entry(0s, 5s), entry(20s), entry(40s), entry(62s)});

    CHECK(rate.most_possible == 4);
    CHECK(rate.most_certain == 3);
    CHECK(rate.verdict == RateVerdict::unproven);
}

TEST_CASE(
    "audit: a request without an answer may have arrived until its lease and the guard band were over, or never") {
    const auto rate = audit({entry(0s, std::nullopt), entry(45s), entry(60s), entry(80s)});

    CHECK(rate.unanswered == 1);
    CHECK(rate.most_possible == 4);
    CHECK(rate.most_certain == 3);
    CHECK(rate.verdict == RateVerdict::unproven);
}

TEST_CASE("audit: a connection that broke does not prove that anything arrived") {
    const auto rate = audit({entry(0s), entry(1s), entry(2s), entry(3s, 0s, RequestOutcome::server_error)});

    CHECK(rate.most_possible == 4);
    CHECK(rate.most_certain == 3);
}

TEST_CASE("audit: an answer after the lease and the guard band says nothing new") {
    CHECK(audit({entry(0s, 300s), entry(110s)}).closest_possible == Duration{70s});
}

TEST_CASE("audit: two that arrived too close are found, for certain or possibly") {
    CHECK(audit({entry(0s), entry(1s)}).verdict == RateVerdict::kept);

    const auto close = audit({entry(0s), entry(1s - 1us)});
    CHECK(close.closest_possible == 1s - 1us);
    CHECK(close.closest_certain == 1s - 1us);
    CHECK(close.verdict == RateVerdict::broken);

    const auto perhaps = audit({entry(0s, 500ms), entry(1s, 500ms)});
    CHECK(perhaps.closest_possible == 500ms);
    CHECK(perhaps.closest_certain == 1500ms);
    CHECK(perhaps.verdict == RateVerdict::unproven);
}

TEST_CASE("audit: one that was under way all the time may be next to any other") {
    CHECK(audit({entry(0s, 25s), entry(5s, 1s), entry(20s, 1s)}).closest_possible == Duration{0});
}

namespace {

struct Span {
    TimePoint first, last;
    bool certain, open;
};

// Judges by trying every span that can matter, one by one, and every pair. Shares nothing with the audit but the meaning.
struct BruteForce {
    int possible = 0;
    int certain = 0;
    std::optional<Duration> closest_possible, closest_certain;

    BruteForce(const std::vector<ports::LedgerEntry>& entries, const WindowLimits& limits) {
        std::vector<Span> spans;
        for (const auto& e : entries) {
            const auto end = e.lease_end + limits.guard;
            const bool is_certain = e.answered && e.outcome != RequestOutcome::server_error;
            spans.push_back({e.reserved, e.answered ? std::min(*e.answered, end) : end, is_certain, !e.answered});
        }
        for (const auto& a : spans) {
            for (const auto from : {a.first, a.first + 1us, a.last, a.last - limits.span, a.last - limits.span + 1us})
                count(spans, from, from + limits.span);
        }
        for (auto a = spans.begin(); a != spans.end(); ++a) {
            for (auto b = a + 1; b != spans.end(); ++b) compare(*a, *b);
        }
    }
    void count(const std::vector<Span>& spans, TimePoint from, TimePoint to) {
        int may = 0, must = 0;
        for (const auto& s : spans) {
            if (s.first < to && s.last >= from) ++may;
            if (s.certain && s.first >= from && s.last < to) ++must;
        }
        possible = std::max(possible, may);
        certain = std::max(certain, must);
    }
    void compare(const Span& a, const Span& b) {
        if ((a.open || b.open) && a.first == b.first) return;  // one block
        const auto gap = std::max({Duration{0}, b.first - a.last, a.first - b.last});
        closest_possible = std::min(closest_possible.value_or(gap), gap);
        if (!a.certain || !b.certain) return;
        const auto apart = std::max(b.last - a.first, a.last - b.first);
        closest_certain = std::min(closest_certain.value_or(apart), apart);
    }
};

}  // namespace

TEST_CASE("audit: over random ledgers it finds what a judge finds who tries everything") {
    int broken = 0, unproven = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        const WindowLimits limits{.limit = static_cast<int>(chance.number(1, 8)),
                                  .span = Duration{chance.number(1, 40) * 1'000'000},
                                  .spacing = Duration{chance.number(0, 3) * 500'000},
                                  .guard = Duration{chance.number(0, 10) * 1'000'000}};
        std::vector<ports::LedgerEntry> entries;
        const auto count = chance.number(0, 40);
        for (int i = 0; i < count; ++i) {
            const Duration at{chance.number(0, 240) * 500'000};
            const Duration took{chance.number(0, chance.percent(20) ? 120 : 4) * 250'000};
            const auto outcome = chance.percent(10) ? RequestOutcome::server_error : RequestOutcome::succeeded;
            entries.push_back(chance.percent(15) ? entry(at, std::nullopt) : entry(at, took, outcome));
        }

        const BruteForce judge(entries, limits);
        const auto rate = audit(entries, limits);

        REQUIRE(rate.most_possible == judge.possible);
        REQUIRE(rate.most_certain == judge.certain);
        REQUIRE(rate.closest_possible == judge.closest_possible);
        REQUIRE(rate.closest_certain == judge.closest_certain);
        broken += rate.verdict == RateVerdict::broken ? 1 : 0;
        unproven += rate.verdict == RateVerdict::unproven ? 1 : 0;
    }
    CHECK(broken > 20);
    CHECK(unproven > 20);
}

TEST_CASE("audit: one violation planted among forty thousand requests is found") {
    std::vector<ports::LedgerEntry> entries;
    for (int i = 0; i < 40'000; ++i) entries.push_back(entry(i * 20s, 100ms));
    const WindowLimits limits{.limit = 3, .span = 60s, .spacing = 1s, .guard = 10s};
    REQUIRE(audit(entries, limits).most_certain == 3);
    REQUIRE(audit(entries, limits).verdict == RateVerdict::unproven);  // at the edge of each span one may be in both

    entries.push_back(entry(17'000 * 20s + 5s, 100ms));

    CHECK(audit(entries, limits).most_certain == 4);
    CHECK(audit(entries, limits).verdict == RateVerdict::broken);
}

TEST_CASE("audit: everybody who reserved is looked at, the worst first, and what was found is told") {
    adapters::MemoryDatabase database;
    const auto ledger = adapters::make_memory_request_ledger(database);
    const auto telemetry = adapters::make_memory_telemetry();
    const auto put = [&](const std::string& identity, ports::LedgerEntry made) {
        made.identity = UserAgentId{identity};
        REQUIRE(run(ledger->reserve(made)));
    };
    put("ua-1", entry(0s));
    put("ua-2", entry(0s));
    put("ua-2", entry(500ms));
    put("ua-3", entry(0s, std::nullopt));
    put("ua-3", entry(10s));
    put("ua-4", entry(-1h));

    const ManualClock clock;
    AuditRate audit_all({*ledger, clock, *telemetry}, three_a_minute);
    const auto rates = run(audit_all.run(t0));

    REQUIRE(rates);
    REQUIRE(rates->size() == 3);
    CHECK(rates->at(0).identity.value == "ua-2");
    CHECK(rates->at(0).verdict == RateVerdict::broken);
    CHECK(rates->at(1).identity.value == "ua-3");
    CHECK(rates->at(1).verdict == RateVerdict::unproven);
    CHECK(rates->at(2).verdict == RateVerdict::kept);
    const auto event = told<ports::RateAudited>(*telemetry).at(0);
    CHECK(event.identities == 3);
    CHECK(event.requests == 5);
    CHECK(event.most_possible == 2);
    CHECK(event.unproven == 1);
    CHECK(event.broken == 1);
}

TEST_CASE("audit: a regular look is at the last two spans of the limit, and leaves nothing to be done at once") {
    adapters::MemoryDatabase database;
    const auto ledger = adapters::make_memory_request_ledger(database);
    const auto telemetry = adapters::make_memory_telemetry();
    for (const auto age : {0s, 30s, 119s, 121s}) {
        auto made = entry(-age);
        made.identity = UserAgentId{"ua-1"};
        REQUIRE(run(ledger->reserve(made)));
    }

    const ManualClock clock;
    AuditRate audit_all({*ledger, clock, *telemetry}, three_a_minute);

    CHECK(*run(audit_all.run_once()) == 0);
    CHECK(told<ports::RateAudited>(*telemetry).at(0).requests == 3);
}

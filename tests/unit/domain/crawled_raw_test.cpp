#include "domain/crawled_raw.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <random>

#include "state_walk.hpp"
#include "support/builders/raw.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using S = RawStatus;
using V = RawVerb;

constexpr RetryPolicy two_retries{.max_retries = 2, .first_wait = 10s, .jitter_percent = 0};
constexpr RetryPolicy no_retries{.max_retries = 0};
const Error late{Errc::timeout, "no answer"};

// Under a claim whose lease is over, so that it may be settled as well as claimed anew; with retries left.
const Grid<S, V> claimed{
    {{S::pending, V::claim}, S::pending},
    {{S::failed, V::claim}, S::failed},
    {{S::pending, V::process}, S::processed},
    {{S::failed, V::process}, S::processed},
    {{S::pending, V::fail}, S::failed},
    {{S::failed, V::fail}, S::failed},
    {{S::pending, V::quarantine}, S::quarantined},
    {{S::failed, V::quarantine}, S::quarantined},
    {{S::processed, V::replay}, S::pending},
    {{S::failed, V::replay}, S::pending},
    {{S::quarantined, V::replay}, S::pending},
};

Grid<S, V> with_retries_spent() {
    auto grid = claimed;
    grid[{S::pending, V::fail}] = S::quarantined;
    grid[{S::failed, V::fail}] = S::quarantined;
    return grid;
}

Result<> apply(CrawledRaw& raw, V verb, const RetryPolicy& policy) {
    switch (verb) {
        case V::claim:
            return raw.claim(t0 + 1s, 60s);
        case V::process:
            return raw.mark_processed();
        case V::fail:
            return raw.mark_failed(late, policy, t0 + 1s);
        case V::quarantine:
            return raw.quarantine("/items/0/price: not a number");
        case V::replay:
            break;
    }
    return raw.replay();
}

// The claim of whoever settled it is over.
CrawledRaw after_a_claim(S status) {
    const bool open = status == S::pending || status == S::failed;
    return open ? a_raw().in(status).claimed(t0).build() : a_raw().in(status).build();
}

}  // namespace

TEST_CASE("raw: every verb in every state does what it should while retries are left") {
    walk(raw_table, claimed, after_a_claim, [](auto& raw, V verb) { return apply(raw, verb, two_retries); });
}

TEST_CASE("raw: every verb in every state does what it should when the retries are spent") {
    walk(raw_table, with_retries_spent(), after_a_claim,
         [](auto& raw, V verb) { return apply(raw, verb, no_retries); });
    check_rows<decltype(raw_table), S, V>(raw_table, {claimed, with_retries_spent()});
}

TEST_CASE("raw: a new one is PENDING and is the answer as it came") {
    const CrawledAnswer answer{.id = {"r-1"},
                               .task = {"t-1"},
                               .seller = seller_id("셀러-1"),
                               .item = 5'000'000'001,
                               .type = TaskType::product_detail,
                               .fetched_at = t0,
                               .http_status = 203,
                               .body = "{\"이름\":1}",
                               .content_hash = *Digest::parse(std::string(64, 'a'))};

    const auto raw = CrawledRaw::keep(answer);

    CHECK((static_cast<const CrawledAnswer&>(raw.state()) == answer));
    CHECK(raw.state().status == S::pending);
    CHECK(raw.state().attempt == 0);
    CHECK(raw.state().retry_count == 0);
    CHECK_FALSE(raw.state().due_at);
    CHECK_FALSE(raw.state().lease_until);
    CHECK(raw.state().reason.empty());
}

TEST_CASE("raw: a claim takes a lease and counts an attempt, but burns no retry") {
    auto raw = a_raw().build();

    REQUIRE(raw.claim(t0, 60s));

    CHECK(raw.state().status == S::pending);
    CHECK(raw.state().lease_until == t0 + 60s);
    CHECK(raw.state().attempt == 1);
    CHECK(raw.state().retry_count == 0);
}

TEST_CASE("raw: a held one is not claimable until exactly the end of the lease") {
    const auto status = GENERATE(S::pending, S::failed);
    auto raw = a_raw().in(status).claimed(t0 + 60s).build();

    CHECK_FALSE(raw.is_claimable(t0 + 60s - 1us));
    const auto early = raw.claim(t0 + 60s - 1us, 60s);
    REQUIRE_FALSE(early);
    CHECK(early.error().code == Errc::conflict);
    CHECK(early.error().detail.find("held by another") != std::string::npos);
    CHECK(raw.state().attempt == 1);

    CHECK(raw.is_claimable(t0 + 60s));
    REQUIRE(raw.claim(t0 + 60s, 60s));
    CHECK(raw.state().attempt == 2);
    CHECK(raw.state().lease_until == t0 + 120s);
}

TEST_CASE("raw: a FAILED one is not claimable before exactly the time it is due") {
    auto raw = a_raw().failed(1, t0 + 10s).build();

    CHECK_FALSE(raw.is_claimable(t0 + 10s - 1us));
    CHECK_FALSE(raw.claim(t0 + 10s - 1us, 60s));
    CHECK(raw.is_claimable(t0 + 10s));
    CHECK(raw.claim(t0 + 10s, 60s));
    CHECK(raw.state().status == S::failed);
}

TEST_CASE("raw: what is done with is never claimable") {
    CHECK_FALSE(a_raw().in(S::processed).build().is_claimable(t0 + 24h));
    CHECK_FALSE(a_raw().in(S::quarantined).build().is_claimable(t0 + 24h));
}

TEST_CASE("raw: one that nobody claimed cannot be settled") {
    const auto status = GENERATE(S::pending, S::failed);
    auto raw = a_raw().in(status).build();
    const auto before = raw.state();

    for (const auto verb : {V::process, V::fail, V::quarantine}) {
        const auto settled = apply(raw, verb, two_retries);
        REQUIRE_FALSE(settled);
        CHECK(settled.error().code == Errc::conflict);
        CHECK(settled.error().detail == "CrawledRaw r-1 is " + std::string(to_string(status)) + "; cannot " +
                                            std::string(to_string(verb)) + " it: it is not claimed");
        CHECK((raw.state() == before));
    }
}

TEST_CASE("raw: a lease that is over still settles, as long as nobody else was given it") {
    auto raw = a_raw().claimed(t0 - 24h).build();

    CHECK(raw.mark_processed());
}

TEST_CASE("raw: a processed one has no lease, no reason and nothing due") {
    auto raw = a_raw().failed(1, t0).claimed().build();

    REQUIRE(raw.mark_processed());

    CHECK(raw.state().status == S::processed);
    CHECK_FALSE(raw.state().lease_until);
    CHECK_FALSE(raw.state().due_at);
    CHECK(raw.state().reason.empty());
    CHECK(raw.state().attempt == 1);
}

TEST_CASE("raw: a failed one says why and comes back after a wait that doubles") {
    auto raw = a_raw().claimed().build();

    REQUIRE(raw.mark_failed(late, two_retries, t0 + 1s));
    CHECK(raw.state().status == S::failed);
    CHECK(raw.state().due_at == t0 + 11s);
    CHECK(raw.state().retry_count == 1);
    CHECK(raw.state().reason == "TIMEOUT: no answer");
    CHECK_FALSE(raw.state().lease_until);

    REQUIRE(raw.claim(t0 + 11s, 60s));
    REQUIRE(raw.mark_failed({Errc::unavailable, "데이터베이스 없음"}, two_retries, t0 + 12s));
    CHECK(raw.state().due_at == t0 + 32s);
    CHECK(raw.state().retry_count == 2);
    CHECK(raw.state().reason == "UNAVAILABLE: 데이터베이스 없음");
}

TEST_CASE("raw: when the retries are spent it is set aside with the last reason") {
    auto raw = a_raw().failed(2, t0).claimed().build();

    REQUIRE(raw.mark_failed(late, two_retries, t0 + 1s));

    CHECK(raw.state().status == S::quarantined);
    CHECK(raw.state().retry_count == 2);
    CHECK(raw.state().reason == "TIMEOUT: no answer");
    CHECK_FALSE(raw.state().due_at);
    CHECK_FALSE(raw.state().lease_until);
}

TEST_CASE("raw: what cannot be read is set aside at once, retries or not, and says where and why") {
    auto raw = a_raw().claimed().build();

    REQUIRE(raw.quarantine("/items/3/price: '무료' is not a number"));

    CHECK(raw.state().status == S::quarantined);
    CHECK(raw.state().reason == "/items/3/price: '무료' is not a number");
    CHECK(raw.state().retry_count == 0);
    CHECK_FALSE(raw.state().lease_until);
}

TEST_CASE("raw: a replayed one waits with all its retries and remembers why it is here") {
    auto raw = a_raw().failed(2, t0 + 24h).in(S::quarantined).build();

    REQUIRE(raw.replay());

    CHECK(raw.state().status == S::pending);
    CHECK(raw.state().retry_count == 0);
    CHECK(raw.state().reason == "TIMEOUT: no answer");
    CHECK(raw.is_claimable(t0));
}

TEST_CASE("raw: the reason of a replayed one goes with its next outcome") {
    auto raw = a_raw().in(S::quarantined).build();
    REQUIRE(raw.replay());
    REQUIRE(raw.claim(t0, 60s));

    REQUIRE(raw.mark_processed());

    CHECK(raw.state().reason.empty());
}

TEST_CASE("raw: replaying takes it from whoever holds it, and keeps the count of claims") {
    auto raw = a_raw().in(S::failed).claimed(t0 + 60s).build();

    REQUIRE(raw.replay());

    CHECK_FALSE(raw.mark_processed());
    REQUIRE(raw.claim(t0, 60s));
    CHECK(raw.state().attempt == 2);
}

TEST_CASE("raw: what came is never touched by what becomes of it") {
    const auto answer = static_cast<CrawledAnswer>(a_raw().about(4711).build().state());
    auto raw = CrawledRaw::keep(answer);

    REQUIRE(raw.claim(t0, 60s));
    REQUIRE(raw.mark_failed(late, two_retries, t0));
    REQUIRE(raw.replay());
    REQUIRE(raw.claim(t0, 60s));
    REQUIRE(raw.quarantine("unreadable"));

    CHECK((static_cast<const CrawledAnswer&>(raw.state()) == answer));
}

TEST_CASE("raw: however often it fails, is lost or is late, its retries are bounded") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const RetryPolicy policy{.max_retries = static_cast<int>(random() % 6), .first_wait = 1s};
        auto raw = a_raw().build();
        auto now = t0;
        int claims = 0, failures = 0;
        while (raw.state().status != S::quarantined) {
            REQUIRE(failures <= policy.max_retries);
            now += std::chrono::seconds{random() % 90};
            if (raw.claim(now, 60s)) ++claims;
            const bool dies = random() % 3 == 0;  // whoever claimed it never says what became of it
            if (dies || !raw.state().lease_until) continue;
            REQUIRE(raw.mark_failed(late, policy, now));
            ++failures;
            if (raw.state().status == S::failed) REQUIRE(*raw.state().due_at > now);
        }

        CHECK(failures == policy.max_retries + 1);
        CHECK(raw.state().retry_count == policy.max_retries);
        CHECK(raw.state().attempt == claims);
    }
}

TEST_CASE("raw: 404 and 410 say that what was asked for is gone, and no other answer does") {
    CHECK(a_raw("r-1").answering(404, "").build().says_gone());
    CHECK(a_raw("r-1").answering(410, "").build().says_gone());
    for (const auto status : {200, 403, 405, 409, 411, 500})
        CHECK_FALSE(a_raw("r-1").answering(status, "").build().says_gone());
}

TEST_CASE("raw: a claim that ended with its lease is counted as lost, one that was settled is not") {
    auto raw = a_raw().build();
    REQUIRE(raw.claim(t0, 60s));
    REQUIRE(raw.mark_failed({Errc::unavailable, "no database"}, {.max_retries = 5, .first_wait = 1s}, t0));
    REQUIRE(raw.claim(t0 + 10s, 60s));
    CHECK(raw.state().lost_count == 0);

    REQUIRE(raw.claim(t0 + 70s, 60s));
    REQUIRE(raw.claim(t0 + 130s, 60s));
    CHECK(raw.state().lost_count == 2);
    CHECK(raw.state().retry_count == 1);

    REQUIRE(raw.quarantine("lost"));
    REQUIRE(raw.replay());
    CHECK(raw.state().lost_count == 0);
}

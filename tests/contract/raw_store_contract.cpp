#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Ids = std::vector<std::string>;

template <class Stores>
Ids claim(Stores& f, TimePoint now, int limit = 100) {
    auto claimed = f.run(f.raws->claim(limit, now, 60s));
    REQUIRE(claimed);
    Ids ids;
    for (const auto& raw : *claimed) ids.push_back(raw.id.value);
    return ids;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("raw store: a claimed raw is the one that was stored, under a lease", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    auto stored = a_raw("r-1", t0 - 1us);
    stored.type = TaskType::product_detail;
    stored.http_status = 203;
    stored.body = std::string("{\"a\":'가'}\0\\", 12) + std::string(200'000, 'x');
    put_raws(f, {stored});

    const auto raw = claim_raw(f, t0);

    CHECK(raw.id == stored.id);
    CHECK(raw.task == stored.task);
    CHECK(raw.seller == stored.seller);
    CHECK(raw.type == TaskType::product_detail);
    CHECK(raw.fetched_at == t0 - 1us);
    CHECK(raw.http_status == 203);
    CHECK((raw.body == stored.body));
    CHECK(raw.status == RawStatus::pending);
    CHECK(raw.attempt == 1);
    CHECK(raw.lease_until == t0 + 60s);
    CHECK(raw.reason.empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: the limit is kept, and the oldest fetch comes first", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 + 2s), a_raw("r-2", t0), a_raw("r-3", t0 + 1s)});

    CHECK(claim(f, t0, 2) == Ids{"r-2", "r-3"});
    CHECK(claim(f, t0, 2) == Ids{"r-1"});
    CHECK(claim(f, t0, 2).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a lease that is over gives the raw to the next, one attempt on",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    REQUIRE(claim(f, t0).size() == 1);

    CHECK(claim(f, t0 + 60s - 1us).empty());
    const auto again = claim_raw(f, t0 + 60s);
    CHECK(again.attempt == 2);
    CHECK(again.lease_until == t0 + 120s);
}

TEMPLATE_LIST_TEST_CASE("raw store: two claimers never share a raw and leave none", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    std::vector<CrawledRaw> raws;
    for (int i = 10; i < 50; ++i) raws.push_back(a_raw("r-" + std::to_string(i)));
    put_raws(f, raws);

    auto [one, two] = f.run_both(f.raws->claim(20, t0, 60s), f.raws->claim(20, t0, 60s));

    REQUIRE(one);
    REQUIRE(two);
    auto all = claim(f, t0);
    for (const auto& raw : *one) all.push_back(raw.id.value);
    for (const auto& raw : *two) all.push_back(raw.id.value);
    std::ranges::sort(all);
    CHECK(all.size() == 40);
    CHECK(std::ranges::adjacent_find(all) == all.end());
}

TEMPLATE_LIST_TEST_CASE("raw store: a settled raw is done with", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);

    SECTION("processed") {
        raw.status = RawStatus::processed;
    }
    SECTION("failed") {
        raw.status = RawStatus::failed;
    }
    SECTION("quarantined") {
        raw.status = RawStatus::quarantined;
    }
    raw.reason = "/items/0/price: not a number";

    CHECK(f.run(f.raws->settle(raw)));
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a raw that is given back may be claimed at once, with the reason",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    raw.reason = "not now; '나중에'";

    REQUIRE(f.run(f.raws->settle(raw)));

    const auto again = claim_raw(f);
    CHECK(again.attempt == 2);
    CHECK(again.reason == "not now; '나중에'");
}

TEMPLATE_LIST_TEST_CASE("raw store: settling a claim that was lost is a conflict and changes nothing",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto lost = claim_raw(f);
    lost.status = RawStatus::quarantined;
    auto current = claim_raw(f, t0 + 60s);

    CHECK(code_of(f.run(f.raws->settle(lost))) == "CONFLICT");

    current.status = RawStatus::processed;
    CHECK(f.run(f.raws->settle(current)));
}

TEMPLATE_LIST_TEST_CASE("raw store: a claim ends when it is settled", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    SECTION("as processed") {
        raw.status = RawStatus::processed;
    }
    SECTION("as pending") {
        raw.status = RawStatus::pending;
    }
    REQUIRE(f.run(f.raws->settle(raw)));

    CHECK(code_of(f.run(f.raws->settle(raw))) == "CONFLICT");
    CHECK(code_of(f.run(f.raws->settle(a_raw("r-2")))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("raw store: a lease that is over but went to nobody else can still be settled",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto late = claim_raw(f);
    REQUIRE(claim(f, t0 + 59s).empty());
    late.status = RawStatus::processed;

    CHECK(f.run(f.raws->settle(late)));
    CHECK(claim(f, t0 + 24h).empty());
}

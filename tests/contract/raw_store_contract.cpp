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
    for (const auto& raw : *claimed) ids.push_back(raw.state().id.value);
    return ids;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("raw store: a claimed raw is the one that was stored, under a lease", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    const auto body = std::string("{\"a\":'가'}\0\\", 12) + std::string(200'000, 'x');
    const auto stored = a_raw("r-1", t0 - 1us)
                            .of(TaskType::product_detail)
                            .about(9'007'199'254'740'993)
                            .answering(203, body)
                            .hashed(*Digest::parse(std::string(62, '0') + "ff"))
                            .build()
                            .state();
    put_raws(f, {CrawledRaw::restore(stored)});

    const auto raw = claim_raw(f, t0).state();

    CHECK(raw.id == stored.id);
    CHECK(raw.task == stored.task);
    CHECK(raw.seller == stored.seller);
    CHECK(raw.item == 9'007'199'254'740'993);
    CHECK(raw.type == TaskType::product_detail);
    CHECK(raw.fetched_at == t0 - 1us);
    CHECK(raw.http_status == 203);
    CHECK((raw.body == body));
    CHECK(raw.content_hash.hex() == std::string(62, '0') + "ff");
    CHECK(raw.status == RawStatus::pending);
    CHECK(raw.attempt == 1);
    CHECK(raw.retry_count == 0);
    CHECK_FALSE(raw.due_at);
    CHECK(raw.lease_until == t0 + 60s);
    CHECK(raw.reason.empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a raw about no single item says so", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});

    CHECK_FALSE(claim_raw(f).state().item);
}

TEMPLATE_LIST_TEST_CASE("raw store: the limit is kept, and the oldest fetch comes first", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 + 2s), a_raw("r-2", t0), a_raw("r-3", t0 + 1s)});

    CHECK(claim(f, t0 + 2s, 2) == Ids{"r-2", "r-3"});
    CHECK(claim(f, t0 + 2s, 2) == Ids{"r-1"});
    CHECK(claim(f, t0 + 2s, 2).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a lease that is over gives the raw to the next, one attempt on",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    REQUIRE(claim(f, t0).size() == 1);

    CHECK(claim(f, t0 + 60s - 1us).empty());
    const auto again = claim_raw(f, t0 + 60s);
    CHECK(again.state().attempt == 2);
    CHECK(again.state().lease_until == t0 + 120s);
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
    for (const auto& raw : *one) all.push_back(raw.state().id.value);
    for (const auto& raw : *two) all.push_back(raw.state().id.value);
    std::ranges::sort(all);
    CHECK(all.size() == 40);
    CHECK(std::ranges::adjacent_find(all) == all.end());
}

TEMPLATE_LIST_TEST_CASE("raw store: a settled raw is done with", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);

    SECTION("processed") {
        REQUIRE(raw.mark_processed());
    }
    SECTION("quarantined at once") {
        REQUIRE(raw.quarantine("/items/0/price: not a number"));
    }
    SECTION("quarantined after its last retry") {
        REQUIRE(raw.mark_failed({Errc::timeout, "no answer"}, {.max_retries = 0}, t0));
    }

    CHECK(f.run(f.raws->settle(raw)));
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a failed raw comes back when it is due, with its retries and the reason",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    REQUIRE(raw.mark_failed({Errc::timeout, "not now; '나중에'"}, {.first_wait = 10s, .jitter_percent = 0}, t0));
    REQUIRE(f.run(f.raws->settle(raw)));

    CHECK(claim(f, t0 + 10s - 1us).empty());
    const auto again = claim_raw(f, t0 + 10s).state();
    CHECK(again.status == RawStatus::failed);
    CHECK(again.attempt == 2);
    CHECK(again.retry_count == 1);
    CHECK(again.due_at == t0 + 10s);
    CHECK(again.reason == "TIMEOUT: not now; '나중에'");
    CHECK(again.lease_until == t0 + 70s);
    CHECK(claim(f, t0 + 10s).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a raw that failed stands in line again from when it is due",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0), a_raw("r-2", t0 - 1s), a_raw("r-3", t0 + 1s)});
    auto oldest = claim_raw(f);
    REQUIRE(oldest.mark_failed({Errc::timeout, "no answer"}, {.first_wait = 10s, .jitter_percent = 0}, t0));
    REQUIRE(f.run(f.raws->settle(oldest)));

    CHECK(claim(f, t0, 1) == Ids{"r-1"});  // the oldest is not due, and does not hold up the others
    CHECK(claim(f, t0 + 10s) == Ids{"r-3", "r-2"});
}

TEMPLATE_LIST_TEST_CASE("raw store: settling a claim that was lost is a conflict and changes nothing",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto lost = claim_raw(f);
    REQUIRE(lost.quarantine("unreadable"));
    auto current = claim_raw(f, t0 + 60s);

    CHECK(code_of(f.run(f.raws->settle(lost))) == "CONFLICT");

    REQUIRE(current.mark_processed());
    CHECK(f.run(f.raws->settle(current)));
}

TEMPLATE_LIST_TEST_CASE("raw store: a claim ends when it is settled", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    SECTION("as processed") {
        REQUIRE(raw.mark_processed());
    }
    SECTION("as failed") {
        REQUIRE(raw.mark_failed({Errc::timeout, "no answer"}, {}, t0));
    }
    REQUIRE(f.run(f.raws->settle(raw)));

    CHECK(code_of(f.run(f.raws->settle(raw))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("raw store: settling what is not there is a conflict", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    auto raw = a_raw("r-2").claimed().build();
    REQUIRE(raw.mark_processed());

    CHECK(code_of(f.run(f.raws->settle(raw))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("raw store: a raw of which nothing became cannot be settled and stays claimed",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);

    CHECK(code_of(f.run(f.raws->settle(raw))) == "INVALID");

    CHECK(claim(f, t0 + 59s).empty());
    REQUIRE(raw.mark_processed());
    CHECK(f.run(f.raws->settle(raw)));
}

TEMPLATE_LIST_TEST_CASE("raw store: a lease that is over but went to nobody else can still be settled",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto late = claim_raw(f);
    REQUIRE(claim(f, t0 + 59s).empty());
    REQUIRE(late.mark_processed());

    CHECK(f.run(f.raws->settle(late)));
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a claim that was lost is counted", "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});

    CHECK(claim_raw(f, t0).state().lost_count == 0);
    CHECK(claim_raw(f, t0 + 60s).state().lost_count == 1);
    CHECK(claim_raw(f, t0 + 120s).state().lost_count == 2);
}

TEMPLATE_LIST_TEST_CASE("raw store: raws of which a claim was lost come one at a time, and before the others",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1"), a_raw("r-2")});
    REQUIRE(claim(f, t0) == Ids{"r-1", "r-2"});
    put_raws(f, {a_raw("r-3", t0 + 1s), a_raw("r-4", t0 + 2s)}, "e-later");

    CHECK(claim(f, t0 + 60s) == Ids{"r-1"});
    CHECK(claim(f, t0 + 60s) == Ids{"r-2"});
    CHECK(claim(f, t0 + 60s) == Ids{"r-3", "r-4"});
}

TEMPLATE_LIST_TEST_CASE("raw store: a seller with many raws does not hold up one with few", "[contract][raw_store]",
                        StoreFixtures) {
    TestType f;
    std::vector<CrawledRaw> raws;
    for (int i = 0; i < 100; ++i) raws.push_back(a_raw("a-" + std::to_string(i + 100), t0 - 1h).from("big"));
    for (int i = 0; i < 3; ++i) raws.push_back(a_raw("b-" + std::to_string(i)).from("small"));
    put_raws(f, raws);

    const auto claimed = f.run(f.raws->claim(10, t0, 60s));

    CHECK(claimed->size() == 10);
    CHECK(std::ranges::count(*claimed, seller_id("small"), [](const auto& raw) { return raw.state().seller; }) == 3);
}

TEMPLATE_LIST_TEST_CASE("raw store: a body of a megabyte, whatever bytes it has, comes back to the byte",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    std::string body;
    for (unsigned i = 0; i < 1U << 20; ++i) body += static_cast<char>((i * 2654435761U) >> 13);
    put_raws(f, {a_raw("r-1").answering(200, body), a_raw("r-2").answering(204, "")});

    const auto claimed = f.run(f.raws->claim(2, t0, 60s));

    REQUIRE(claimed->size() == 2);
    CHECK((claimed->at(0).state().body == body));
    CHECK(claimed->at(1).state().body.empty());
}

TEMPLATE_LIST_TEST_CASE("raw store: a failure is stored and can be read, whatever bytes came with it",
                        "[contract][raw_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = claim_raw(f);
    const auto* const spoilt = "cut off: \xEA\xB0";

    SECTION("a failure") {
        REQUIRE(raw.mark_failed({Errc::timeout, spoilt}, {.first_wait = 10s, .jitter_percent = 0}, t0));
        CHECK(f.run(f.raws->settle(raw)));
        CHECK(claim_raw(f, t0 + 10s).state().reason.starts_with("TIMEOUT: cut off: "));
    }
    SECTION("a quarantine") {
        REQUIRE(raw.quarantine(spoilt));
        CHECK(f.run(f.raws->settle(raw)));
        CHECK(claim(f, t0 + 24h).empty());
    }
}

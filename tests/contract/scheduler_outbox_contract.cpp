// What the scheduler outbox does to schedules.
#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

constexpr RetryPolicy one_retry{.max_retries = 1, .first_wait = 10s, .jitter_percent = 0};

template <class Stores>
OutboxEntry claim_order(Stores& f, TimePoint now = t0) {
    auto claimed = f.run(f.scheduler_outbox->claim(1, now, 60s));
    REQUIRE(claimed);
    REQUIRE(claimed->size() == 1);
    return claimed->front();
}

template <class Stores>
CrawlingSchedule::State schedule_of(Stores& f) {
    return f.run(f.sellers->find_both(seller_id()))->schedule.state();
}

template <class Stores>
std::size_t settle(Stores& f, const OutboxEntry& order) {
    const auto settled = f.run(f.scheduler_outbox->settle({order}, t0 + 5s));
    REQUIRE(settled);
    return *settled;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("scheduler outbox: with an order that dies its schedule has failed, with the reason",
                        "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto order = claim_order(f);
    REQUIRE(order.mark_failed({Errc::invalid, "규칙을 만들 수 없음"}, one_retry, t0));

    CHECK(settle(f, order) == 1);

    const auto schedule = schedule_of(f);
    CHECK(schedule.status == ScheduleStatus::failed);
    CHECK(schedule.failure_reason == "INVALID: 규칙을 만들 수 없음");
    CHECK(schedule.updated_at == t0 + 5s);
    CHECK(schedule.revision == 1);
    CHECK(f.run(f.sellers->find(seller_id()))->state().status == SellerStatus::active);
}

TEMPLATE_LIST_TEST_CASE(
    "scheduler outbox: an order that is sent, or fails and will be tried again, leaves its schedule",
    "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto order = claim_order(f);
    SECTION("sent") {
        REQUIRE(order.mark_sent());
    }
    SECTION("to be tried again") {
        REQUIRE(order.mark_failed({Errc::timeout, "late"}, one_retry, t0));
    }

    CHECK(settle(f, order) == 1);

    CHECK(schedule_of(f).status == ScheduleStatus::active);
    CHECK(schedule_of(f).revision == 0);
}

TEMPLATE_LIST_TEST_CASE(
    "scheduler outbox: where a younger order exists it decides, and the older one's death is no failure",
    "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto older = claim_order(f);
    auto both = *f.run(f.sellers->find_both(seller_id()));
    REQUIRE(both.schedule.deactivate(t0));
    REQUIRE(both.seller.deactivate(t0));
    REQUIRE(f.run(f.sellers->save(both, an_order("order-shop-1b"))));
    REQUIRE(older.mark_failed({Errc::invalid, "no"}, one_retry, t0));
    CHECK(settle(f, older) == 1);
    CHECK(schedule_of(f).status == ScheduleStatus::inactive);

    auto younger = claim_order(f);
    REQUIRE(younger.mark_failed({Errc::invalid, "no"}, one_retry, t0));
    CHECK(settle(f, younger) == 1);
    CHECK(schedule_of(f).status == ScheduleStatus::failed);
}

TEMPLATE_LIST_TEST_CASE("scheduler outbox: the orders of others do not decide", "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto order = claim_order(f);
    REQUIRE(enlist(f, a_seller("shop-2")));
    REQUIRE(order.mark_failed({Errc::invalid, "no"}, one_retry, t0));

    CHECK(settle(f, order) == 1);

    CHECK(schedule_of(f).status == ScheduleStatus::failed);
    CHECK(f.run(f.sellers->find_both(seller_id("shop-2")))->schedule.state().status == ScheduleStatus::active);
}

TEMPLATE_LIST_TEST_CASE("scheduler outbox: a claim that was lost fails nothing", "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto lost = claim_order(f);
    REQUIRE(claim_order(f, t0 + 60s).state().attempt == 2);
    REQUIRE(lost.mark_failed({Errc::invalid, "no"}, one_retry, t0));

    CHECK(settle(f, lost) == 0);

    CHECK(schedule_of(f).status == ScheduleStatus::active);
}

TEMPLATE_LIST_TEST_CASE("scheduler outbox: who read the schedule before it failed cannot save it any more",
                        "[contract][outbox]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    const auto before = *f.run(f.sellers->find_both(seller_id()));
    auto order = claim_order(f);
    REQUIRE(order.mark_failed({Errc::invalid, "no"}, one_retry, t0));
    CHECK(settle(f, order) == 1);

    CHECK(code_of(f.run(f.sellers->save(before, std::nullopt))) == "CONFLICT");
}

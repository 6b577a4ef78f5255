// Sellers come, change and go; their rules follow.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "application/request_crawl.hpp"
#include "codec/payload.hpp"
#include "line_world.hpp"
#include "support/builders.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using application::Activate;
using application::ChangeInterval;
using application::Deactivate;
using application::Rename;

namespace {

struct SellerWorld : LineWorld {
    Result<ports::SellerAndSchedule> enlist(int every = 1) {
        return run(registration.handle({.id = seller_id("s1"), .name = "이름", .interval = days(every)}));
    }
    Result<ports::SellerAndSchedule> apply(application::SellerChange what) {
        return run(change.handle(seller_id("s1"), std::move(what)));
    }
    ports::SellerAndSchedule stored() { return *run(sellers->find_both(seller_id("s1"))); }
    // The next order, carried out and gone.
    std::optional<codec::SchedulePayload> next_order() {
        auto claimed = run(scheduler_outbox->claim(1, clock.now(), 1min));
        if (claimed->empty()) return std::nullopt;
        CHECK(claimed->front().state().subject == "s1");
        CHECK(claimed->front().state().lane == "s1");
        const auto payload = codec::read_schedule_payload(claimed->front().state().payload);
        REQUIRE(payload);
        REQUIRE(claimed->front().mark_sent());
        REQUIRE(run(scheduler_outbox->settle(*claimed, clock.now())));
        return *payload;
    }
    void fail_schedule() {
        auto both = stored();
        REQUIRE(both.schedule.mark_failed("no bus", clock.now()));
        REQUIRE(run(sellers->save(both, std::nullopt)));
    }
};

}  // namespace

TEST_CASE("sellers: a registered seller is active and orders its rule") {
    SellerWorld w;

    const auto both = w.enlist(3);

    REQUIRE(both);
    CHECK(both->seller.state() == w.stored().seller.state());
    CHECK(both->schedule.state() == w.stored().schedule.state());
    CHECK(w.stored().seller.state().status == SellerStatus::active);
    CHECK(w.stored().schedule.state().status == ScheduleStatus::active);
    const auto order = w.next_order();
    REQUIRE(order);
    CHECK(order->type == SchedulerOutboxType::schedule_created);
    CHECK(order->rule_name == "mustit-crawler-s1");
    CHECK(order->schedule_expression == "rate(3 days)");
    CHECK(order->seller == "s1");
    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: who is registered already is a conflict, and nothing changes") {
    SellerWorld w;
    REQUIRE(w.enlist(3));
    REQUIRE(w.next_order());

    CHECK(code_of(w.enlist(7)) == "CONFLICT");

    CHECK(w.stored().seller.state().interval == days(3));
    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: a name that is none is invalid, and nobody is registered") {
    SellerWorld w;
    CHECK(code_of(w.run(w.registration.handle({.id = seller_id("s1"), .name = " "}))) == "INVALID");
    CHECK(code_of(w.run(w.sellers->find(seller_id("s1")))) == "NOT_FOUND");
}

TEST_CASE("sellers: another interval changes the rule; the same one changes nothing") {
    SellerWorld w;
    REQUIRE(w.enlist(1));
    REQUIRE(w.next_order());

    REQUIRE(w.apply(ChangeInterval{days(2)}));
    const auto order = w.next_order();
    REQUIRE(order);
    CHECK(order->type == SchedulerOutboxType::schedule_updated);
    CHECK(order->schedule_expression == "rate(2 days)");
    CHECK(w.stored().seller.state().interval == days(2));
    CHECK(w.stored().schedule.state().interval == days(2));

    REQUIRE(w.apply(ChangeInterval{days(2)}));
    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: a deactivated seller's rule is removed, an activated one's is put back") {
    SellerWorld w;
    REQUIRE(w.enlist(5));
    REQUIRE(w.next_order());

    REQUIRE(w.apply(Deactivate{}));
    CHECK(w.stored().seller.state().status == SellerStatus::inactive);
    CHECK(w.stored().schedule.state().status == ScheduleStatus::inactive);
    CHECK(w.next_order()->type == SchedulerOutboxType::schedule_deleted);

    REQUIRE(w.apply(Activate{}));
    CHECK(w.stored().seller.state().status == SellerStatus::active);
    const auto order = w.next_order();
    CHECK(order->type == SchedulerOutboxType::schedule_created);
    CHECK(order->schedule_expression == "rate(5 days)");
}

TEST_CASE("sellers: what the state does not allow is a conflict that says so, and orders nothing") {
    SellerWorld w;
    REQUIRE(w.enlist());
    REQUIRE(w.next_order());

    const auto active = w.apply(Activate{});
    REQUIRE_FALSE(active);
    CHECK(active.error().detail == "Seller s1 is ACTIVE; cannot activate it");
    REQUIRE(w.apply(Deactivate{}));
    REQUIRE(w.next_order());
    CHECK(code_of(w.apply(Deactivate{})) == "CONFLICT");
    CHECK(code_of(w.apply(ChangeInterval{days(9)})) == "CONFLICT");

    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: a rename orders nothing") {
    SellerWorld w;
    REQUIRE(w.enlist());
    REQUIRE(w.next_order());

    REQUIRE(w.apply(Rename{"새 이름"}));

    CHECK(w.stored().seller.state().name == "새 이름");
    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: a seller that is not there cannot be changed") {
    SellerWorld w;
    CHECK(code_of(w.apply(Rename{"이름"})) == "NOT_FOUND");
}

TEST_CASE("sellers: a rule that failed is tried anew by the same change again") {
    SellerWorld w;
    REQUIRE(w.enlist());
    REQUIRE(w.next_order());
    w.fail_schedule();

    REQUIRE(w.apply(Activate{}));
    CHECK(w.stored().schedule.state().status == ScheduleStatus::active);
    CHECK(w.next_order()->type == SchedulerOutboxType::schedule_created);

    REQUIRE(w.apply(Deactivate{}));
    REQUIRE(w.next_order());
    w.fail_schedule();
    REQUIRE(w.apply(Deactivate{}));
    CHECK(w.stored().schedule.state().status == ScheduleStatus::inactive);
    CHECK(w.next_order()->type == SchedulerOutboxType::schedule_deleted);
}

TEST_CASE("sellers: a change that meets another one is made once more, on what is there then") {
    SellerWorld w;
    REQUIRE(w.enlist());
    REQUIRE(w.next_order());
    w.faults.add({.call = "seller_store.save", .error = {Errc::conflict, "somebody was first"}});

    REQUIRE(w.apply(ChangeInterval{days(4)}));
    CHECK(w.next_order()->schedule_expression == "rate(4 days)");

    w.faults.add({.call = "seller_store.save", .error = {Errc::conflict, "somebody was first"}, .times = 2});
    CHECK(code_of(w.apply(ChangeInterval{days(6)})) == "CONFLICT");
    CHECK(w.stored().seller.state().interval == days(4));
}

TEST_CASE("sellers: a change that may have been stored is not made twice") {
    SellerWorld w;
    REQUIRE(w.enlist());
    REQUIRE(w.next_order());
    w.faults.add({.call = "seller_store.save", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    CHECK(code_of(w.apply(Deactivate{})) == "TIMEOUT");

    CHECK(w.next_order()->type == SchedulerOutboxType::schedule_deleted);
    CHECK_FALSE(w.next_order());
}

TEST_CASE("sellers: who wants a seller crawled now puts on the trigger queue what its schedule would") {
    SellerWorld w;
    application::RequestCrawl request({*w.sellers, *w.queue});
    REQUIRE(w.enlist());

    REQUIRE(w.run(request.handle(seller_id("s1"))));

    const auto messages = w.receive();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].body == R"({"sellerId":"s1"})");
}

TEST_CASE("sellers: only an active seller can be crawled now") {
    SellerWorld w;
    application::RequestCrawl request({*w.sellers, *w.queue});

    CHECK(code_of(w.run(request.handle(seller_id("s1")))) == "NOT_FOUND");
    REQUIRE(w.enlist());
    REQUIRE(w.apply(Deactivate{}));
    CHECK(code_of(w.run(request.handle(seller_id("s1")))) == "CONFLICT");

    CHECK(w.receive().empty());
}

TEST_CASE("sellers: a trigger queue that refuses the message is no crawl") {
    SellerWorld w;
    application::RequestCrawl request({*w.sellers, *w.queue});
    REQUIRE(w.enlist());
    const auto* call = GENERATE("message_queue.send", "message_queue.send_one");
    w.faults.add({.call = call, .error = {Errc::unavailable, "no queue"}});

    CHECK(code_of(w.run(request.handle(seller_id("s1")))) == "UNAVAILABLE");
}

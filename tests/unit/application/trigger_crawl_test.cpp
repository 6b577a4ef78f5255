#include <catch2/catch_test_macros.hpp>

#include "line_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

bool is_ack(const Result<ports::Disposition>& result) {
    return result && std::holds_alternative<ports::Ack>(*result);
}

Duration retry_wait(const Result<ports::Disposition>& result) {
    REQUIRE(result);
    REQUIRE(std::holds_alternative<ports::RetryAfter>(*result));
    return std::get<ports::RetryAfter>(*result).wait;
}

}  // namespace

TEST_CASE("trigger: an unknown seller begins no run, and the message is done with") {
    LineWorld w;

    const auto result = w.begin_crawl("nobody");

    CHECK(is_ack(result));
    CHECK(w.events<ports::CrawlRefused>().at(0).error.code == Errc::not_found);
    CHECK(w.events<ports::CrawlTriggered>().empty());
}

TEST_CASE("trigger: an inactive seller begins no run") {
    LineWorld w;
    w.enroll("s1", 3);
    auto both = *w.run(w.sellers->find_both(seller_id("s1")));
    REQUIRE(both.seller.deactivate(w.clock.now()));
    REQUIRE(w.run(w.sellers->save(both, std::nullopt)));

    const auto result = w.begin_crawl("s1");

    CHECK(is_ack(result));
    CHECK(w.events<ports::CrawlRefused>().size() == 1);
    CHECK(w.events<ports::CrawlTriggered>().empty());
}

TEST_CASE("trigger: an empty catalogue is a finished run, not an error") {
    LineWorld w;
    w.enroll("s1", 0);

    CHECK(is_ack(w.begin_crawl("s1")));

    const auto id = w.events<ports::CrawlTriggered>().at(0).execution;
    CHECK(w.run(w.executions->find(id))->state().status == ExecutionStatus::completed);
}

TEST_CASE("trigger: without a slot nothing is asked, the message comes back and the lease is free") {
    LineWorld w;
    w.enroll("s1", 3);

    const auto result = w.run(w.trigger.handle(seller_id("s1")));

    CHECK(retry_wait(result) == 1s);
    CHECK(w.events<ports::CrawlTriggered>().empty());
    CHECK(w.run(w.leases->acquire("trigger/s1", "another", 1min))->has_value());
}

TEST_CASE("trigger: while another process triggers the same seller the message waits") {
    LineWorld w;
    w.enroll("s1", 3);
    REQUIRE(w.run(w.leases->acquire("trigger/s1", "another", 1min)));

    // Once is enough: by then a holder that died has lost it.
    CHECK(retry_wait(w.begin_crawl("s1")) == 1min);

    w.time.advance(1min);
    CHECK(is_ack(w.begin_crawl("s1")));
}

TEST_CASE("trigger: a marketplace that does not answer is an error, leaves no run and gives the lease back") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "marketplace.count_items", .error = {Errc::timeout, "no answer"}});

    const auto failed = w.begin_crawl("s1");

    REQUIRE_FALSE(failed);
    CHECK(failed.error().code == Errc::timeout);
    CHECK(w.events<ports::CrawlTriggered>().empty());
    const auto lease = w.run(w.leases->acquire("trigger/s1", "another", 1min));
    CHECK(lease->has_value());
}

TEST_CASE("trigger: a run that cannot be stored is an error, and nothing of it is there") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "execution_store.start", .error = {Errc::unavailable, "no database"}});

    const auto failed = w.begin_crawl("s1");

    CHECK_FALSE(failed);
    CHECK(*w.run(w.relay.run_once()) == 0);
    CHECK(w.run(w.sellers->find(seller_id("s1")))->state().total_product_count == 0);
}

TEST_CASE("trigger: a lease that cannot be given back does not undo the run") {
    LineWorld w;
    w.enroll("s1", 3);
    w.faults.add({.call = "lease.release", .error = {Errc::unavailable, "no database"}});

    CHECK(is_ack(w.begin_crawl("s1")));

    CHECK(w.events<ports::CrawlTriggered>().size() == 1);
    CHECK(w.events<ports::LeaseUnreleased>().size() == 1);
}

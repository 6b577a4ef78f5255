// What the worker does about each class of error.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "line_world.hpp"
#include "scripted_marketplace.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// The first listing task of a seller with three items, published, and five identities.
struct RemedyWorld : LineWorld {
    ScriptedMarketplace shop{*marketplace, clock};
    application::ExecuteTask worker{{*tasks, *identities, shop, *ids, clock, pause, *telemetry}, slots, {}};
    TaskId task;

    RemedyWorld() : LineWorld{.identity_count = 5} {
        enroll("s1", 3);
        REQUIRE(begin_crawl("s1"));
        REQUIRE(run(relay.run_once()));
        task = TaskId{receive().at(0).body};
        time.advance(1s);
    }
    void fails(Errc code, std::optional<Duration> retry_after = {}) {
        shop.pages.emplace_back(Error{code, "on purpose", retry_after});
    }
    void work() {
        const auto disposition = run(worker.handle(task));
        REQUIRE(disposition);
        CHECK(std::holds_alternative<ports::Ack>(*disposition));
    }
    CrawlerTask::State state() { return run(tasks->load(task))->state(); }
    PoolStatus pool() { return run(identities->look(1min))->identities; }
    // When the entry that brings the task back is due.
    Duration comes_back_after() {
        const auto now = clock.now();
        const auto claimed = run(task_outbox->claim(1, now + 48h, 1s));
        REQUIRE(claimed);
        REQUIRE(claimed->size() == 1);
        return claimed->front().state().due_at - now;
    }
    std::set<UserAgentId> who_asked() const {
        std::set<UserAgentId> who;
        for (const auto& request : shop.requests) who.insert(request.identity);
        return who;
    }
    bool has_failed_as(ErrorClass why) {
        const auto task_state = state();
        return task_state.status == TaskStatus::retry && task_state.retry_count == 1 && task_state.error_class == why;
    }
};

}  // namespace

TEST_CASE("remedies: without a slot nothing is asked, the task comes back and no retry is burned") {
    RemedyWorld w;
    const auto no_more = Error{Errc::unavailable, "no pool"};
    SECTION("the pool has none now") {
        while (std::holds_alternative<ports::Slot>(*w.run(w.identities->reserve()))) {
        }
    }
    SECTION("the pool does not answer") {
        w.faults.add({.call = "identity_pool.reserve", .error = no_more});
    }

    w.work();

    CHECK(w.shop.requests.empty());
    CHECK(w.state().status == TaskStatus::retry);
    CHECK(w.state().retry_count == 0);
    CHECK_FALSE(w.state().error_class);
    CHECK(w.events<ports::TaskPostponed>().size() == 1);
    CHECK(w.events<ports::TaskFailed>().empty());
    CHECK(w.comes_back_after() == 1s);
}

TEST_CASE("remedies: after a 429 another identity asks at once, and it costs no retry") {
    RemedyWorld w;
    w.fails(Errc::rate_limited);
    w.fails(Errc::rate_limited);

    w.work();

    CHECK(w.state().status == TaskStatus::completed);
    CHECK(w.state().retry_count == 0);
    CHECK(w.shop.requests.size() == 3);
    CHECK(w.who_asked().size() == 3);
    CHECK(w.pause.passed.empty());
    CHECK(w.pool().suspended == 2);
    CHECK(w.events<ports::TaskFailed>().empty());
}

TEST_CASE("remedies: a 429 costs a retry where no identity is left, and the task waits as long as was asked") {
    RemedyWorld w;
    while (std::holds_alternative<ports::Slot>(*w.run(w.identities->reserve()))) {
    }
    w.time.advance(71s);  // the leases are over: all but the shelf's are taken again
    REQUIRE(w.run(w.slots.fill(1))->slots == 1);
    while (std::holds_alternative<ports::Slot>(*w.run(w.identities->reserve()))) {
    }
    w.fails(Errc::rate_limited, 5min);

    w.work();

    CHECK(w.shop.requests.size() == 1);
    CHECK(w.has_failed_as(ErrorClass::throttled));
    CHECK(w.state().error_message == "RATE_LIMITED: on purpose");
    CHECK(w.comes_back_after() == 5min);
}

TEST_CASE("remedies: the pool is told how long a 429 asked to wait") {
    RemedyWorld w;
    w.fails(Errc::rate_limited, 3h);
    w.work();

    w.time.advance(2h);  // longer than a suspension that nobody asked for
    REQUIRE(w.run(w.identities->reserve()));

    CHECK(w.pool().suspended == 1);
}

TEST_CASE("remedies: what may pass is asked three times within the attempt, after a wait each") {
    RemedyWorld w;
    SECTION("5xx") {
        w.fails(Errc::unavailable);
        w.fails(Errc::unavailable);
    }
    SECTION("no answer in time") {
        w.fails(Errc::timeout);
        w.fails(Errc::timeout);
    }

    w.work();

    CHECK(w.state().status == TaskStatus::completed);
    CHECK(w.state().attempt == 1);
    CHECK(w.state().retry_count == 0);
    CHECK(w.shop.requests.size() == 3);
    REQUIRE(w.pause.passed.size() == 2);
    CHECK(w.pause.passed[0] >= 250ms);
    CHECK(w.pause.passed[0] <= 500ms);
    CHECK(w.pause.passed[1] >= 500ms);
    CHECK(w.pause.passed[1] <= 1s);
}

TEST_CASE("remedies: what has not passed after three tries costs a retry") {
    RemedyWorld w;
    for (int i = 0; i < 3; ++i) w.fails(Errc::unavailable);

    w.work();

    CHECK(w.shop.requests.size() == 3);
    CHECK(w.has_failed_as(ErrorClass::transient));
    CHECK_FALSE(w.events<ports::TaskFailed>().at(0).final);
}

TEST_CASE("remedies: between two tries it waits as long as the site asked") {
    RemedyWorld w;
    w.fails(Errc::unavailable, 20s);

    w.work();

    CHECK(w.state().status == TaskStatus::completed);
    CHECK(w.pause.passed == std::vector<Duration>{20s});
    CHECK(w.shop.requests.at(1).at - w.shop.requests.at(0).at == 20s);
}

TEST_CASE("remedies: no try begins that the task's lease might not cover; the task comes back when the site said") {
    RemedyWorld w;
    w.fails(Errc::unavailable, 91s);  // of the lease's two minutes, half a minute is for the request itself

    w.work();

    CHECK(w.pause.passed.empty());
    CHECK(w.shop.requests.size() == 1);
    CHECK(w.has_failed_as(ErrorClass::transient));
    CHECK(w.comes_back_after() == 91s);
}

TEST_CASE("remedies: a slot for which there is no time left goes back to the shelf") {
    RemedyWorld w;
    application::ExecuteTask hasty({*w.tasks, *w.identities, w.shop, *w.ids, w.clock, w.pause, *w.telemetry}, w.slots,
                                   {.lease = 20s});
    w.fails(Errc::rate_limited);

    REQUIRE(w.run(hasty.handle(w.task)));

    CHECK(w.shop.requests.size() == 1);
    CHECK(w.slots.take());
    CHECK(w.has_failed_as(ErrorClass::throttled));
}

TEST_CASE("remedies: where no slot is left for another try the attempt is over") {
    RemedyWorld w;
    w.fails(Errc::unavailable);
    w.faults.add({.call = "identity_pool.reserve", .error = {Errc::unavailable, "no pool"}, .nth = 2});

    w.work();

    CHECK(w.shop.requests.size() == 1);
    CHECK(w.has_failed_as(ErrorClass::transient));
}

TEST_CASE("remedies: after a 401 or 403 another identity asks once more") {
    RemedyWorld w;
    w.fails(Errc::blocked);

    w.work();

    CHECK(w.state().status == TaskStatus::completed);
    CHECK(w.state().retry_count == 0);
    CHECK(w.who_asked().size() == 2);
    CHECK(w.pause.passed.empty());
}

TEST_CASE("remedies: what is refused twice costs a retry") {
    RemedyWorld w;
    w.fails(Errc::blocked);
    w.fails(Errc::blocked);

    w.work();

    CHECK(w.shop.requests.size() == 2);
    CHECK(w.has_failed_as(ErrorClass::auth));
}

TEST_CASE("remedies: each class of error has remedies of its own within one attempt") {
    RemedyWorld w;
    w.fails(Errc::rate_limited);
    w.fails(Errc::unavailable);
    w.fails(Errc::blocked);
    w.fails(Errc::unavailable);

    w.work();

    CHECK(w.state().status == TaskStatus::completed);
    CHECK(w.shop.requests.size() == 5);
}

TEST_CASE("remedies: what can never succeed is asked once and ends the task") {
    RemedyWorld w;
    SECTION("another 4xx, or a body that is no answer") {
        w.fails(Errc::invalid);
    }
    SECTION("a listing that is gone") {
        w.fails(Errc::not_found);
    }

    w.work();

    CHECK(w.shop.requests.size() == 1);
    CHECK(w.state().status == TaskStatus::failed);
    CHECK(w.events<ports::TaskFailed>().at(0).final);
    CHECK(w.pause.passed.empty());
}

TEST_CASE("remedies: what the last try brought is not called a success before it is stored") {
    RemedyWorld w;
    w.fails(Errc::unavailable);
    w.faults.add({.call = "task_store.finish", .error = {Errc::unavailable, "no database"}, .times = 100});

    CHECK_FALSE(w.run(w.worker.handle(w.task)));

    CHECK(w.state().status == TaskStatus::in_progress);
    CHECK(w.events<ports::TaskSucceeded>().empty());
    CHECK(w.run(w.raws->claim(10, w.clock.now(), 1s))->empty());
}

TEST_CASE("remedies: what a listing announces is noted with its run, the highest of all") {
    RemedyWorld w;
    ports::Page page{.body = "{}", .announced = 7};
    w.shop.pages.emplace_back(page);

    w.work();

    CHECK(w.run(w.executions->find(w.state().execution))->state().announced == 7);
}

TEST_CASE("remedies: follow-ups that the run has already are not told of") {
    RemedyWorld w;
    ports::Page page{.body = "{}"};
    for (const ItemNo item : {1, 2, 1}) page.follow_ups.push_back(*RequestUrl::detail(item));
    page.follow_ups.push_back(w.state().request_url);
    w.shop.pages.emplace_back(page);

    w.work();

    CHECK(w.events<ports::TaskSucceeded>().at(0).follow_ups == 2);
    CHECK(*w.run(w.relay.run_once()) == 2);
}

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <set>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using OutboxFixtures = OutboxesOf<StoreFixtures>::Type;

constexpr RetryPolicy one_retry{.max_retries = 1, .first_wait = 10s, .jitter_percent = 0};
constexpr auto lease = 60s;

template <class Fixture>
std::vector<OutboxEntry> claim(Fixture& f, TimePoint now = t0, int limit = 100) {
    auto claimed = f.run(f.outbox().claim(limit, now, lease));
    REQUIRE(claimed);
    return *claimed;
}

template <class Fixture>
std::size_t settle(Fixture& f, std::vector<OutboxEntry> entries) {
    const auto settled = f.run(f.outbox().settle(std::move(entries), t0 + 1s));
    REQUIRE(settled);
    return *settled;
}

std::vector<std::string> ids(const std::vector<OutboxEntry>& entries) {
    std::vector<std::string> ids;
    for (const auto& entry : entries) ids.push_back(entry.state().id.value);
    return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("outbox: a claimed entry is the one that was written, under a lease", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({OutboxEntry::create({OutboxId{"o-1"}, "s-1", R"({"name":"가방 'x' \\ 👜"})", "key-1", {}, "group-1"},
                               t0 - 1us)});

    const auto claimed = claim(f, t0);

    REQUIRE(claimed.size() == 1);
    const auto& state = claimed[0].state();
    CHECK(state.id == OutboxId{"o-1"});
    CHECK(state.subject == "s-1");
    CHECK(state.group == "group-1");
    CHECK(state.payload == R"({"name":"가방 'x' \\ 👜"})");
    CHECK(state.idempotency_key == "key-1");
    CHECK(state.status == OutboxStatus::processing);
    CHECK(state.attempt == 1);
    CHECK(state.retry_count == 0);
    CHECK(state.lease_until == t0 + lease);
    CHECK(state.created_at == t0 - 1us);
}

TEMPLATE_LIST_TEST_CASE("outbox: an empty outbox has nothing to claim", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    CHECK(claim(f).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: a claimed entry is not claimed twice", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});

    CHECK(claim(f).size() == 1);
    CHECK(claim(f, t0 + lease - 1us).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: two claimers never share an entry and leave none", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    std::vector<OutboxEntry> entries;
    for (int i = 100; i < 200; ++i) entries.push_back(an_entry("o-" + std::to_string(i), "s-" + std::to_string(i)));
    f.put(entries);

    Ids all;
    for (int round = 0; round < 5; ++round) {
        auto [one, two] = f.run_both(f.outbox().claim(10, t0, lease), f.outbox().claim(10, t0, lease));
        REQUIRE(one);
        REQUIRE(two);
        std::ranges::copy(ids(*one), std::back_inserter(all));
        std::ranges::copy(ids(*two), std::back_inserter(all));
    }
    std::ranges::copy(ids(claim(f)), std::back_inserter(all));  // where a claimer came away with less than it asked for

    std::ranges::sort(all);
    CHECK(all == ids(entries));
}

TEMPLATE_LIST_TEST_CASE("outbox: an entry is not claimed before it is due", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1", t0 + 5s)});

    CHECK(claim(f, t0 + 5s - 1us).empty());
    CHECK(claim(f, t0 + 5s).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("outbox: the limit is kept, and the oldest come first", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-4", "s-4", t0 + 3s), an_entry("o-1", "s-1", t0 + 1s), an_entry("o-3", "s-3", t0 + 2s),
           an_entry("o-2", "s-2", t0 + 1s)});

    CHECK(ids(claim(f, t0 + 1h, 3)) == Ids{"o-1", "o-2", "o-3"});
    CHECK(ids(claim(f, t0 + 1h - 1s, 3)) == Ids{"o-4"});
}

TEMPLATE_LIST_TEST_CASE("outbox: a lease that is over gives the entry to the next, one attempt on",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    REQUIRE(claim(f).size() == 1);

    const auto again = claim(f, t0 + lease);

    REQUIRE(again.size() == 1);
    CHECK(again[0].state().attempt == 2);
    CHECK(again[0].state().retry_count == 0);
    CHECK(again[0].state().lease_until == t0 + lease + lease);
}

TEMPLATE_LIST_TEST_CASE("outbox: a sent entry never comes back", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_sent());

    CHECK(settle(f, claimed) == 1);
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: an entry that nobody got to comes back at once, with all its retries",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).release());

    CHECK(settle(f, claimed) == 1);
    const auto again = claim(f, t0 + 1s);
    REQUIRE(again.size() == 1);
    CHECK(again[0].state().attempt == 2);
    CHECK(again[0].state().retry_count == 0);
}

TEMPLATE_LIST_TEST_CASE("outbox: a failed entry comes back when it is due, with what happened", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_failed({Errc::unavailable, "down; '닫힘'"}, one_retry, t0));

    CHECK(settle(f, claimed) == 1);

    CHECK(claim(f, t0 + 10s - 1us).empty());
    const auto again = claim(f, t0 + 10s);
    REQUIRE(again.size() == 1);
    CHECK(again[0].state().status == OutboxStatus::processing);
    CHECK(again[0].state().idempotency_key == "key-o-1");
    CHECK(again[0].state().attempt == 2);
    CHECK(again[0].state().retry_count == 1);
    CHECK(again[0].state().error_message == "UNAVAILABLE: down; '닫힘'");
}

TEMPLATE_LIST_TEST_CASE("outbox: a dead entry never comes back", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_failed({Errc::invalid, "refused"}, one_retry, t0));
    REQUIRE(claimed.at(0).state().status == OutboxStatus::dead);

    CHECK(settle(f, claimed) == 1);
    CHECK(claim(f, t0 + 24h * 365).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: settling a claim that was lost changes nothing", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto lost = claim(f);
    auto current = claim(f, t0 + lease);
    REQUIRE(lost.at(0).mark_sent());

    CHECK(settle(f, lost) == 0);

    REQUIRE(current.at(0).mark_failed({Errc::timeout, "late"}, one_retry, t0 + lease));
    CHECK(settle(f, current) == 1);
    CHECK(claim(f, t0 + lease + 10s).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("outbox: a lease that is over but went to nobody else can still be settled",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto late = claim(f);
    REQUIRE(late.at(0).mark_sent());

    CHECK(*f.run(f.outbox().settle(late, t0 + 10 * lease)) == 1);
    CHECK(claim(f, t0 + 20 * lease).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: an entry is settled once", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto sent = claim(f);
    auto failed = sent;
    REQUIRE(sent.at(0).mark_sent());
    REQUIRE(failed.at(0).mark_failed({Errc::timeout, "late"}, one_retry, t0));

    CHECK(settle(f, sent) == 1);
    CHECK(settle(f, failed) == 0);
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: lost and unknown entries are counted out, the others are stored", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-2")});
    auto entries = claim(f, t0, 1);
    REQUIRE(claim(f, t0 + lease, 1).size() == 1);
    std::ranges::copy(claim(f, t0 + lease, 1), std::back_inserter(entries));
    entries.push_back(an_entry("o-9", "s-9"));
    REQUIRE(entries.back().claim(t0, lease));
    for (auto& entry : entries) REQUIRE(entry.mark_sent());

    CHECK(settle(f, entries) == 1);
    CHECK(settle(f, {}) == 0);
}

TEMPLATE_LIST_TEST_CASE("outbox: of one subject only the oldest unsent entry is handed out", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1", t0), an_entry("o-2", "s-1", t0), an_entry("o-3", "s-2", t0)});

    auto first = claim(f, t0);
    CHECK(ids(first) == Ids{"o-1", "o-3"});
    CHECK(claim(f, t0 + 1s).empty());

    REQUIRE(first.at(0).mark_sent());
    REQUIRE(settle(f, {first.at(0)}) == 1);
    CHECK(ids(claim(f, t0 + 2s)) == Ids{"o-2"});
}

TEMPLATE_LIST_TEST_CASE("outbox: an entry that waits for its retry holds the younger of its subject back",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    f.put({an_entry("o-2", "s-1", t0 + 1us)});
    auto claimed = claim(f, t0 + 1s);
    REQUIRE(ids(claimed) == Ids{"o-1"});
    REQUIRE(claimed.at(0).mark_failed({Errc::timeout, "late"}, one_retry, t0 + 1s));
    REQUIRE(settle(f, claimed) == 1);

    CHECK(claim(f, t0 + 11s - 1us).empty());
    CHECK(ids(claim(f, t0 + 11s)) == Ids{"o-1"});
}

TEMPLATE_LIST_TEST_CASE(
    "outbox: an entry that waits for its retry holds no other subject back, be it of the same group",
    "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1").with_group("item-4711"), an_entry("o-2", "s-2", t0 + 1s).with_group("item-4711")});
    auto claimed = claim(f, t0);
    REQUIRE(ids(claimed) == Ids{"o-1"});
    REQUIRE(claimed.at(0).mark_failed({Errc::timeout, "late"}, one_retry, t0));
    REQUIRE(settle(f, claimed) == 1);

    CHECK(ids(claim(f, t0 + 1s)) == Ids{"o-2"});
}

TEMPLATE_LIST_TEST_CASE("outbox: after a lost lease the same entry comes before the younger of its subject",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-1")});
    REQUIRE(ids(claim(f)) == Ids{"o-1"});

    CHECK(ids(claim(f, t0 + lease)) == Ids{"o-1"});
}

TEMPLATE_LIST_TEST_CASE("outbox: a dead entry holds nobody back", "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_failed({Errc::invalid, "refused"}, one_retry, t0));
    REQUIRE(settle(f, claimed) == 1);

    CHECK(ids(claim(f)) == Ids{"o-2"});
}

TEMPLATE_LIST_TEST_CASE("task outbox: SENT makes the task PUBLISHED", "[contract][outbox]", StoreFixtures) {
    TaskOutbox<TestType> f;
    f.put({an_entry("o-1", "t-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_sent());

    REQUIRE(settle(f, claimed) == 1);

    const auto task = f.run(f.tasks->load(TaskId{"t-1"}));
    CHECK(task->state().status == TaskStatus::published);
    CHECK(task->state().updated_at == t0 + 1s);
}

TEMPLATE_LIST_TEST_CASE("task outbox: who loaded the task before it was published cannot save it over",
                        "[contract][outbox]", StoreFixtures) {
    TaskOutbox<TestType> f;
    f.put({an_entry("o-1", "t-1")});
    const auto stale = *f.run(f.tasks->load(TaskId{"t-1"}));
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_sent());
    REQUIRE(settle(f, claimed) == 1);

    CHECK(code_of(f.run(f.tasks->save(stale))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("task outbox: failed, dead and lost entries leave the task as it is", "[contract][outbox]",
                        StoreFixtures) {
    TaskOutbox<TestType> f;
    f.put({an_entry("o-1", "t-1")});
    auto claimed = claim(f);

    SECTION("failed") {
        REQUIRE(claimed.at(0).mark_failed({Errc::timeout, "late"}, one_retry, t0));
    }
    SECTION("dead") {
        REQUIRE(claimed.at(0).mark_failed({Errc::invalid, "no"}, one_retry, t0));
    }
    SECTION("lost") {
        REQUIRE(claimed.at(0).mark_sent());
        REQUIRE(claim(f, t0 + lease).size() == 1);
    }
    settle(f, claimed);

    CHECK(f.run(f.tasks->load(TaskId{"t-1"}))->state().status == TaskStatus::waiting);
}

TEMPLATE_LIST_TEST_CASE("task outbox: a task that has moved on stays as it is", "[contract][outbox]", StoreFixtures) {
    TaskOutbox<TestType> f;
    f.put({an_entry("o-1", "t-1")});
    auto claimed = claim(f);
    auto task = *f.run(f.tasks->load(TaskId{"t-1"}));
    REQUIRE(task.publish(t0));
    REQUIRE(task.start(t0, 60s));
    REQUIRE(f.run(f.tasks->save(task)));
    REQUIRE(claimed.at(0).mark_sent());

    CHECK(settle(f, claimed) == 1);
    CHECK(f.run(f.tasks->load(TaskId{"t-1"}))->state().status == TaskStatus::in_progress);
}

TEMPLATE_LIST_TEST_CASE("outbox: a lane with a thousand entries does not hold up one with ten", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    std::vector<OutboxEntry> entries;
    for (int i = 0; i < 1000; ++i) {
        const auto number = std::to_string(10'000 + i);
        entries.push_back(an_entry("a-" + number, "big-" + number, t0 - 1h).in_lane("big"));
    }
    for (int i = 0; i < 10; ++i) {
        const auto number = std::to_string(i);
        entries.push_back(an_entry("b-" + number, "small-" + number, t0).in_lane("small"));
    }
    f.put(entries);

    const auto claimed = f.run(f.outbox().claim(20, t0, 60s));

    REQUIRE(claimed);
    CHECK(claimed->size() == 20);
    CHECK(std::ranges::count(*claimed, "small", [](const auto& e) { return e.state().lane; }) == 10);
}

TEMPLATE_LIST_TEST_CASE("outbox: what a short lane leaves over goes to the long ones, and every lane has its turn",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    std::vector<OutboxEntry> entries;
    for (int lane = 0; lane < 5; ++lane) {
        for (int i = 0; i < (lane == 0 ? 50 : 2); ++i) {
            const auto name = std::to_string(lane) + "-" + std::to_string(i + 100);
            entries.push_back(an_entry("o-" + name, "s-" + name).in_lane("lane-" + std::to_string(lane)));
        }
    }
    f.put(entries);

    CHECK(f.run(f.outbox().claim(40, t0, 60s))->size() == 40);
    CHECK(f.run(f.outbox().claim(40, t0, 60s))->size() == 18);
    CHECK(f.run(f.outbox().claim(40, t0, 60s))->empty());

    std::set<std::string> served;
    for (int i = 0; i < 5; ++i) {
        const auto one = f.run(f.outbox().claim(1, t0 + 60s, 60s));
        REQUIRE(one->size() == 1);
        served.insert(one->front().state().lane);
    }
    CHECK(served.size() == 5);
}

TEMPLATE_LIST_TEST_CASE("outbox: lanes in which nothing is due hold up nobody, however many there are",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    std::vector<OutboxEntry> entries;
    const auto add = [&](const std::string& name, int lane, TimePoint due) {
        const auto number = std::to_string(lane + 1000);
        entries.push_back(an_entry(name + number, name + number).in_lane("lane-" + number).due(due));
    };
    for (int lane = 0; lane < 150; ++lane) {
        add("early-", lane, t0 + 1h);
        add("late-", lane, t0 + 2h);
    }
    add("due-", 120, t0);
    f.put(entries);
    f.put({an_entry("nameless", "s-1")});

    auto claimed = ids(claim(f, t0));

    std::ranges::sort(claimed);
    CHECK(claimed == Ids{"due-1120", "nameless"});
    CHECK(claim(f, t0 + 1s).empty());
}

TEMPLATE_LIST_TEST_CASE("outbox: of more lanes than one claim serves, each has its turn with the next claims",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    std::vector<OutboxEntry> entries;
    for (int lane = 100; lane < 250; ++lane) {
        for (int i = 0; i < 2; ++i) {
            const auto name = std::to_string(lane) + "-" + std::to_string(i);
            entries.push_back(an_entry("o-" + name, "s-" + name).in_lane("lane-" + std::to_string(lane)));
        }
    }
    f.put(entries);

    std::set<std::string> lanes;
    for (int i = 0; i < 3; ++i) {
        for (const auto& entry : claim(f, t0, 50)) lanes.insert(entry.state().lane);
    }

    CHECK(lanes.size() == 150);
}

TEMPLATE_LIST_TEST_CASE("outbox: a failure is stored and can be read, whatever bytes came with it",
                        "[contract][outbox]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-2")});
    auto claimed = claim(f);
    const auto endless = std::string(17'000'000, 'x');
    REQUIRE(claimed.at(0).mark_failed({Errc::unavailable, "cut off: \xEA\xB0"}, one_retry, t0));
    REQUIRE(claimed.at(1).mark_failed({Errc::unavailable, "\xFF too long: " + endless}, one_retry, t0));

    CHECK(settle(f, claimed) == 2);

    const auto again = claim(f, t0 + 10s);
    REQUIRE(again.size() == 2);
    CHECK(again[0].state().error_message.starts_with("UNAVAILABLE: cut off: "));
    CHECK((again[1].state().error_message.find(" too long: xxx") != std::string::npos));
}

TEMPLATE_LIST_TEST_CASE("outbox: a death is stored, whatever bytes came with it", "[contract][outbox]",
                        OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(claimed.at(0).mark_failed({Errc::invalid, "cut off: \xEA\xB0"}, one_retry, t0));

    CHECK(settle(f, claimed) == 1);
    CHECK(claim(f, t0 + 24h).empty());
}

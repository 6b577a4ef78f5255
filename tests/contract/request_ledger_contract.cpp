#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

ports::LedgerEntry reserved(const std::string& reservation, TimePoint at, const std::string& identity = "ua-1") {
    return {.reservation = reservation, .identity = {identity}, .reserved = at, .lease_end = at + 60s};
}

template <class Stores>
std::vector<std::string> since(Stores& f, TimePoint from, std::optional<UserAgentId> identity = {}) {
    std::vector<std::string> reservations;
    const auto entries = f.run(f.ledger->since(from, identity));
    REQUIRE(entries);
    for (const auto& entry : *entries) reservations.push_back(entry.reservation);
    return reservations;
}

using Names = std::vector<std::string>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("ledger: what was reserved is found as it was, oldest first", "[contract][ledger]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-2", t0 + 1us))));
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0 + 2us, "ua-2"))));
    REQUIRE(f.run(f.ledger->reserve(reserved("r-0", t0))));

    CHECK(since(f, t0) == Names{"r-0", "r-2", "r-1"});
    CHECK(since(f, t0 + 1us) == Names{"r-2", "r-1"});
    CHECK(since(f, t0, UserAgentId{"ua-2"}) == Names{"r-1"});
    CHECK(since(f, t0, UserAgentId{"ua-3"}).empty());
    CHECK(f.run(f.ledger->since(t0, {}))->front() == reserved("r-0", t0));
}

TEMPLATE_LIST_TEST_CASE("ledger: a reservation is made once", "[contract][ledger]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0))));

    CHECK(code_of(f.run(f.ledger->reserve(reserved("r-1", t0 + 1s)))) == "CONFLICT");
    CHECK(f.run(f.ledger->since(t0, {}))->size() == 1);
}

TEMPLATE_LIST_TEST_CASE("ledger: the first answer to a reservation holds", "[contract][ledger]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0))));

    REQUIRE(f.run(f.ledger->answer({"r-1", t0 + 1us, RequestOutcome::throttled})));
    REQUIRE(f.run(f.ledger->answer({"r-1", t0 + 9s, RequestOutcome::succeeded})));

    const auto entry = f.run(f.ledger->since(t0, {}))->front();
    CHECK(entry.answered == t0 + 1us);
    CHECK(entry.outcome == RequestOutcome::throttled);
    CHECK(code_of(f.run(f.ledger->answer({"r-2", t0, RequestOutcome::succeeded}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("ledger: a task that is finished stamps the request it took", "[contract][ledger]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0))));
    auto task = a_running_task("t-1").build();
    start_run(f, "e-1", {task});
    REQUIRE(task.complete(t0 + 2s));

    ports::TaskOutcome outcome{.task = task};
    outcome.stamp = ports::LedgerStamp{"r-1", t0 + 1s, RequestOutcome::succeeded};
    REQUIRE(f.run(f.tasks->finish(outcome)));

    CHECK(f.run(f.ledger->since(t0, {}))->front().answered == t0 + 1s);
}

TEMPLATE_LIST_TEST_CASE("ledger: a task that cannot be finished stamps nothing, and an unknown request hinders no task",
                        "[contract][ledger]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0))));
    auto task = a_running_task("t-1").build();
    start_run(f, "e-1", {task});
    auto stale = task.state();
    stale.revision = 7;
    auto lost = CrawlerTask::restore(stale);
    REQUIRE(lost.complete(t0 + 2s));
    ports::TaskOutcome refused{.task = lost};
    refused.stamp = ports::LedgerStamp{"r-1", t0 + 1s, RequestOutcome::succeeded};
    CHECK(code_of(f.run(f.tasks->finish(refused))) == "CONFLICT");
    CHECK_FALSE(f.run(f.ledger->since(t0, {}))->front().answered);

    REQUIRE(task.complete(t0 + 2s));
    ports::TaskOutcome outcome{.task = task};
    outcome.stamp = ports::LedgerStamp{"r-9", t0 + 1s, RequestOutcome::succeeded};
    CHECK(f.run(f.tasks->finish(outcome)));
}

TEMPLATE_LIST_TEST_CASE("ledger: it knows who reserved since when", "[contract][ledger]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.ledger->reserve(reserved("r-1", t0, "ua-3"))));
    REQUIRE(f.run(f.ledger->reserve(reserved("r-2", t0 + 1s, "ua-2"))));
    REQUIRE(f.run(f.ledger->reserve(reserved("r-3", t0 + 2s, "ua-2"))));
    REQUIRE(f.run(f.ledger->reserve(reserved("r-4", t0 + 3s, "ua-1"))));
    using Ids = std::vector<UserAgentId>;

    CHECK(*f.run(f.ledger->identities(t0)) == Ids{{"ua-1"}, {"ua-2"}, {"ua-3"}});
    CHECK(*f.run(f.ledger->identities(t0 + 2s)) == Ids{{"ua-1"}, {"ua-2"}});
    CHECK(f.run(f.ledger->identities(t0 + 1h))->empty());
}

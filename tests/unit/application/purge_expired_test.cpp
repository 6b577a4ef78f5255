#include "application/purge_expired.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

#include "adapters/memory/memory.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using application::PurgeExpired;
using application::RetentionSettings;
using ports::Expendable;

namespace {

// Has so many rows of each kind to give, and remembers how it was asked.
class Stock final : public ports::Retention {
  public:
    std::map<Expendable, std::size_t> rows;
    std::map<Expendable, std::vector<TimePoint>> asked;
    std::map<Expendable, Error> broken;

    Async<Result<std::size_t>> purge(Expendable what, TimePoint before, int limit) override {
        asked[what].push_back(before);
        if (broken.contains(what)) co_return broken.at(what);
        const auto gone = std::min(rows[what], static_cast<std::size_t>(limit));
        rows[what] -= gone;
        co_return gone;
    }
};

struct PurgeWorld {
    ManualClock clock;
    Stock stock;
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();

    Result<std::size_t> pass(RetentionSettings settings = {}) {
        PurgeExpired purge({stock, clock, *telemetry}, settings);
        return run(purge.run_once());
    }
    std::map<Expendable, std::size_t> purged() const {
        std::map<Expendable, std::size_t> rows;
        for (const auto& event : told<ports::Purged>(*telemetry)) rows[event.what] += event.rows;
        return rows;
    }
};

}  // namespace

TEST_CASE("purge: every kind is asked for what ended its own age ago") {
    PurgeWorld w;
    RetentionSettings settings;
    settings.age.finished_tasks = 30h;
    settings.age.ledger_entries = 2h;

    REQUIRE(w.pass(settings));

    CHECK(w.stock.asked.size() == names(Expendable{}).size());
    CHECK(w.stock.asked[Expendable::finished_tasks] == std::vector{t0 - 30h});
    CHECK(w.stock.asked[Expendable::ledger_entries] == std::vector{t0 - 2h});
    CHECK(w.stock.asked[Expendable::sent_tasks] == std::vector{t0 - settings.age.sent_tasks});
}

TEST_CASE("purge: batches follow each other until one is not full") {
    PurgeWorld w;
    w.stock.rows[Expendable::sent_tasks] = 25;

    const auto left = w.pass({.age = {}, .batch = 10, .most_batches = 20});

    CHECK(*left == 0);
    CHECK(w.stock.rows[Expendable::sent_tasks] == 0);
    CHECK(w.stock.asked[Expendable::sent_tasks].size() == 3);
    CHECK(w.purged() == std::map<Expendable, std::size_t>{{Expendable::sent_tasks, 25}});
}

TEST_CASE("purge: a pass has its limit, for each kind, and says that there is more") {
    PurgeWorld w;
    w.stock.rows[Expendable::sent_tasks] = 100;
    w.stock.rows[Expendable::sent_products] = 5;

    const auto left = w.pass({.age = {}, .batch = 10, .most_batches = 2});

    CHECK(*left == 20);
    CHECK(w.stock.rows[Expendable::sent_tasks] == 80);
    CHECK(w.stock.rows[Expendable::sent_products] == 0);
}

TEST_CASE("purge: nothing is told where nothing went") {
    PurgeWorld w;

    CHECK(*w.pass() == 0);

    CHECK(told<ports::Purged>(*w.telemetry).empty());
}

TEST_CASE("purge: a kind that fails is told at the end and holds up no other") {
    PurgeWorld w;
    w.stock.broken[Expendable::finished_tasks] = {Errc::unavailable, "database: gone"};
    w.stock.rows[Expendable::ledger_entries] = 3;

    const auto passed = w.pass();

    REQUIRE_FALSE(passed);
    CHECK(passed.error().detail == "database: gone");
    CHECK(w.purged() == std::map<Expendable, std::size_t>{{Expendable::ledger_entries, 3}});
}

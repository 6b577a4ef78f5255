// A row in line that somebody spoilt holds up nobody: it is put out of the way, where a person finds it, and told.
#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Fixtures = std::tuple<SqliteStores, MariaDbStores>;
using OutboxFixtures = OutboxesOf<Fixtures>::Type;
using Ids = std::vector<std::string>;

template <class Stores>
std::string table_of(const TaskOutbox<Stores>&) {
    return "crawl_task_outbox";
}
template <class Stores>
std::string table_of(const SchedulerOutbox<Stores>&) {
    return "scheduler_outbox";
}
template <class Stores>
std::string table_of(const ProductOutbox<Stores>&) {
    return "product_outbox";
}

template <class World>
void execute(World& w, const std::string& statement) {
    auto body = [&](adapters::sql::Session& session) -> Result<> {
        REQUIRE(session.execute(statement) == 1);
        return {};
    };
    REQUIRE(w.run(w.database->transact(body)));
}

// "<column>|<column>" of a row, NULL where there is nothing.
template <class World>
std::string cells(World& w, adapters::sql::Columns columns, const std::string& table, const std::string& id) {
    auto body = [&](adapters::sql::Session& session) -> Result<std::string> {
        auto row = session.select_one(columns, "FROM " + table + " WHERE id = ?", {id});
        std::string text;
        for (std::size_t i = 0; i < columns.size(); ++i) text += (i ? "|" : "") + row->optional_text().value_or("NULL");
        return text;
    };
    return *w.run(w.database->read(body));
}

template <class Claimed>
Ids ids(const Claimed& claimed) {
    REQUIRE(claimed);
    Ids ids;
    for (const auto& thing : *claimed) ids.push_back(thing.state().id.value);
    return ids;
}

template <class World>
Ids told_rows(const World& w) {
    Ids rows;
    for (const auto& event : told<ports::RowSetAside>(*w.telemetry)) rows.push_back(event.row);
    return rows;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("bad rows: an outbox entry that cannot be read is DEAD, and holds up neither lane nor subject",
                        "[integration][bad_rows]", OutboxFixtures) {
    TestType w;
    const auto table = table_of(w);
    w.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-1"), an_entry("o-3", "s-3")});
    execute(w, "UPDATE " + table + " SET status = 'BOGUS' WHERE id = 'o-1'");

    CHECK(ids(w.run(w.outbox().claim(1, t0, 60s))) == Ids{"o-2"});
    CHECK(ids(w.run(w.outbox().claim(10, t0, 60s))) == Ids{"o-3"});

    CHECK(cells(w, {"status", "error_message", "waiting_lane", "ready_at", "lease_until", "done_at"}, table, "o-1") ==
          "DEAD|column 7 of a row: 'BOGUS' is no word for it|NULL|NULL|NULL|NULL");
    CHECK(told_rows(w) == Ids{table + " o-1"});
}

TEMPLATE_LIST_TEST_CASE("bad rows: an outbox entry that stands too early goes back to its place",
                        "[integration][bad_rows]", OutboxFixtures) {
    TestType w;
    w.put({an_entry("o-1", "s-1", t0 + 1h), an_entry("o-2", "s-2")});
    execute(w, "UPDATE " + table_of(w) + " SET ready_at = 1 WHERE id = 'o-1'");

    CHECK(ids(w.run(w.outbox().claim(10, t0, 60s))) == Ids{"o-2"});

    CHECK(told_rows(w) == Ids{table_of(w) + " o-1"});
    CHECK(ids(w.run(w.outbox().claim(1, t0 + 1h - 1us, 2h))) == Ids{"o-2"});
    CHECK(ids(w.run(w.outbox().claim(1, t0 + 1h, 60s))) == Ids{"o-1"});
    CHECK(told_rows(w).size() == 1);
}

TEMPLATE_LIST_TEST_CASE("bad rows: an outbox entry that was sent and is in line again leaves it, and stays SENT",
                        "[integration][bad_rows]", OutboxFixtures) {
    TestType w;
    w.put({an_entry("o-1", "s-1"), an_entry("o-2", "s-2")});
    execute(w, "UPDATE " + table_of(w) + " SET status = 'SENT', done_at = 1 WHERE id = 'o-1'");

    CHECK(ids(w.run(w.outbox().claim(10, t0, 60s))) == Ids{"o-2"});

    CHECK(cells(w, {"status", "waiting_lane", "ready_at", "done_at"}, table_of(w), "o-1") == "SENT|NULL|NULL|1");
}

TEMPLATE_LIST_TEST_CASE("bad rows: an answer that cannot be read is QUARANTINED and holds up nobody",
                        "[integration][bad_rows]", Fixtures) {
    TestType w;
    put_raws(w, {a_raw("r-1"), a_raw("r-2"), a_raw("r-3"), a_raw("r-4")});
    execute(w, "UPDATE crawled_raw SET content_hash = 'short' WHERE id = 'r-1'");
    execute(w, "UPDATE crawled_raw SET body = '?' WHERE id = 'r-2'");
    execute(w, "UPDATE crawled_raw SET status = 'BOGUS' WHERE id = 'r-3'");

    CHECK(ids(w.run(w.raws->claim(1, t0, 60s))) == Ids{"r-4"});

    for (const std::string id : {"r-1", "r-2", "r-3"}) {
        INFO(id);
        CHECK(cells(w, {"status", "waiting_lane", "ready_at", "lease_until", "due_at"}, "crawled_raw", id) ==
              "QUARANTINED|NULL|NULL|NULL|NULL");
        CHECK(cells(w, {"reason"}, "crawled_raw", id).starts_with("column "));
    }
    CHECK(told_rows(w) == Ids{"crawled_raw r-1", "crawled_raw r-2", "crawled_raw r-3"});
}

TEMPLATE_LIST_TEST_CASE("bad rows: an answer that stands too early goes back to its place", "[integration][bad_rows]",
                        Fixtures) {
    TestType w;
    put_raws(w, {a_raw("r-1"), a_raw("r-2")});
    REQUIRE(ids(w.run(w.raws->claim(1, t0, 60s))) == Ids{"r-1"});
    execute(w, "UPDATE crawled_raw SET ready_at = 1 WHERE id = 'r-1'");

    CHECK(ids(w.run(w.raws->claim(10, t0, 2h))) == Ids{"r-2"});

    CHECK(told_rows(w) == Ids{"crawled_raw r-1"});
    CHECK(ids(w.run(w.raws->claim(10, t0 + 60s, 60s))) == Ids{"r-1"});
}

TEMPLATE_LIST_TEST_CASE("bad rows: a rule that cannot be read is switched off, and the others fire",
                        "[integration][bad_rows]", Fixtures) {
    TestType w;
    const auto rules = adapters::make_sql_schedule_rules(*w.database, w.clock);
    const auto scheduler = adapters::make_sql_scheduler(*w.database, {});
    for (const std::string seller : {"shop-1", "shop-2"})
        REQUIRE(w.run(rules->put(rule_of(seller_id(seller), *CrawlingInterval::days(1)))));
    execute(w, "UPDATE schedule_rules SET expression = 'now and then' WHERE name = 'mustit-crawler-shop-1'");

    CHECK(*w.run(scheduler->fire_due(t0 + 25h, 10)) == 1);
    CHECK(*w.run(scheduler->fire_due(t0 + 25h, 10)) == 0);

    CHECK(told_rows(w) == Ids{"schedule_rules mustit-crawler-shop-1"});
}

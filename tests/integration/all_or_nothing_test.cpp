// Every intent of the stores is one transaction: whichever statement of it fails, nothing of it is there.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>

#include "adapters/sql/trouble.hpp"
#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"
#include "support/table_dump.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;
using adapters::sql::DatabaseError;
using adapters::sql::Trouble;

namespace {

// A database whose n-th statement from now on fails.
template <class Place>
struct BreakingStores : SqlStores<Place> {
    struct Breaker {
        int fails_at = 0;  // 0: none does
        int seen = 0;
        Trouble trouble = Trouble::other;
    };
    std::shared_ptr<Breaker> breaker = std::make_shared<Breaker>();

    BreakingStores() {
        auto probe = [breaker = breaker](std::string_view) {
            if (breaker->fails_at != 0 && ++breaker->seen == breaker->fails_at)
                throw DatabaseError(breaker->trouble, "failed on purpose");
        };
        this->database = adapters::open_database({.url = this->place.url(),
                                                  .min_connections = 1,
                                                  .max_connections = 2,
                                                  .lock_retry = {.max_retries = 0},
                                                  .before_statement = probe},
                                                 *this->telemetry);
        this->sellers = adapters::make_sql_seller_store(*this->database);
        this->executions = adapters::make_sql_execution_store(*this->database);
        this->tasks = adapters::make_sql_task_store(*this->database);
        this->task_outbox = adapters::make_sql_task_outbox(*this->database);
        this->product_outbox = adapters::make_sql_product_outbox(*this->database);
        this->raws = adapters::make_sql_raw_store(*this->database);
        this->products = adapters::make_sql_product_store(*this->database);
        this->ledger = adapters::make_sql_request_ledger(*this->database);
    }

    TableDump dump() {
        auto body = [](adapters::sql::Session& session) -> Result<TableDump> { return dump_tables(session); };
        auto dumped = this->run(this->database->read(body));
        REQUIRE(dumped);
        return *dumped;
    }

    // Tries with the first statement failing, then the second, and so on, until nothing fails any more. How many there are.
    template <class Intent>
    int fail_every_statement(Intent intent) {
        for (int n = 1;; ++n) {
            INFO("statement " << n << " fails");
            const auto before = dump();
            *breaker = {.fails_at = n};
            const bool succeeded = static_cast<bool>(intent(*this));
            const bool struck = breaker->seen >= n;
            *breaker = {};
            if (!struck) {
                CHECK(succeeded);
                CHECK(dump() != before);
                return n - 1;
            }
            REQUIRE_FALSE(succeeded);
            REQUIRE((dump() == before));
        }
    }
};

using Places = std::tuple<SqliteFile, MariaDbSchema>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("all or nothing: adding and changing a seller", "[integration][sql]", Places) {
    BreakingStores<TestType> f;

    const auto added = f.fail_every_statement([](auto& w) { return enlist(w, a_seller()); });
    auto both = *f.run(f.sellers->find_both(seller_id()));
    REQUIRE(both.seller.deactivate(t0 + 1s));
    REQUIRE(both.schedule.deactivate(t0 + 1s));
    const auto saved = f.fail_every_statement([&](auto& w) { return w.run(w.sellers->save(both, an_order("o-2"))); });

    CHECK(added == 5);  // BEGIN, three tables, COMMIT
    CHECK(saved == 5);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: starting a run", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    REQUIRE(enlist(f, a_seller()));
    auto seller = *f.run(f.sellers->find(seller_id()));
    REQUIRE(seller.announce_total(1000, t0));
    auto run = CrawlingScheduleExecution::begin(ExecutionId{"e-1"}, seller_id(), t0);
    REQUIRE(run.tasks_created(2, t0));
    const ports::NewRun started{
        seller, run, {a_task("t-1"), a_task("t-2")}, {an_entry("o-1", "t-1"), an_entry("o-2", "t-2")}};

    const auto statements = f.fail_every_statement([&](auto& w) { return w.run(w.executions->start(started)); });

    CHECK(statements == 6);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: finishing a task", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    REQUIRE(
        f.run(f.ledger->reserve({.reservation = "r-1", .identity = {"ua-1"}, .reserved = t0, .lease_end = t0 + 1s})));
    auto task = a_running_task("t-1").build();
    start_run(f, "e-1", {task});
    REQUIRE(task.complete(t0 + 1s));
    ports::TaskOutcome outcome{.task = task,
                               .raws = {a_raw("raw-1")},
                               .follow_ups = {a_task("t-2"), a_task("t-3")},
                               .outbox = {an_entry("o-2", "t-2"), an_entry("o-3", "t-3")},
                               .stamp = ports::LedgerStamp{"r-1", t0 + 1s, RequestOutcome::succeeded}};

    const auto statements = f.fail_every_statement([&](auto& w) { return w.run(w.tasks->finish(outcome)); });

    CHECK(statements >= 8);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: absorbing a raw", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    put_raws(f, {a_raw("r-1"), a_raw("r-2")});
    auto first = claim_raw(f);
    REQUIRE(first.mark_processed());
    ports::AbsorbedRaw absorbed{.raw = first,
                                .products = {a_product().complete(t0)},
                                .history = {{.item = 4711, .version = 3, .raw = {"r-1"}, .changed_at = t0, .diff = {}}},
                                .events = {an_entry("o-1", "4711")},
                                .melted = {}};
    CHECK(f.fail_every_statement([&](auto& w) { return w.run(w.products->absorb(absorbed)); }) >= 6);

    auto second = claim_raw(f);
    REQUIRE(second.mark_processed());
    auto known = f.run(f.products->find({4711}))->at(0);
    REQUIRE(known.product.gone(t0 + 1s, flat_diff, t0 + 2s));
    ports::AbsorbedRaw melted{.raw = second,
                              .products = {known.product},
                              .history = {{.item = 4711, .version = 4, .raw = {"r-2"}, .changed_at = t0, .diff = {}}},
                              .events = {an_entry("o-2", "4711")},
                              .melted = {OutboxId{"o-1"}}};
    CHECK(f.fail_every_statement([&](auto& w) { return w.run(w.products->absorb(melted)); }) >= 7);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: claiming and settling an outbox", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    start_run(f, "e-1", {a_task("t-1"), a_task("t-2")}, {an_entry("o-1", "t-1"), an_entry("o-2", "t-2")});

    std::vector<OutboxEntry> claimed;
    f.fail_every_statement([&](auto& w) {
        auto got = w.run(w.task_outbox->claim(10, t0, 60s));
        if (got) claimed = *got;
        return got;
    });
    REQUIRE(claimed.size() == 2);
    REQUIRE(claimed[0].mark_sent());
    REQUIRE(claimed[1].mark_failed({Errc::timeout, "no answer"}, {}, t0));

    CHECK(f.fail_every_statement([&](auto& w) { return w.run(w.task_outbox->settle(claimed, t0)); }) >= 6);
    CHECK(f.run(f.tasks->load(TaskId{"t-1"}))->state().status == TaskStatus::published);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: a connection that breaks while it commits may have done it, and says so",
                        "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    *f.breaker = {.fails_at = 5, .trouble = Trouble::lost};

    CHECK(code_of(enlist(f, a_seller())) == "TIMEOUT");
    *f.breaker = {.fails_at = 4, .trouble = Trouble::lost};
    CHECK(code_of(enlist(f, a_seller())) == "UNAVAILABLE");
    *f.breaker = {.fails_at = 1, .trouble = Trouble::lost};  // before anything was done: another connection is tried
    CHECK(code_of(enlist(f, a_seller())) == "OK");
}

TEMPLATE_LIST_TEST_CASE("all or nothing: a transaction that loses to another begins anew, and that is counted",
                        "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    f.database = nullptr;
    int left = 3;
    auto probe = [&left](std::string_view sql) {
        if (sql.starts_with("INSERT INTO sellers") && left-- > 0) throw DatabaseError(Trouble::locked, "deadlock");
    };
    f.database = adapters::open_database({.url = f.place.url(),
                                          .min_connections = 1,
                                          .lock_retry = {.max_retries = 5, .first_wait = 1ms},
                                          .before_statement = probe},
                                         *f.telemetry);
    f.sellers = adapters::make_sql_seller_store(*f.database);

    CHECK(enlist(f, a_seller()));

    CHECK(told<ports::TransactionRetried>(*f.telemetry).size() == 3);
}

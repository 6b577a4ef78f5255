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
    std::unique_ptr<ports::MessageQueue> queue;
    std::unique_ptr<ports::QueueDesk> desk;
    std::unique_ptr<ports::ScheduleRules> rules;
    std::unique_ptr<ports::Scheduler> scheduler;

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
        this->scheduler_outbox = adapters::make_sql_scheduler_outbox(*this->database);
        this->task_outbox = adapters::make_sql_task_outbox(*this->database);
        this->product_outbox = adapters::make_sql_product_outbox(*this->database);
        this->raws = adapters::make_sql_raw_store(*this->database);
        this->products = adapters::make_sql_product_store(*this->database);
        this->ledger = adapters::make_sql_request_ledger(*this->database);
        const adapters::SqlQueueConfig triggers{.name = std::string(ports::trigger_queue_name), .max_receive_count = 2};
        queue = adapters::make_sql_queue(*this->database, triggers, this->clock, this->io.get_executor());
        desk = adapters::make_sql_queue_desk(*this->database, triggers.name, this->clock);
        rules = adapters::make_sql_schedule_rules(*this->database, this->clock);
        scheduler = adapters::make_sql_scheduler(*this->database, {.queue = triggers.name});
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

    CHECK(added == 6);  // BEGIN, three tables, the last number of an order, COMMIT
    CHECK(saved == 6);
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

    CHECK(statements == 8);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: starting a run in the place of one that is stuck", "[integration][sql]",
                        Places) {
    BreakingStores<TestType> f;
    start_run(f, "e-1", {a_task("t-1")});
    const auto seller = *f.run(f.sellers->find(seller_id()));
    auto run = CrawlingScheduleExecution::begin(ExecutionId{"e-2"}, seller_id(), t0 + 1s);
    REQUIRE(run.tasks_created(1, t0 + 1s));
    const ports::NewRun started{seller, run, {a_task("t-2", "e-2")}, {an_entry("o-2", "t-2")}, t0 + 1s};

    const auto statements = f.fail_every_statement([&](auto& w) { return w.run(w.executions->start(started)); });

    CHECK(statements == 9);
    CHECK(f.run(f.executions->find(ExecutionId{"e-1"}))->state().status == ExecutionStatus::failed);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: an order that dies, and its schedule with it", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    REQUIRE(enlist(f, a_seller()));
    auto order = f.run(f.scheduler_outbox->claim(1, t0, 60s))->at(0);
    REQUIRE(order.mark_failed({Errc::invalid, "no"}, {}, t0));

    const auto statements =
        f.fail_every_statement([&](auto& w) { return w.run(w.scheduler_outbox->settle({order}, t0)); });

    CHECK(statements == 6);  // BEGIN, the entry, younger ones, the schedule twice, COMMIT
    CHECK(f.run(f.sellers->find_both(seller_id()))->schedule.state().status == ScheduleStatus::failed);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: finishing a task", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    REQUIRE(
        f.run(f.ledger->reserve({.reservation = "r-1", .identity = {"ua-1"}, .reserved = t0, .lease_end = t0 + 1s})));
    auto task = a_running_task("t-1").build();
    start_run(f, "e-1", {task});
    REQUIRE(task.complete(t0 + 1s));
    ports::TaskOutcome outcome{
        .task = task,
        .raws = {a_raw("raw-1")},
        .follow_ups = {a_task("t-2").asking(a_detail_url(2)), a_task("t-3").asking(a_detail_url(3))},
        .outbox = {an_entry("o-2", "t-2"), an_entry("o-3", "t-3")},
        .stamp = ports::LedgerStamp{"r-1", t0 + 1s, RequestOutcome::succeeded},
        .announced = 700};

    const auto statements = f.fail_every_statement([&](auto& w) { return w.run(w.tasks->finish(outcome)); });

    CHECK(statements >= 9);
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

TEMPLATE_LIST_TEST_CASE("all or nothing: sending, receiving and acknowledging messages", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    const std::vector<ports::OutgoingMessage> messages{{.body = "a1", .group = "a", .deduplication_id = "1"},
                                                       {.body = "a2", .group = "a", .deduplication_id = "2"},
                                                       {.body = "b1", .group = "b", .deduplication_id = "3"}};
    std::vector<ports::Delivery> received;
    const auto receive = [&](auto& w) {
        auto deliveries = w.run(w.queue->receive(10, {}));
        if (deliveries) received = *deliveries;
        return deliveries;
    };

    CHECK(f.fail_every_statement([&](auto& w) { return w.run(w.queue->send(messages)); }) >= 7);
    CHECK(f.fail_every_statement(receive) >= 5);  // a look, BEGIN, SELECT, UPDATE, COMMIT
    REQUIRE(received.size() == 2);
    const auto ack = [&](auto& w) { return w.run(w.queue->ack(received.at(0).receipt)); };
    CHECK(f.fail_every_statement(ack) == 5);  // BEGIN, DELETE, the next of the group, its turn, COMMIT
    const auto put_off = [&](auto& w) { return w.run(w.queue->retry_after(received.at(1).receipt, Duration{0})); };
    CHECK(f.fail_every_statement(put_off) == 3);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: burying a message, and sending it again", "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    REQUIRE(f.run(f.queue->send({{.body = "poison", .group = "a"}, {.body = "next", .group = "a"}})));
    for (int i = 0; i < 2; ++i) {
        const auto delivery = f.run(f.queue->receive(10, {}))->at(0);
        REQUIRE(f.run(f.queue->retry_after(delivery.receipt, Duration{0})));
    }

    const auto receive = [](auto& w) { return w.run(w.queue->receive(10, {})); };
    CHECK(f.fail_every_statement(receive) >= 9);
    CHECK(*f.run(f.queue->depth()) == ports::QueueDepth{.in_flight = 1, .dead = 1});
    CHECK(f.fail_every_statement([](auto& w) { return w.run(w.desk->redrive(10)); }) >= 5);
    CHECK(f.fail_every_statement([](auto& w) { return w.run(w.desk->purge(ports::QueuePart::waiting, 10)); }) >= 4);
    CHECK(*f.run(f.queue->depth()) == ports::QueueDepth{.in_flight = 1});
}

TEMPLATE_LIST_TEST_CASE("all or nothing: firing rules: no plan moves on without its message", "[integration][sql]",
                        Places) {
    BreakingStores<TestType> f;
    for (const std::string seller : {"shop-1", "shop-2"}) {
        const auto rule = rule_of(seller_id(seller), days(1));
        CHECK(f.fail_every_statement([&](auto& w) { return w.run(w.rules->put(rule)); }) == 4);
    }

    const auto fire = [](auto& w) { return w.run(w.scheduler->fire_due(t0 + 24h, 10)); };
    CHECK(f.fail_every_statement(fire) >= 8);
    f.advance(24h);
    CHECK(f.run(f.queue->depth())->waiting == 2);
}

TEMPLATE_LIST_TEST_CASE("all or nothing: a connection that breaks while it commits may have done it, and says so",
                        "[integration][sql]", Places) {
    BreakingStores<TestType> f;
    *f.breaker = {.fails_at = 6, .trouble = Trouble::lost};

    CHECK(code_of(enlist(f, a_seller())) == "TIMEOUT");
    *f.breaker = {.fails_at = 5, .trouble = Trouble::lost};
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

TEMPLATE_LIST_TEST_CASE("all or nothing: two databases that were opened alike wait differently before they try again",
                        "[integration][sql]", Places) {
    TestType place;
    boost::asio::io_context io{1};
    const auto waits = [&] {
        const auto telemetry = adapters::make_memory_telemetry();
        const auto database = adapters::open_database(
            {.url = place.url(), .min_connections = 1, .lock_retry = {.max_retries = 5, .first_wait = 1ms}},
            *telemetry);
        auto body = [](adapters::sql::Session&) -> Result<> { throw DatabaseError(Trouble::locked, "deadlock"); };
        REQUIRE_FALSE(run(io, database->transact(body)));
        std::vector<Duration> waits;
        for (const auto& event : told<ports::TransactionRetried>(*telemetry)) waits.push_back(event.wait);
        REQUIRE(waits.size() == 5);
        return waits;
    };

    CHECK(waits() != waits());
}

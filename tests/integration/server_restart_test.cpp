// The database server is killed under a working process and started again.
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"
#include "support/mariadb_server.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

struct OwnServer {
    MariaDbServer server;
    OwnServer() { migrate_quietly(server.url()); }
    std::string url() const { return server.url(); }
};
using Stores = SqlStores<OwnServer>;

}  // namespace

TEST_CASE(
    "restart: what was committed before the server was killed is there when it is back, and the process goes on") {
    Stores f;
    for (int i = 0; i < 20; ++i) REQUIRE(enlist(f, a_seller("shop-" + std::to_string(i))));

    f.place.server.kill();
    CHECK(code_of(enlist(f, a_seller("lost"))) == "UNAVAILABLE");
    CHECK(code_of(f.run(f.sellers->find(seller_id("shop-1")))) == "UNAVAILABLE");
    f.place.server.start();

    for (int i = 0; i < 20; ++i) CHECK(f.run(f.sellers->find(seller_id("shop-" + std::to_string(i)))));
    CHECK(code_of(f.run(f.sellers->find(seller_id("lost")))) == "NOT_FOUND");
    CHECK(enlist(f, a_seller("new")));
}

TEST_CASE("restart: idle connections that died with the server are not noticed by anybody") {
    Stores f;
    REQUIRE(enlist(f, a_seller()));

    f.place.server.kill();
    f.place.server.start();

    CHECK(f.run(f.sellers->find(seller_id())));
    CHECK(enlist(f, a_seller("shop-2")));
}

TEST_CASE("restart: a transaction that was under way is gone whole, and can be made again") {
    Stores f;
    REQUIRE(enlist(f, a_seller()));
    std::vector<CrawlerTask> tasks;
    std::vector<OutboxEntry> outbox;
    for (int i = 0; i < 50; ++i) {
        const auto id = "t-" + std::to_string(i);
        tasks.push_back(a_task(id));
        outbox.push_back(an_entry("o-" + id, id));
    }
    auto run = CrawlingScheduleExecution::begin(ExecutionId{"e-1"}, seller_id(), t0);
    REQUIRE(run.tasks_created(50, t0));
    const ports::NewRun started{*f.run(f.sellers->find(seller_id())), run, tasks, outbox};
    bool kill = true;
    auto probe = [&](std::string_view sql) {
        if (kill && sql.starts_with("INSERT INTO crawl_task_outbox")) {
            kill = false;
            f.place.server.kill();
        }
    };
    f.database =
        adapters::open_database({.url = f.place.url(), .min_connections = 1, .before_statement = probe}, *f.telemetry);
    f.executions = adapters::make_sql_execution_store(*f.database);
    f.tasks = adapters::make_sql_task_store(*f.database);

    CHECK(code_of(f.run(f.executions->start(started))) == "UNAVAILABLE");
    f.place.server.start();

    CHECK(code_of(f.run(f.executions->find(ExecutionId{"e-1"}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.tasks->load(TaskId{"t-0"}))) == "NOT_FOUND");
    CHECK(f.run(f.executions->start(started)));
    CHECK(f.run(f.tasks->load(TaskId{"t-49"})));
}

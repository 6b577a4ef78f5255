#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "e2e/daemon_under_test.hpp"
#include "support/half_request.hpp"
#include "support/temp_dir.hpp"

using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// A daemon in the middle of sample work that takes long: its name, and the series that shows that it is.
struct Busy {
    std::string daemon;
    std::string in_flight;
};
const Busy busy_daemons[] = {
    {"trigger", "crawler_loop_in_flight_items{loop=\"trigger_queue\"}"},
    {"worker", "crawler_loop_in_flight_items{loop=\"crawl_queue\"}"},
};

// The loop that finds the sample work of a daemon.
const std::map<std::string, std::string> main_loops{{"trigger", "trigger_queue"},
                                                    {"outbox-relay", "task_outbox"},
                                                    {"worker", "crawl_queue"},
                                                    {"product-sync", "raw_intake"}};

void require_promtool_accepts(const std::string& metrics) {
    const TempDir folder;
    const auto file = folder.write("metrics.txt", metrics);
    const auto verdict =
        run_program("sh", {.arguments = {"-c", "promtool check metrics < " + file}, .environment = {}});
    INFO(verdict.out << verdict.err);
    REQUIRE(verdict.exit_code == 0);
    REQUIRE(verdict.err.empty());
}

}  // namespace

TEST_CASE("life: every daemon is alive and ready, and stops with exit code 0 when asked to") {
    for (const auto& name : daemons) {
        DYNAMIC_SECTION(name) {
            DaemonUnderTest daemon(name);

            CHECK(daemon.get("/healthz").status == 200);
            CHECK(daemon.get("/readyz").status == 200);
            CHECK(daemon.get("/actuator/health").body.find("\"status\":\"UP\"") != std::string::npos);
            CHECK(daemon.get("/nowhere").status == 404);

            daemon.process().signal(SIGTERM);
            CHECK(daemon.process().wait(20s) == 0);
            CHECK(daemon.process().out().find("\"service_stopped\"") != std::string::npos);
        }
    }
}

TEST_CASE("life: SIGTERM in the middle of work lets the work in flight finish, and the daemon ends with 0") {
    for (const auto& busy : busy_daemons) {
        DYNAMIC_SECTION(busy.daemon) {
            DaemonUnderTest daemon(busy.daemon, {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "60"},
                                                 {"CRAWLER__MEMORY__LATENCY", "1s"},
                                                 {"CRAWLER__CONSUMER__MAX_IN_FLIGHT", "3"},
                                                 {"CRAWLER__LOG__LEVEL", "debug"}});
            REQUIRE(daemon.wait_for_metric(busy.in_flight, 3));

            daemon.process().signal(SIGTERM);
            REQUIRE(daemon.process().wait_for_line("\"service_stopping\"", 10s));
            CHECK(daemon.get("/readyz").status == 503);
            CHECK(daemon.process().wait(20s) == 0);

            const auto log = daemon.process().out();
            const auto stopping = log.find("\"service_stopping\"");
            CHECK(log.find("\"settled\":\"acked\"", stopping) != std::string::npos);
            CHECK(log.find("\"cut\":0", stopping) != std::string::npos);
            CHECK(log.find("\"settled\":\"abandoned\"") == std::string::npos);
        }
    }
}

TEST_CASE("life: SIGTERM while the relay sends lets it finish sending, and the daemon ends with 0") {
    DaemonUnderTest daemon("outbox-relay", {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "300"},
                                            {"CRAWLER__MEMORY__LATENCY", "500ms"},
                                            {"CRAWLER__LOG__LEVEL", "debug"}});
    REQUIRE(daemon.wait_for_metric("crawler_tasks_published_total", 100));

    daemon.process().signal(SIGTERM);
    CHECK(daemon.process().wait(20s) == 0);

    const auto log = daemon.process().out();
    const auto stopping = log.find("\"service_stopping\"");
    REQUIRE(stopping != std::string::npos);
    CHECK(log.find("\"tasks_published\"", stopping) != std::string::npos);
    CHECK(log.find("\"cut\":0", stopping) != std::string::npos);
}

TEST_CASE("life: SIGTERM in the middle of a pass lets the pass finish, and the daemon ends with 0") {
    DaemonUnderTest daemon("product-sync", {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "3"},
                                            {"CRAWLER__MEMORY__LATENCY", "300ms"},
                                            {"CRAWLER__LOG__LEVEL", "debug"}});
    REQUIRE(daemon.wait_for_metric("crawler_products_pushed_total", 1));

    daemon.process().signal(SIGTERM);
    CHECK(daemon.process().wait(20s) == 0);

    const auto log = daemon.process().out();
    const auto stopping = log.find("\"service_stopping\"");
    REQUIRE(stopping != std::string::npos);
    CHECK(log.find("\"product_pushed\"", stopping) != std::string::npos);
    CHECK(log.find("\"loop_passed\",\"loop\":\"product_outbox\"", stopping) != std::string::npos);
    CHECK(log.find("\"cut\":1") == std::string::npos);
}

TEST_CASE("life: work that outlives the drain is let go, and the daemon still ends with 0") {
    DaemonUnderTest daemon("worker", {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "3"},
                                      {"CRAWLER__MEMORY__LATENCY", "1h"},
                                      {"CRAWLER__CONSUMER__DRAIN", "200ms"}});
    REQUIRE(daemon.wait_for_metric("crawler_loop_in_flight_items{loop=\"crawl_queue\"}", 1));

    daemon.process().signal(SIGTERM);

    CHECK(daemon.process().wait(20s) == 0);
    CHECK(daemon.process().out().find("\"loop_drained\"") != std::string::npos);
    CHECK(daemon.process().out().find("\"cut\":0") == std::string::npos);
}

TEST_CASE("life: a second signal ends the process at once, without the drain") {
    DaemonUnderTest daemon("worker", {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "3"},
                                      {"CRAWLER__MEMORY__LATENCY", "1h"},
                                      {"CRAWLER__CONSUMER__DRAIN", "10m"}});
    REQUIRE(daemon.wait_for_metric("crawler_loop_in_flight_items{loop=\"crawl_queue\"}", 1));
    daemon.process().signal(SIGTERM);
    REQUIRE(daemon.process().wait_for_line("\"service_stopping\"", 10s));

    daemon.process().signal(SIGINT);

    CHECK(daemon.process().wait(20s) == 128 + SIGINT);
}

TEST_CASE("life: a second signal counts even while only an open HTTP request holds the daemon up") {
    DaemonUnderTest daemon("worker", {{"CRAWLER__HTTP__DRAIN", "5m"}, {"CRAWLER__HTTP__READ_TIMEOUT", "5m"}});
    const HalfRequest open(daemon.port());
    REQUIRE(daemon.get("/healthz").status == 200);  // it has come round to the half request by now
    daemon.process().signal(SIGTERM);
    REQUIRE(daemon.process().wait_for_line("\"loop_drained\"", 10s));

    daemon.process().signal(SIGTERM);

    CHECK(daemon.process().wait(20s) == 128 + SIGTERM);
}

TEST_CASE("life: a daemon whose standard streams are closed works all the same") {
    const auto closed = run_program(
        "sh", {.arguments = {"-c", program("worker") + " --check-config <&- >&- 2>&-; echo $?"}, .environment = {}});
    CHECK(closed.out == "0\n");
    const auto full =
        run_program("sh", {.arguments = {"-c", program("worker") + " --check-config >/dev/full"}, .environment = {}});
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("cannot write") != std::string::npos);
}

TEST_CASE("life: a port that is taken stops the start with one line that names it") {
    DaemonUnderTest first("worker");
    const auto listen = "127.0.0.1:" + std::to_string(first.port());

    const auto second = run_program(program("trigger"), {.environment = {{"CRAWLER__HTTP__LISTEN", listen}}});

    CHECK(second.exit_code == 2);
    CHECK(second.err.find(listen) != std::string::npos);
    CHECK(std::ranges::count(second.err, '\n') == 1);
}

TEST_CASE("metrics: promtool accepts what every daemon exposes, idle and after work") {
    if (run_program("promtool", {.arguments = {"--version"}}).exit_code != 0)
        FAIL("promtool is needed: scripts/install-deps");
    for (const auto& name : daemons) {
        DYNAMIC_SECTION(name) {
            const DaemonUnderTest idle(name);
            require_promtool_accepts(idle.get("/metrics").body);

            const DaemonUnderTest daemon(name, {{"CRAWLER__MEMORY__SAMPLE_PRODUCTS", "9"}});
            const auto loop = R"({loop=")" + main_loops.at(name) + R"("})";
            REQUIRE(daemon.wait_for_metric("crawler_loop_work_items_total" + loop, 1));
            CHECK(daemon.metric("crawler_loop_last_success_timestamp_seconds" + loop).value_or(0) > 0);
            require_promtool_accepts(daemon.get("/metrics").body);
            CHECK(daemon.metric("crawler_build_info{").value_or(0) == 1);
            CHECK(daemon.metric("process_resident_memory_bytes").value_or(0) > 0);
        }
    }
}

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "e2e/line_under_test.hpp"
#include "support/half_request.hpp"

using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const std::string slow_answers = "{latency_median: 1s, latency_p99: 1s}";
const std::string for_hours = "{latency_median: 1h, latency_p99: 1h}";

// The loop that finds something to do of each daemon.
const std::map<std::string, std::string> main_loops{{"trigger", "trigger_queue"},
                                                    {"outbox-relay", "task_outbox"},
                                                    {"worker", "crawl_queue"},
                                                    {"product-sync", "raw_intake"}};

const std::string crawling = R"(crawler_loop_in_flight_items{loop="crawl_queue"})";

void require_finished_in_flight(Process& process) {
    const auto log = process.out();
    const auto stopping = log.find("\"service_stopping\"");
    REQUIRE(stopping != std::string::npos);
    CHECK(log.find("\"settled\":\"acked\"", stopping) != std::string::npos);
    CHECK(log.find("\"cut\":0", stopping) != std::string::npos);
    CHECK(log.find("\"settled\":\"abandoned\"") == std::string::npos);
}

// Everything up to the worker, which is in the middle of requests that take as long as `answers` says.
struct BusyWorker {
    LineUnderTest line;
    std::unique_ptr<DaemonUnderTest> trigger;
    std::unique_ptr<DaemonUnderTest> relay;
    std::unique_ptr<DaemonUnderTest> worker;

    explicit BusyWorker(const std::string& answers, std::map<std::string, std::string> environment = {})
        : line(1, 30, "{detail: " + answers + ", options: " + answers + "}"),
          trigger(line.start("trigger")),
          relay(line.start("outbox-relay")),
          worker(line.start("worker", with_debug(std::move(environment)))) {
        line.crawl();
        REQUIRE(worker->wait_for_metric(crawling, 3));
    }
    static std::map<std::string, std::string> with_debug(std::map<std::string, std::string> environment) {
        environment.emplace("CRAWLER__LOG__LEVEL", "debug");
        return environment;
    }
};

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
            const TempDir folder;
            DaemonUnderTest daemon(name, alone(folder, name));

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

TEST_CASE("life: SIGTERM while a crawl begins lets it begin, and the trigger ends with 0") {
    LineUnderTest line(3, 10, "{listing: " + slow_answers + "}");
    const auto worker = line.start("worker");  // opens the sessions
    REQUIRE(worker->wait_for_metric(R"(crawler_sessions_opened_total{renewed="false"})", 3));
    const auto trigger = line.start("trigger", {{"CRAWLER__LOG__LEVEL", "debug"}});
    line.crawl();
    REQUIRE(trigger->wait_for_metric(R"(crawler_loop_in_flight_items{loop="trigger_queue"})", 1));

    trigger->process().signal(SIGTERM);
    REQUIRE(trigger->process().wait_for_line("\"service_stopping\"", 10s));
    CHECK(trigger->get("/readyz").status == 503);

    CHECK(trigger->process().wait(20s) == 0);
    require_finished_in_flight(trigger->process());
}

TEST_CASE("life: SIGTERM in the middle of requests lets them finish, and the worker ends with 0") {
    BusyWorker busy(slow_answers);

    busy.worker->process().signal(SIGTERM);
    REQUIRE(busy.worker->process().wait_for_line("\"service_stopping\"", 10s));
    CHECK(busy.worker->get("/readyz").status == 503);

    CHECK(busy.worker->process().wait(20s) == 0);
    require_finished_in_flight(busy.worker->process());
}

TEST_CASE("life: SIGTERM in the middle of a pass lets the pass finish, and the product-sync ends with 0") {
    BusyWorker busy("{}");
    const auto sync = busy.line.start("product-sync", {{"CRAWLER__LOG__LEVEL", "debug"}});
    REQUIRE(sync->wait_for_metric("crawler_raws_absorbed_total", 1));

    sync->process().signal(SIGTERM);
    CHECK(sync->process().wait(20s) == 0);

    const auto log = sync->process().out();
    CHECK(log.find("\"service_stopped\"") != std::string::npos);
    CHECK(log.find("\"cut\":1") == std::string::npos);
}

TEST_CASE("life: work that outlives the drain is let go, and the daemon still ends with 0") {
    BusyWorker busy(for_hours, {{"CRAWLER__CONSUMER__DRAIN", "200ms"}});

    busy.worker->process().signal(SIGTERM);

    CHECK(busy.worker->process().wait(20s) == 0);
    const auto log = busy.worker->process().out();
    const auto drained = log.find("\"loop_drained\",\"loop\":\"crawl_queue\"");
    REQUIRE(drained != std::string::npos);
    CHECK(log.substr(drained, log.find('\n', drained) - drained).find("\"cut\":0") == std::string::npos);
}

TEST_CASE("life: a second signal ends the process at once, without the drain") {
    BusyWorker busy(for_hours, {{"CRAWLER__CONSUMER__DRAIN", "10m"}});
    busy.worker->process().signal(SIGTERM);
    REQUIRE(busy.worker->process().wait_for_line("\"service_stopping\"", 10s));

    busy.worker->process().signal(SIGINT);

    CHECK(busy.worker->process().wait(20s) == 128 + SIGINT);
}

TEST_CASE("life: a second signal counts even while only an open HTTP request holds the daemon up") {
    const TempDir folder;
    auto environment = alone(folder, "worker");
    environment.insert({{"CRAWLER__HTTP__DRAIN", "5m"}, {"CRAWLER__HTTP__READ_TIMEOUT", "5m"}});
    DaemonUnderTest daemon("worker", environment);
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
    const TempDir folder;
    auto environment = alone(folder, "outbox-relay");
    DaemonUnderTest first("outbox-relay", environment);
    const auto listen = "127.0.0.1:" + std::to_string(first.port());

    environment["CRAWLER__HTTP__LISTEN"] = listen;
    const auto second = run_program(program("outbox-relay"), {.arguments = {}, .environment = environment});

    CHECK(second.exit_code == 2);
    CHECK(second.err.find(listen) != std::string::npos);
    CHECK(std::ranges::count(second.err, '\n') == 1);
}

TEST_CASE("metrics: promtool accepts what every daemon exposes, idle and after work") {
    if (run_program("promtool", {.arguments = {"--version"}}).exit_code != 0)
        FAIL("promtool is needed: scripts/install-deps");
    LineUnderTest line(1, 5);
    std::map<std::string, std::unique_ptr<DaemonUnderTest>> all;
    for (const auto& name : daemons) {
        all[name] = line.start(name);
        require_promtool_accepts(all[name]->get("/metrics").body);
    }

    line.crawl();

    for (const auto& name : daemons) {
        DYNAMIC_SECTION(name) {
            const auto& daemon = *all.at(name);
            const auto loop = R"({loop=")" + main_loops.at(name) + R"("})";
            REQUIRE(daemon.wait_for_metric("crawler_loop_work_items_total" + loop, 1));
            CHECK(daemon.metric("crawler_loop_last_success_timestamp_seconds" + loop).value_or(0) > 0);
            require_promtool_accepts(daemon.get("/metrics").body);
            CHECK(daemon.metric("crawler_build_info{").value_or(0) == 1);
            CHECK(daemon.metric("process_resident_memory_bytes").value_or(0) > 0);
        }
    }
}

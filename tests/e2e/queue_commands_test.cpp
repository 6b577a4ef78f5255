// crawlerctl on the queues of a SQLite database of the test's own.
#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/memory.hpp"
#include "e2e/daemon_under_test.hpp"
#include "support/clocks.hpp"
#include "support/databases.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

const std::string tasks(ports::task_queue_name);

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

// A queue with one message that waits, one in flight and two dead ones.
struct QueueUnderTest {
    SqliteFile file;

    QueueUnderTest() {
        boost::asio::io_context io{1};
        ManualClock clock;
        const auto telemetry = adapters::make_memory_telemetry();
        const auto database =
            adapters::open_database({.url = file.url(), .min_connections = 1, .max_connections = 1}, *telemetry);
        const auto queue = adapters::make_sql_queue(*database, {.visibility = 1'000'000h, .max_receive_count = 1},
                                                    clock, io.get_executor());
        REQUIRE(run(io, queue->send({{.body = "poison 1", .group = "a"}, {.body = "poison 2"}})));
        auto received = run(io, queue->receive(10, {}));
        REQUIRE(received);
        for (const auto& delivery : *received) REQUIRE(run(io, queue->retry_after(delivery.receipt, Duration{0})));
        REQUIRE(run(io, queue->receive(10, {}))->empty());
        REQUIRE(run(io, queue->send({{.body = "held"}})));
        REQUIRE(run(io, queue->receive(10, {}))->size() == 1);
        REQUIRE(run(io, queue->send({{.body = "waiting"}})));
    }

    Finished queue(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "queue");
        arguments.insert(arguments.end(), {"--database", file.url()});
        return run_program(program("crawlerctl"), {.arguments = std::move(arguments), .environment = {}});
    }
};

}  // namespace

TEST_CASE("crawlerctl queue stats: says how much lies in each queue, and fails where there are dead letters") {
    const QueueUnderTest f;

    const auto both = f.queue({"stats"});
    CHECK(both.exit_code == 1);
    CHECK(says(both.out, "queue                                waiting   in flight    dead\n"));
    CHECK(says(both.out, "mustit-crawler-tasks                       1           1       2\n"));
    CHECK(says(both.out, "mustit-crawler-triggers                    0           0       0\n"));

    const auto one = f.queue({"stats", "mustit-crawler-triggers", "--json"});
    CHECK(one.exit_code == 0);
    CHECK(one.out == R"([{"queue":"mustit-crawler-triggers","waiting":0,"inFlight":0,"dead":0}])"
                     "\n");
}

TEST_CASE("crawlerctl queue peek: shows the oldest messages and changes nothing") {
    const QueueUnderTest f;

    const auto waiting = f.queue({"peek", tasks});
    CHECK(waiting.exit_code == 0);
    CHECK(says(waiting.out, "received 1 time, in flight until "));
    CHECK(says(waiting.out, "received 0 times, waiting\n    waiting\n"));
    CHECK(f.queue({"peek", tasks}).out == waiting.out);

    const auto first = f.queue({"peek", tasks, "--limit", "1"});
    CHECK(says(first.out, "held"));
    CHECK_FALSE(says(first.out, "waiting"));

    const auto dead = f.queue({"peek", tasks, "--dead"});
    CHECK(says(dead.out, ", group a\n    poison 1\n"));
    CHECK(says(dead.out, "dead since "));

    const auto json = f.queue({"peek", tasks, "--dead", "--json"});
    CHECK(says(json.out, R"("group":"a","sentAt":")"));
    CHECK(says(json.out, R"("receiveCount":1,"inFlightUntil":null,"diedAt":")"));
    CHECK(says(f.queue({"peek", "another"}).out, "another: nothing\n"));
}

TEST_CASE("crawlerctl queue redrive: sends dead letters again") {
    const QueueUnderTest f;

    CHECK(f.queue({"redrive", tasks, "--limit", "1"}).out == tasks + ": 1 redriven\n");
    CHECK(f.queue({"redrive", tasks, "--json"}).out == R"({"queue":"mustit-crawler-tasks","redriven":1})"
                                                       "\n");

    const auto stats = f.queue({"stats"});
    CHECK(stats.exit_code == 0);
    CHECK(says(stats.out, "mustit-crawler-tasks                       3           1       0\n"));
}

TEST_CASE("crawlerctl queue purge: deletes nothing unless one is sure, and never what somebody works on") {
    const QueueUnderTest f;

    const auto unsure = f.queue({"purge", tasks, "--dead"});
    CHECK(unsure.exit_code == 2);
    CHECK(says(unsure.err, "--yes"));
    CHECK(says(f.queue({"stats"}).out, "mustit-crawler-tasks                       1           1       2\n"));

    CHECK(f.queue({"purge", tasks, "--dead", "--yes"}).out == tasks + ": 2 purged\n");
    CHECK(f.queue({"purge", tasks, "--yes"}).exit_code == 0);
    CHECK(says(f.queue({"stats"}).out, "mustit-crawler-tasks                       0           1       0\n"));
}

TEST_CASE("crawlerctl queue: what is wrong with the command line is exit code 2") {
    const QueueUnderTest f;
    CHECK(f.queue({}).exit_code == 2);
    CHECK(f.queue({"peek"}).exit_code == 2);
    CHECK(f.queue({"peek", tasks, "--limit", "0"}).exit_code == 2);
    CHECK(run_program(program("crawlerctl"), {.arguments = {"queue", "stats"}, .environment = {}}).exit_code == 2);
}

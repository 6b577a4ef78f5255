// What each queue does on this machine: send, receive and delete, ten messages at a time, as the daemons do it; and our SQS client next to
// wrk, which asks the same emulator for the same, signs nothing and keeps nothing.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>

#include "adapters/aws/aws.hpp"
#include "adapters/http/http.hpp"
#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "bench/measure.hpp"
#include "coro/block_on.hpp"
#include "coro/together.hpp"
#include "support/ask_aws.hpp"
#include "support/databases.hpp"
#include "support/process.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using bench::median;

constexpr int rounds = 3;
constexpr int lanes = 8;  // batches under way at once, and wrk's connections
constexpr auto length = 4s;
const std::string body = R"({"taskId":"0198c5f2-7a3e-7cc1-9f44-0a1b2c3d4e5f"})";

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Measured {
    double messages_per_second = 0;
    double cpu_microseconds = 0;  // of this process, for one message
};

// Several lanes that each send ten messages, receive ten and acknowledge each by itself, until the time is over.
class Race {
  public:
    explicit Race(ports::MessageQueue& queue) : queue_(queue) {}

    Measured run(boost::asio::io_context& io) {
        const auto cpu = cpu_seconds();
        const auto began = std::chrono::steady_clock::now();
        end_ = began + length;
        std::vector<Async<>> all;
        for (int i = 0; i < lanes; ++i) all.push_back(lane());
        coro::block_on(io, coro::together(std::move(all)));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        if (done_ == 0) give_up("no message came through");
        return {done_ / took.count(), (cpu_seconds() - cpu) / done_ * 1e6};
    }

  private:
    std::vector<ports::OutgoingMessage> ten() {
        std::vector<ports::OutgoingMessage> messages;
        for (int i = 0; i < 10; ++i) {
            const auto key = prefix_ + std::to_string(++number_);
            messages.push_back({.body = body, .group = "g" + key, .deduplication_id = "d" + key});
        }
        return messages;
    }
    Async<> lane() {
        while (std::chrono::steady_clock::now() < end_) {
            auto messages = ten();
            const auto sent = co_await queue_.send(std::move(messages));
            if (!sent) give_up("send: " + sent.error().detail);
            const auto received = co_await queue_.receive(10, Duration{0});
            if (!received) give_up("receive: " + received.error().detail);
            std::vector<Async<>> acks;
            for (const auto& delivery : *received) acks.push_back(ack(delivery.receipt));
            co_await coro::together(std::move(acks));
        }
    }
    Async<> ack(std::string receipt) {
        const auto acked = co_await queue_.ack(std::move(receipt));
        if (!acked) give_up("ack: " + acked.error().detail);
        ++done_;
    }

    ports::MessageQueue& queue_;
    std::chrono::steady_clock::time_point end_;
    std::string prefix_ = std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "-";
    int number_ = 0;
    double done_ = 0;
};

void say(const char* name, const std::vector<Measured>& all) {
    std::vector<double> speeds;
    std::vector<double> costs;
    for (const auto& one : all) {
        speeds.push_back(one.messages_per_second);
        costs.push_back(one.cpu_microseconds);
    }
    std::printf("  %-40s %8.0f messages/s, %6.1f us of CPU for a message\n", name, median(speeds), median(costs));
    std::fflush(stdout);
}

void measure(const char* name, ports::MessageQueue& queue, boost::asio::io_context& io) {
    std::vector<Measured> all;
    for (int round = 0; round < rounds; ++round) all.push_back(Race(queue).run(io));
    say(name, all);
}

void measure_sql(const char* name, const std::string& url, const ports::Clock& clock) {
    boost::asio::io_context io{1};
    const auto telemetry = adapters::make_memory_telemetry();
    const auto database = adapters::open_database({.url = url, .min_connections = 1, .max_connections = 4}, *telemetry);
    const auto queue = adapters::make_sql_queue(*database, {}, clock, io.get_executor());
    measure(name, *queue, io);
}

std::optional<std::string> emulator() {
    const char* folder = std::getenv("CRAWLER_TEST_EMULATORS");
    std::ifstream file((folder ? std::string(folder) : "") + "/elasticmq.url");
    std::string url;
    if (!std::getline(file, url)) return std::nullopt;
    return url;
}

double wrk_messages_per_second(const std::string& url, const std::string& queue_url) {
    const auto seconds = std::to_string(length.count()) + "s";
    const auto ran = run_program(
        CRAWLER_WRK, {.arguments = {"-t1", "-c" + std::to_string(lanes), "-d" + seconds, "-s", CRAWLER_SQS_LUA, url,
                                    "--", queue_url, std::regex_replace(body, std::regex("\""), "\\\"")}});
    static const std::regex result(R"(messages (\d+) failures (\d+) seconds ([\d.]+))");
    std::smatch found;
    if (ran.exit_code != 0 || !std::regex_search(ran.out, found, result) || found[2] != "0")
        give_up("wrk did not get all its answers:\n" + ran.out + ran.err);
    return std::stod(found[1]) / std::stod(found[3]);
}

// True where the goal is met.
bool measure_sqs(const std::string& url, const ports::Clock& clock) {
    constexpr double goal = 0.6;
    boost::asio::io_context io{1};
    const auto http = adapters::make_http_client({.total_timeout = 60s, .allow_private_addresses = true}, io);
    const auto ids = adapters::make_uuid_generator(clock);
    const auto aws =
        adapters::open_aws({.endpoint = url}, {{"AWS_ACCESS_KEY_ID", "bench"}, {"AWS_SECRET_ACCESS_KEY", "bench"}},
                           *http, clock, *ids, io.get_executor());
    std::vector<Measured> ours;
    std::vector<double> ratios;
    std::vector<double> theirs;
    for (int round = 0; round < rounds; ++round) {
        const auto number = std::to_string(round);
        coro::block_on(io,
                       create_queue(*http, {url, "elasticmq", "000000000000"}, {.name = "ours-" + number + ".fifo"}));
        coro::block_on(io,
                       create_queue(*http, {url, "elasticmq", "000000000000"}, {.name = "wrk-" + number + ".fifo"}));
        const auto queue = adapters::make_sqs_queue(aws, {.queue = "ours-" + number + ".fifo"});
        ours.push_back(Race(*queue).run(io));
        theirs.push_back(wrk_messages_per_second(url, url + "/000000000000/wrk-" + number + ".fifo"));
        ratios.push_back(ours.back().messages_per_second / theirs.back());
    }
    say("SQS, played by ElasticMQ", ours);
    const auto ratio = median(ratios);
    std::printf("  wrk on the same emulator: %.0f messages/s\n", median(theirs));
    return bench::judge("the SQS client next to wrk, messages a second", bench::with_decimals(ratio, 2) + "x",
                        ">= 0.6x", ratio >= goal);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a database there is nothing to measure
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_queues\n\nMeasures every queue there is: send, receive and delete, ten "
            "messages at a time, eight batches at once.\nMedian of several rounds; make bench starts the servers; the "
            "emulator's folder "
            "is in\nCRAWLER_TEST_EMULATORS. Exit code 1 "
            "where the SQS client is slower than its goal.");
        return 0;
    }
    const auto clock = adapters::make_system_clock();
    std::puts("queues: send, receive and delete");
    {
        boost::asio::io_context io{1};
        const auto queue = adapters::make_memory_queue({}, *clock, io.get_executor());
        measure("memory", *queue, io);
    }
    measure_sql("SQLite", SqliteFile().url(), *clock);
    measure_sql("MariaDB, durable", MariaDbSchema().url(), *clock);
    const auto url = emulator();
    if (!url) {
        std::puts("  SQS: NOT MEASURED, no emulator is running (scripts/install-emulators)");
        return 0;
    }
    return measure_sqs(*url, *clock) ? 0 : 1;
}

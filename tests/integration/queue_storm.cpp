// One process of the queue storm: sends messages, or takes them off as the daemons do. See queue_storm_test.cpp.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"
#include "coro/sleep.hpp"
#include "coro/together.hpp"
#include "runtime/consumer.hpp"

namespace {

using namespace crawler;

struct Storm {
    std::string url;
    std::string role;
    std::filesystem::path folder;  // what happened, and the sign that the sender is done
    int messages = 20'000;
    int groups = 500;
    int batch = 100;
    int visibility = 60;
};

// Only what must not happen is of interest.
class Ear final : public ports::Telemetry {
  public:
    void emit(const ports::Event& event) noexcept override {
        if (const auto* lost = std::get_if<ports::DeliveryLost>(&event)) tell("delivery lost", lost->error);
        if (const auto* failed = std::get_if<ports::LoopFailed>(&event)) tell("loop failed", failed->error);
        if (std::holds_alternative<ports::TransactionRetried>(event)) ++retried;
    }
    int troubles = 0;
    int retried = 0;

  private:
    void tell(const char* what, const Error& error) {
        ++troubles;
        std::cerr << what << ": " << error.detail << "\n";
    }
};

std::int64_t steady_now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

// Notes of every message when it was received and when it was about to be acknowledged: in between it was in flight.
class NotedQueue final : public ports::MessageQueue {
  public:
    NotedQueue(ports::MessageQueue& queue, const std::filesystem::path& log) : queue_(queue), log_(log) {}

    Duration visibility() const override { return queue_.visibility(); }
    Async<Result<std::vector<Result<>>>> send(std::vector<ports::OutgoingMessage> messages) override {
        co_return co_await queue_.send(std::move(messages));
    }
    Async<Result<std::vector<ports::Delivery>>> receive(int limit, Duration wait) override {
        auto deliveries = co_await queue_.receive(limit, wait);
        if (deliveries) {
            for (const auto& delivery : *deliveries) received_[delivery.receipt] = {delivery.body, steady_now()};
        }
        co_return deliveries;
    }
    Async<Result<>> ack(std::string receipt) override {
        const auto& [body, received] = received_.at(receipt);
        log_ << body << " " << received << " " << steady_now() << std::endl;
        if (++noted_ == 200) std::cout << "200 noted" << std::endl;
        received_.erase(receipt);
        co_return co_await queue_.ack(std::move(receipt));
    }
    Async<Result<>> retry_after(std::string receipt, Duration wait) override {
        co_return co_await queue_.retry_after(std::move(receipt), wait);
    }
    Async<Result<>> extend(std::string receipt, Duration visibility) override {
        co_return co_await queue_.extend(std::move(receipt), visibility);
    }
    Async<Result<ports::QueueDepth>> depth() override { co_return co_await queue_.depth(); }

  private:
    ports::MessageQueue& queue_;
    std::ofstream log_;
    std::map<std::string, std::pair<std::string, std::int64_t>> received_;
    int noted_ = 0;
};

// "17 g3": its number and its group, or - where it has none.
ports::OutgoingMessage message(const Storm& storm, int number) {
    const auto group = number % 4 == 0 ? "" : "g" + std::to_string(number % storm.groups);
    const auto text = std::to_string(number);
    return {.body = text + " " + (group.empty() ? "-" : group), .group = group, .deduplication_id = "d" + text};
}

Async<int> send_all(const Storm& storm, ports::MessageQueue& queue) {
    const auto began = steady_now();
    for (int next = 0; next < storm.messages;) {
        std::vector<ports::OutgoingMessage> batch;
        for (; std::ssize(batch) < storm.batch && next < storm.messages; ++next) batch.push_back(message(storm, next));
        const auto sent = co_await queue.send(std::move(batch));
        if (!sent) {
            std::cerr << "send: " << sent.error().detail << "\n";
            co_return 1;
        }
    }
    std::ofstream(storm.folder / "sent") << "done\n";
    const auto took = static_cast<double>(steady_now() - began) / 1e9;
    std::cout << static_cast<int>(storm.messages / took) << " messages/s sent\n";
    co_return 0;
}

Async<> stop_when_empty(const Storm& storm, ports::MessageQueue& queue, std::stop_source stop) {
    for (;;) {
        co_await coro::sleep(std::chrono::milliseconds{100});
        if (!std::filesystem::exists(storm.folder / "sent")) continue;
        const auto depth = co_await queue.depth();
        if (depth && depth->waiting + depth->in_flight == 0) break;
    }
    stop.request_stop();
}

Async<> take_all(const Storm& storm, NotedQueue& queue, Ear& ear, const ports::Clock& clock) {
    runtime::Health health(clock);
    auto& pulse = health.add("storm", std::chrono::minutes{5});
    std::stop_source stop;
    auto handle = [](const ports::Delivery&) -> Async<Result<ports::Disposition>> {
        co_return ports::Disposition{ports::Ack{}};
    };
    auto consuming = runtime::consume(queue, handle, runtime::admit_all(), {.max_in_flight = 20},
                                      {ports::Loop::crawl_queue, ear, clock, pulse}, stop.get_token());
    co_await coro::together(std::move(consuming), stop_when_empty(storm, queue, stop));
}

}  // namespace

int main(int argc, char** argv) {
    Storm storm;
    CLI::App app{"One process of the queue storm."};
    app.add_option("--database", storm.url)->required();
    app.add_option("--folder", storm.folder)->required();
    app.add_option("--messages", storm.messages);
    app.add_option("--batch", storm.batch);
    app.add_option("--visibility", storm.visibility, "Seconds");
    app.add_option("role", storm.role)->required()->check(CLI::IsMember({"send", "take"}));
    CLI11_PARSE(app, argc, argv);

    boost::asio::io_context io{1};
    const auto clock = adapters::make_system_clock();
    Ear ear;
    const auto database = adapters::open_database({.url = storm.url, .min_connections = 1, .max_connections = 4}, ear);
    const auto queue = adapters::make_sql_queue(*database, {.visibility = std::chrono::seconds{storm.visibility}},
                                                *clock, io.get_executor());
    if (storm.role == "send") return coro::block_on(io, send_all(storm, *queue));
    NotedQueue noted(*queue, storm.folder / ("taken-" + std::to_string(::getpid())));
    coro::block_on(io, take_all(storm, noted, ear, *clock));
    std::cout << "transactions begun anew: " << ear.retried << "\n";
    return ear.troubles == 0 ? 0 : 1;
}

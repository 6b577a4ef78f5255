#include "runtime/consumer.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "coro/group.hpp"
#include "coro/sleep.hpp"
#include "coro/stop.hpp"

namespace crawler::runtime {
namespace {

// Lives as long as the loop; the work in flight refers to it.
struct Consumer {
    ports::MessageQueue& queue;
    Handle handle;
    Admit admit;
    ConsumerConfig config;
    LoopContext loop;
    std::size_t working = 0;
    TimePoint stopped_at{};

    class InFlight;
    Async<> run(coro::Group& in_flight, std::stop_token stop);
    Async<Result<std::vector<ports::Delivery>>> next(int wanted, std::stop_token stop);
    Async<Result<int>> admitted(int wanted, std::stop_token stop);
    Async<> process(ports::Delivery delivery);
    Async<Result<ports::Settled>> work_on(ports::Delivery delivery);
    Async<> keep_invisible(ports::Delivery delivery);
};

// Takes what it may until stop; what is in flight then is left in the group.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): with_group outlives it
Async<> Consumer::run(coro::Group& in_flight, std::stop_token stop) {
    bool queue_is_empty = true;
    while (!stop.stop_requested()) {
        const auto room = co_await coro::or_stop(in_flight.room(), stop);
        if (!room) break;
        // While nothing comes, no more is asked for than one, because what admission grants may be scarce.
        const auto wanted = queue_is_empty ? 1 : std::min(static_cast<int>(*room), config.batch);
        const auto began = loop.clock.now();
        auto deliveries = co_await next(wanted, stop);
        loop.pulse.beat();
        if (!deliveries) {
            loop.telemetry.emit(ports::LoopFailed{loop.name, deliveries.error()});
            co_await pause(loop, config.error_wait, stop);
            continue;
        }
        queue_is_empty = deliveries->empty();
        loop.telemetry.emit(ports::LoopPassed{loop.name, deliveries->size(), loop.clock.now() - began});
        for (auto& delivery : *deliveries) in_flight.spawn(process(std::move(delivery)));
    }
    stopped_at = loop.clock.now();
}

Async<Result<std::vector<ports::Delivery>>> Consumer::next(int wanted, std::stop_token stop) {
    const auto allowed = co_await admitted(wanted, stop);
    if (!allowed) co_return allowed.error();
    if (*allowed == 0) co_return std::vector<ports::Delivery>{};
    auto received = co_await coro::or_stop(queue.receive(*allowed, config.wait), stop);
    if (!received) co_return std::vector<ports::Delivery>{};
    co_return std::move(*received);
}

// How many deliveries may be taken; 0 after a pause in which none could be.
Async<Result<int>> Consumer::admitted(int wanted, std::stop_token stop) {
    auto answer = co_await coro::or_stop(admit(wanted), stop);
    if (!answer) co_return 0;
    auto& admission = *answer;
    if (!admission) co_return admission.error();
    if (admission->allowed > 0) co_return std::min(admission->allowed, wanted);
    co_await pause(loop, admission->ask_again, stop);
    co_return 0;
}

// Keeps account of one delivery: whatever happens to it, how it ended is told when it unwinds.
class Consumer::InFlight {
  public:
    InFlight(Consumer& consumer, std::string message_id)
        : consumer_(consumer), message_id_(std::move(message_id)), began_(consumer.loop.clock.now()) {
        tell_count(++consumer_.working);
    }
    ~InFlight() {
        auto& [name, telemetry, clock, pulse] = consumer_.loop;
        tell_count(--consumer_.working);
        telemetry.emit(ports::DeliverySettled{name, message_id_, settled_, clock.now() - began_});
        pulse.beat();
    }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    void ends_as(ports::Settled settled) { settled_ = settled; }

  private:
    void tell_count(std::size_t count) { consumer_.loop.telemetry.emit(ports::InFlight{consumer_.loop.name, count}); }

    Consumer& consumer_;
    std::string message_id_;
    TimePoint began_;
    ports::Settled settled_ = ports::Settled::abandoned;
};

// An error or an exception ends this delivery only: it is not acked, so it comes back and, in the end, is a dead letter.
Async<> Consumer::process(ports::Delivery delivery) {
    InFlight account(*this, delivery.message_id);
    std::exception_ptr crash;
    try {
        const auto settled = co_await work_on(delivery);
        if (settled) {
            account.ends_as(*settled);
        } else {
            loop.telemetry.emit(ports::DeliveryLost{loop.name, delivery.message_id, settled.error()});
        }
    } catch (const boost::system::system_error& error) {
        if (error.code() == boost::asio::error::operation_aborted) throw;
        crash = std::current_exception();
    } catch (...) {
        crash = std::current_exception();
    }
    if (crash)
        loop.telemetry.emit(ports::LoopCrashed{loop.name, "message " + delivery.message_id + ": " + describe(crash)});
}

Async<Result<ports::Settled>> Consumer::work_on(ports::Delivery delivery) {
    // The heartbeat has ended before the delivery is settled, so it cannot prolong what was just given back.
    auto first = co_await coro::first_of(handle(delivery), keep_invisible(delivery));
    const auto& handled = std::get<0>(first);
    if (!handled) co_return handled.error();
    if (const auto* retry = std::get_if<ports::RetryAfter>(&*handled)) {
        const auto given_back = co_await queue.retry_after(std::move(delivery.receipt), retry->wait);
        if (!given_back) co_return given_back.error();
        co_return ports::Settled::retried;
    }
    const auto acked = co_await queue.ack(std::move(delivery.receipt));
    if (!acked) co_return acked.error();
    co_return ports::Settled::acked;
}

// Prolongs the visibility until it is cancelled. Once the delivery is lost there is nothing to prolong, but the work goes on: what it
// claimed is fenced, and the second delivery will find it claimed. The loss is told when the delivery is settled.
Async<> Consumer::keep_invisible(ports::Delivery delivery) {
    for (;;) {
        co_await coro::sleep(queue.visibility() / 3);
        const auto extended = co_await queue.extend(delivery.receipt, queue.visibility());
        if (extended) continue;
        if (!is_retryable(extended.error().code)) co_await coro::forever();
        loop.telemetry.emit(ports::LoopFailed{loop.name, extended.error()});
    }
}

}  // namespace

Admit admit_all() {
    return [](int wanted) -> Async<Result<Admission>> { co_return Admission{.allowed = wanted}; };
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): a queue outlives the loops that it feeds
Async<> consume(ports::MessageQueue& queue, Handle handle, Admit admit, ConsumerConfig config, LoopContext loop,
                std::stop_token stop) {
    Consumer consumer{queue, std::move(handle), std::move(admit), config, loop};
    auto body = [&](coro::Group& in_flight) { return consumer.run(in_flight, stop); };
    const auto limit = static_cast<std::size_t>(config.max_in_flight);
    const auto cut = co_await coro::with_group(limit, tell_crash(loop), config.drain, body);
    loop.telemetry.emit(ports::LoopDrained{loop.name, cut, loop.clock.now() - consumer.stopped_at});
}

}  // namespace crawler::runtime

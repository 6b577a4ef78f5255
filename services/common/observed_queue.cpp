#include "common/observed_queue.hpp"

#include <algorithm>

namespace crawler::services {
namespace {

class ObservedQueue final : public ports::MessageQueue {
  public:
    ObservedQueue(std::unique_ptr<ports::MessageQueue> queue, ports::LineQueue which, ports::Telemetry& telemetry,
                  const ports::Clock& clock)
        : queue_(std::move(queue)), which_(which), telemetry_(telemetry), clock_(clock) {}

    Duration visibility() const override { return queue_->visibility(); }

    Async<Result<std::vector<Result<>>>> send(std::vector<ports::OutgoingMessage> messages) override {
        const auto count = messages.size();
        auto sent = co_await queue_->send(std::move(messages));
        std::size_t accepted = 0;
        if (sent)
            accepted =
                static_cast<std::size_t>(std::ranges::count_if(*sent, [](const auto& one) { return bool(one); }));
        if (count > 0) telemetry_.emit(ports::MessagesSent{which_, accepted, count - accepted});
        co_return sent;
    }

    Async<Result<std::vector<ports::Delivery>>> receive(int limit, Duration wait) override {
        auto received = co_await queue_->receive(limit, wait);
        if (received && !received->empty()) telemetry_.emit(told_of(*received));
        co_return received;
    }

    Async<Result<>> ack(std::string receipt) override { return queue_->ack(std::move(receipt)); }
    Async<Result<>> retry_after(std::string receipt, Duration wait) override {
        return queue_->retry_after(std::move(receipt), wait);
    }
    Async<Result<>> extend(std::string receipt, Duration visibility) override {
        return queue_->extend(std::move(receipt), visibility);
    }

    Async<Result<ports::QueueDepth>> depth() override {
        auto depth = co_await queue_->depth();
        if (depth) telemetry_.emit(ports::QueueObserved{which_, depth->waiting, depth->in_flight, depth->dead});
        co_return depth;
    }

  private:
    ports::MessagesReceived told_of(const std::vector<ports::Delivery>& deliveries) const {
        ports::MessagesReceived event{.queue = which_, .count = deliveries.size()};
        for (const auto& delivery : deliveries) {
            event.again += delivery.receive_count > 1 ? 1 : 0;
            if (delivery.sent_at) event.oldest = std::max(event.oldest, clock_.now() - *delivery.sent_at);
        }
        return event;
    }

    std::unique_ptr<ports::MessageQueue> queue_;
    ports::LineQueue which_;
    ports::Telemetry& telemetry_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::MessageQueue> observe(std::unique_ptr<ports::MessageQueue> queue, ports::LineQueue which,
                                             ports::Telemetry& telemetry, const ports::Clock& clock) {
    return std::make_unique<ObservedQueue>(std::move(queue), which, telemetry, clock);
}

}  // namespace crawler::services

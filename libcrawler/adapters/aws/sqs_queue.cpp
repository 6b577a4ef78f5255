// The line's side of a queue of SQS.
#include <boost/json/array.hpp>
#include <numeric>

#include "adapters/aws/batches.hpp"
#include "adapters/aws/deliveries.hpp"
#include "adapters/aws/sqs_requests.hpp"
#include "coro/together.hpp"

namespace crawler::adapters {
namespace {

using namespace aws;
namespace json = boost::json;

constexpr Duration longest_visibility = std::chrono::hours{12};  // that SQS grants

// Never shorter than what was asked for.
std::int64_t whole_seconds(Duration length) {
    return std::chrono::ceil<std::chrono::seconds>(std::clamp(length, Duration{0}, longest_visibility)).count();
}

Error delivery_is_over() {
    return {Errc::conflict, "that delivery is over"};
}

class SqsQueue final : public ports::MessageQueue {
  public:
    SqsQueue(const Aws& aws, SqsConfig config)
        : config_(std::move(config)),
          requests_(aws, config_.queue),
          clock_(aws->clock()),
          deletes_([this](auto entries) { return erase(std::move(entries)); }, config_.batches_at_once,
                   aws->executor()),
          changes_([this](auto entries) { return change(std::move(entries)); }, config_.batches_at_once,
                   aws->executor()) {}

    Duration visibility() const override { return config_.visibility; }

    Async<Result<std::vector<Result<>>>> send(std::vector<ports::OutgoingMessage> messages) override {
        Outcomes outcomes(messages.size());
        std::vector<std::size_t> good;
        for (std::size_t i = 0; i < messages.size(); ++i) {
            outcomes[i] = check(messages[i]);
            if (outcomes[i]) good.push_back(i);
        }
        std::vector<Async<>> lanes;
        for (auto& lane : lanes_of(messages, good, static_cast<std::size_t>(config_.batches_at_once)))
            lanes.push_back(send_lane(messages, std::move(lane), outcomes));
        co_await coro::together(std::move(lanes));

        // Where nothing was accepted and one reason holds for all, that is the answer.
        const auto failed_as_first = [&](std::size_t i) {
            return !outcomes[i] && outcomes[i].error() == outcomes[good.front()].error();
        };
        if (!good.empty() && good.size() == messages.size() && !outcomes[good.front()] &&
            std::ranges::all_of(good, failed_as_first))
            co_return outcomes[good.front()].error();
        co_return outcomes;
    }

    Async<Result<std::vector<ports::Delivery>>> receive(int limit, Duration wait) override {
        auto received = co_await requests_.receive(limit, wait, config_.visibility);
        if (!received) co_return received.error();
        const auto now = clock_.now();
        std::vector<ports::Delivery> deliveries;
        for (auto& [receipt, message] : *received) {
            deliveries_.begin(receipt, now + config_.visibility, now);
            deliveries.push_back({.body = std::move(message.body),
                                  .message_id = std::move(message.message_id),
                                  .receipt = std::move(receipt),
                                  .receive_count = message.receive_count,
                                  .sent_at = message.sent_at});
        }
        co_return deliveries;
    }

    Async<Result<>> ack(std::string receipt) override {
        if (deliveries_.is_over(receipt, clock_.now())) co_return delivery_is_over();
        BatchEntry entry{.receipt = receipt};
        auto deleted = co_await deletes_.add(std::move(entry));
        if (deleted) deliveries_.end(receipt);
        co_return deleted;
    }

    Async<Result<>> retry_after(std::string receipt, Duration wait) override {
        if (deliveries_.is_over(receipt, clock_.now())) co_return delivery_is_over();
        BatchEntry entry{.receipt = receipt, .seconds = whole_seconds(wait)};
        auto changed = co_await changes_.add(std::move(entry));
        if (changed) deliveries_.end(receipt);
        co_return changed;
    }

    Async<Result<>> extend(std::string receipt, Duration visibility) override {
        const auto asked_at = clock_.now();
        if (deliveries_.is_over(receipt, asked_at)) co_return delivery_is_over();
        BatchEntry entry{.receipt = receipt, .seconds = whole_seconds(visibility)};
        auto changed = co_await changes_.add(std::move(entry));
        if (changed) deliveries_.prolong(receipt, asked_at + visibility);
        co_return changed;
    }

    Async<Result<ports::QueueDepth>> depth() override { co_return co_await requests_.depth(); }

  private:
    using Outcomes = std::vector<Result<>>;

    // NOLINTBEGIN(cppcoreguidelines-avoid-reference-coroutine-parameters): send() awaits it with all in its frame
    Async<> send_lane(const std::vector<ports::OutgoingMessage>& messages, std::vector<Batch> lane,
                      Outcomes& outcomes) {
        // NOLINTEND(cppcoreguidelines-avoid-reference-coroutine-parameters)
        for (const auto& batch : lane) {
            json::array entries;
            for (const auto index : batch)
                entries.push_back(send_entry(messages[index], entries.size(), requests_.keeps_order(),
                                             requests_.account().fresh_id()));
            auto sent = co_await requests_.ask_batch("SendMessageBatch", std::move(entries));
            for (std::size_t i = 0; i < batch.size(); ++i) outcomes[batch[i]] = std::move(sent[i]);
        }
    }

    Async<Outcomes> erase(std::vector<BatchEntry> batch) {
        json::array entries;
        for (const auto& one : batch)
            entries.push_back(json::object{{"Id", std::to_string(entries.size())}, {"ReceiptHandle", one.receipt}});
        co_return co_await requests_.ask_batch("DeleteMessageBatch", std::move(entries));
    }

    Async<Outcomes> change(std::vector<BatchEntry> batch) {
        json::array entries;
        for (const auto& one : batch)
            entries.push_back(json::object{{"Id", std::to_string(entries.size())},
                                           {"ReceiptHandle", one.receipt},
                                           {"VisibilityTimeout", one.seconds}});
        co_return co_await requests_.ask_batch("ChangeMessageVisibilityBatch", std::move(entries));
    }

    SqsConfig config_;
    SqsRequests requests_;
    const ports::Clock& clock_;
    Deliveries deliveries_;
    Batches deletes_;
    Batches changes_;
};

}  // namespace

std::unique_ptr<ports::MessageQueue> make_sqs_queue(Aws aws, SqsConfig config) {
    return std::make_unique<SqsQueue>(std::move(aws), std::move(config));
}

}  // namespace crawler::adapters

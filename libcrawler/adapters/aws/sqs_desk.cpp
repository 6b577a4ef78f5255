// The operator's side of a queue of SQS: what lies in it can only be seen by receiving it.
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "adapters/aws/batches.hpp"
#include "adapters/aws/sqs_requests.hpp"
#include "coro/sleep.hpp"

namespace crawler::adapters {
namespace {

using namespace aws;
using ports::QueuePart;
namespace json = boost::json;

constexpr Duration look = std::chrono::seconds{1};    // asks all of SQS's servers, where no wait asks some
constexpr Duration hold = std::chrono::seconds{30};   // what was taken is not given to another meanwhile
constexpr Duration moving = std::chrono::seconds{1};  // between two looks at a move that SQS does by itself

class SqsDesk final : public ports::QueueDesk {
  public:
    SqsDesk(Aws aws, const SqsConfig& config) : requests_(std::move(aws), config.queue) {}

    Async<Result<ports::QueueDepth>> depth() override { co_return co_await requests_.depth(); }

    // They are taken for a moment and given back, so that each is seen, and counts as received, once.
    Async<Result<std::vector<ports::StoredMessage>>> peek(QueuePart part, int limit) override {
        const auto queue = co_await queue_of(part);
        if (!queue) co_return queue.error();
        std::vector<ports::StoredMessage> seen;
        if (!*queue) co_return seen;
        auto taken = co_await take(**queue, limit);
        if (!taken) co_return taken.error();
        co_await give_back(**queue, *taken);
        for (auto& one : *taken) {
            one.message.receive_count -= part == QueuePart::waiting ? 1 : 0;  // ours
            seen.push_back(std::move(one.message));
        }
        co_return seen;
    }

    // All of them SQS moves by itself, where it can; otherwise each is sent again and then deleted: what is cut in between is there twice.
    Async<Result<std::size_t>> redrive(int limit) override {
        const auto dead = co_await requests_.dead_letters();
        if (!dead) co_return dead.error();
        if (!*dead) co_return std::size_t{0};
        const auto depth = co_await (*dead)->own_depth();
        if (!depth) co_return depth.error();
        if (depth->in_flight == 0 && depth->waiting > 0 && depth->waiting <= limit) {
            const auto moved = co_await move_all(**dead);
            if (moved) co_return *moved;
        }
        std::size_t count = 0;
        while (count < static_cast<std::size_t>(limit)) {
            auto taken = co_await take(**dead, std::min(limit - static_cast<int>(count), ten));
            if (!taken) co_return taken.error();
            if (taken->empty()) break;
            const auto sent = co_await send_again(**dead, std::move(*taken));
            if (!sent) co_return sent.error();
            count += *sent;
        }
        co_return count;
    }

    // One by one and not all at once, as SQS offers it: that would take what somebody works on.
    Async<Result<std::size_t>> purge(QueuePart part, int limit) override {
        const auto queue = co_await queue_of(part);
        if (!queue) co_return queue.error();
        std::size_t count = 0;
        while (*queue && count < static_cast<std::size_t>(limit)) {
            const auto taken = co_await take(**queue, std::min(limit - static_cast<int>(count), ten));
            if (!taken) co_return taken.error();
            if (taken->empty()) break;
            const auto deleted = co_await erase(**queue, *taken);
            if (!deleted) co_return deleted.error();
            count += *deleted;
        }
        co_return count;
    }

  private:
    static constexpr int ten = static_cast<int>(most_in_batch);
    using Taken = std::vector<Received>;

    // Null: it has no queue of dead letters.
    Async<Result<SqsRequests*>> queue_of(QueuePart part) {
        if (part == QueuePart::waiting) co_return &requests_;
        co_return co_await requests_.dead_letters();
    }

    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the queue is a member
    static Async<Result<Taken>> take(SqsRequests& queue, int limit) {
        Taken taken;
        std::set<std::string> ids;
        while (std::ssize(taken) < limit) {
            auto received = co_await queue.receive(limit - static_cast<int>(taken.size()), look, hold);
            if (!received) co_return received.error();
            const auto before = taken.size();
            for (auto& one : *received) {
                if (ids.insert(one.message.message_id).second) taken.push_back(std::move(one));
            }
            if (taken.size() == before) break;
        }
        co_return taken;
    }

    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): both outlive it
    static Async<> give_back(SqsRequests& queue, const Taken& taken) {
        for (std::size_t begin = 0; begin < taken.size(); begin += most_in_batch) {
            json::array entries;
            for (auto i = begin; i < std::min(begin + most_in_batch, taken.size()); ++i)
                entries.push_back(json::object{
                    {"Id", std::to_string(i - begin)}, {"ReceiptHandle", taken[i].receipt}, {"VisibilityTimeout", 0}});
            // What stays with us comes back by time.
            co_await queue.ask_batch("ChangeMessageVisibilityBatch", std::move(entries));
        }
    }

    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): both outlive it
    static Async<Result<std::size_t>> erase(SqsRequests& queue, const Taken& taken) {
        json::array entries;
        for (const auto& one : taken)
            entries.push_back(json::object{{"Id", std::to_string(entries.size())}, {"ReceiptHandle", one.receipt}});
        const auto outcomes = co_await queue.ask_batch("DeleteMessageBatch", std::move(entries));
        std::size_t deleted = 0;
        for (const auto& outcome : outcomes) deleted += outcome ? 1 : 0;
        if (deleted == 0) co_return outcomes.front().error();
        co_return deleted;
    }

    // Behind what waits in their groups, and past deduplication. Up to ten.
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the queue is a member
    Async<Result<std::size_t>> send_again(SqsRequests& dead, Taken taken) {
        json::array entries;
        for (const auto& [receipt, message] : taken) {
            const ports::OutgoingMessage again{.body = message.body, .group = message.group, .deduplication_id = {}};
            entries.push_back(
                send_entry(again, entries.size(), requests_.keeps_order(), requests_.account().fresh_id()));
        }
        const auto outcomes = co_await requests_.ask_batch("SendMessageBatch", std::move(entries));
        Taken sent, unsent;
        for (std::size_t i = 0; i < taken.size(); ++i) (outcomes[i] ? sent : unsent).push_back(std::move(taken[i]));
        co_await give_back(dead, unsent);
        if (sent.empty()) co_return outcomes.front().error();
        co_return co_await erase(dead, sent);
    }

    // How many; an error of any kind: it was not begun.
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the queue is a member
    Async<Result<std::size_t>> move_all(SqsRequests& dead) {
        json::object question;
        question["AttributeNames"] = json::array{"QueueArn"};
        const auto known = co_await dead.ask("GetQueueAttributes", std::move(question));
        if (!known) co_return known.error();
        const auto* attributes = known->if_contains("Attributes");
        const auto arn = attributes && attributes->is_object() ? text_at(attributes->get_object(), "QueueArn") : "";
        json::object order{{"SourceArn", arn}};
        const auto begun = co_await requests_.ask_plainly("StartMessageMoveTask", order);
        if (!begun) co_return begun.error();
        for (;;) {
            const auto tasks = co_await requests_.ask_plainly("ListMessageMoveTasks", order);
            const auto* results = tasks ? list_at(*tasks, "Results") : nullptr;
            if (!results || results->empty() || !results->front().is_object()) co_return std::size_t{0};
            const auto& task = results->front().get_object();
            const auto* moved = task.if_contains("ApproximateNumberOfMessagesMoved");
            if (text_at(task, "Status") != "RUNNING")
                co_return moved && moved->is_int64() ? static_cast<std::size_t>(moved->get_int64()) : std::size_t{0};
            co_await coro::sleep(moving);
        }
    }

    SqsRequests requests_;
};

}  // namespace

std::unique_ptr<ports::QueueDesk> make_sqs_desk(Aws aws, const SqsConfig& config) {
    return std::make_unique<SqsDesk>(std::move(aws), config);
}

}  // namespace crawler::adapters

// Longer than usual: what the line does, the desk shows and the desk takes back stands on the same few invariants.
#include <algorithm>
#include <list>
#include <ranges>
#include <set>
#include <unordered_map>

#include "adapters/memory/queue.hpp"

#include "adapters/memory/recent_ids.hpp"
#include "coro/event.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace {

struct Message {
    std::string id;
    std::string body;
    std::string group;
    TimePoint sent_at;
    TimePoint visible_at;
    int receive_count = 0;
    std::string receipt;  // of the latest delivery; empty before the first
};

struct DeadLetter {
    Message message;
    TimePoint died_at;
};

class InMemoryQueue final : public MemoryQueue {
  public:
    InMemoryQueue(MemoryQueueConfig config, const ports::Clock& clock, const boost::asio::any_io_executor& executor,
                  Faults* faults)
        : config_(config), clock_(clock), faults_(faults), changed_(executor) {}

    Async<Result<std::vector<Result<>>>> send(std::vector<ports::OutgoingMessage> messages) override {
        co_await coro::sleep(latency_);
        auto body = [&]() -> Result<std::vector<Result<>>> {
            std::vector<Result<>> accepted;
            for (auto& message : messages) {
                auto one = [&] { return append(std::move(message)); };
                accepted.push_back(with_faults(faults_, "message_queue.send_one", one));
            }
            return accepted;
        };
        auto accepted = with_faults(faults_, "message_queue.send", body);
        notify();
        co_return accepted;
    }

    Async<Result<std::vector<ports::Delivery>>> receive(int limit, Duration wait) override {
        const auto fault = faults_ ? faults_->strike("message_queue.receive") : std::nullopt;
        if (fault && !fault->answer_lost) co_return fault->error;

        const auto give_up = clock_.now() + wait;
        for (;;) {
            const auto seen = changes_;
            const auto now = clock_.now();
            auto deliveries = take(limit, now);
            if (!deliveries.empty() || now >= give_up) {
                if (fault) co_return fault->error;
                co_return deliveries;
            }
            const auto pause = std::min(give_up, next_visible(now)) - now;
            co_await coro::with_timeout(changed_since(seen), pause);
        }
    }

    Async<Result<>> ack(std::string receipt) override {
        auto body = [&]() -> Result<> {
            const auto message = in_flight(receipt);
            if (message == messages_.end()) return is_over(receipt);
            by_receipt_.erase(receipt);
            messages_.erase(message);
            notify();  // its group may go on
            return {};
        };
        co_return with_faults(faults_, "message_queue.ack", body);
    }

    Async<Result<>> retry_after(std::string receipt, Duration wait) override {
        auto body = [&]() -> Result<> {
            const auto message = in_flight(receipt);
            if (message == messages_.end()) return is_over(receipt);
            message->visible_at = clock_.now() + wait;
            by_receipt_.erase(receipt);
            notify();
            return {};
        };
        co_return with_faults(faults_, "message_queue.retry_after", body);
    }

    Async<Result<>> extend(std::string receipt, Duration visibility) override {
        auto body = [&]() -> Result<> {
            const auto message = in_flight(receipt);
            if (message == messages_.end()) return is_over(receipt);
            message->visible_at = clock_.now() + visibility;
            notify();
            return {};
        };
        co_return with_faults(faults_, "message_queue.extend", body);
    }

    Async<Result<ports::QueueDepth>> depth() override {
        auto body = [&]() -> Result<ports::QueueDepth> {
            const auto now = clock_.now();
            const auto hidden =
                std::ranges::count_if(messages_, [now](const Message& m) { return m.visible_at > now; });
            return ports::QueueDepth{std::ssize(messages_) - hidden, hidden, std::ssize(dead_letters_)};
        };
        co_return with_faults(faults_, "message_queue.depth", body);
    }

    Async<Result<std::vector<ports::StoredMessage>>> peek(ports::QueuePart part, int limit) override {
        auto body = [&]() -> Result<std::vector<ports::StoredMessage>> {
            std::vector<ports::StoredMessage> seen;
            const auto count = static_cast<std::ptrdiff_t>(limit);
            if (part == ports::QueuePart::dead) {
                for (const auto& [message, died_at] : dead_letters_ | std::views::take(count))
                    seen.push_back(stored(message, died_at));
            } else {
                for (const auto& message : messages_ | std::views::take(count)) seen.push_back(stored(message, {}));
            }
            return seen;
        };
        co_return with_faults(faults_, "queue_desk.peek", body);
    }

    Async<Result<std::size_t>> redrive(int limit) override {
        auto body = [&]() -> Result<std::size_t> {
            const auto letters = first_dead(limit);
            for (const auto& letter : letters) {
                auto message = letter.message;
                put_in_line(std::move(message.body), std::move(message.group), message.sent_at);
            }
            drop_first_dead(letters.size());
            notify();
            return letters.size();
        };
        co_return with_faults(faults_, "queue_desk.redrive", body);
    }

    Async<Result<std::size_t>> purge(ports::QueuePart part, int limit) override {
        auto body = [&]() -> Result<std::size_t> {
            if (part == ports::QueuePart::dead) {
                const auto count = first_dead(limit).size();
                drop_first_dead(count);
                return count;
            }
            const auto now = clock_.now();
            int left = limit;
            const auto count = std::erase_if(messages_, [&](const Message& message) {
                const bool is_held = by_receipt_.contains(message.receipt) && message.visible_at > now;
                if (is_held || left == 0) return false;
                by_receipt_.erase(message.receipt);
                --left;
                return true;
            });
            notify();
            return count;
        };
        co_return with_faults(faults_, "queue_desk.purge", body);
    }

    Duration visibility() const override { return config_.visibility; }
    void set_latency(Duration latency) override { latency_ = latency; }

    std::vector<ports::Delivery> dead_letters() const override {
        std::vector<ports::Delivery> deliveries;
        for (const auto& letter : dead_letters_) deliveries.push_back(delivery_of(letter.message));
        return deliveries;
    }

  private:
    using Place = std::list<Message>::iterator;

    static Error is_over(const std::string& receipt) { return {Errc::conflict, "delivery " + receipt + " is over"}; }
    static ports::Delivery delivery_of(const Message& m) {
        return {m.body, m.id, m.receipt, m.receive_count, m.sent_at};
    }

    Result<> append(ports::OutgoingMessage message) {
        const auto now = clock_.now();
        if (const auto good = ports::check_keys(message); !good) return good;
        if (!message.deduplication_id.empty() && !recent_.add(message.deduplication_id, now)) return {};
        put_in_line(std::move(message.body), std::move(message.group), now);
        return {};
    }
    void put_in_line(std::string body, std::string group, TimePoint sent_at) {
        messages_.push_back({.id = "m-" + std::to_string(++last_id_),
                             .body = std::move(body),
                             .group = std::move(group),
                             .sent_at = sent_at,
                             .visible_at = clock_.now()});
    }

    ports::StoredMessage stored(const Message& m, std::optional<TimePoint> died_at) const {
        const bool is_hidden = !died_at && m.visible_at > clock_.now();
        const auto until = is_hidden ? std::optional(m.visible_at) : std::nullopt;
        return {m.id, m.body, m.group, m.sent_at, m.receive_count, until, died_at};
    }
    std::vector<DeadLetter> first_dead(int limit) const {
        const auto count = std::min<std::ptrdiff_t>(limit, std::ssize(dead_letters_));
        return {dead_letters_.begin(), dead_letters_.begin() + count};
    }
    void drop_first_dead(std::size_t count) {
        dead_letters_.erase(dead_letters_.begin(), dead_letters_.begin() + static_cast<std::ptrdiff_t>(count));
    }

    // The message of a delivery that is not over, or the end.
    Place in_flight(const std::string& receipt) {
        const auto found = by_receipt_.find(receipt);
        if (found == by_receipt_.end() || found->second->visible_at <= clock_.now()) return messages_.end();
        return found->second;
    }

    std::vector<ports::Delivery> take(int limit, TimePoint now) {
        std::vector<ports::Delivery> deliveries;
        std::set<std::string> busy;  // groups whose first message is not for us, or is in our hands
        for (auto message = messages_.begin(); message != messages_.end() && std::ssize(deliveries) < limit;) {
            const auto current = message++;
            if (busy.contains(current->group)) continue;
            if (current->visible_at <= now && current->receive_count >= config_.max_receive_count) {
                bury(current);
                continue;
            }
            if (!current->group.empty()) busy.insert(current->group);
            if (current->visible_at <= now) deliveries.push_back(deliver(current, now));
        }
        return deliveries;
    }

    ports::Delivery deliver(Place message, TimePoint now) {
        by_receipt_.erase(message->receipt);
        message->visible_at = now + config_.visibility;
        message->receipt = message->id + "#" + std::to_string(++message->receive_count);
        by_receipt_.emplace(message->receipt, message);
        return delivery_of(*message);
    }

    void bury(Place message) {
        by_receipt_.erase(message->receipt);
        dead_letters_.push_back({*message, clock_.now()});
        messages_.erase(message);
    }

    // When the next message comes back into sight by time alone.
    TimePoint next_visible(TimePoint now) const {
        auto next = TimePoint::max();
        for (const auto& message : messages_) {
            if (message.visible_at > now) next = std::min(next, message.visible_at);
        }
        return next;
    }

    // A change between the look at the queue and the start of the wait must not be missed, hence the count.
    Async<> changed_since(std::uint64_t seen) {
        while (changes_ == seen) co_await changed_.wait();
    }
    void notify() {
        ++changes_;
        changed_.notify_all();
    }

    MemoryQueueConfig config_;
    Duration latency_{};
    const ports::Clock& clock_;
    Faults* faults_;
    std::list<Message> messages_;  // in the order they were sent
    std::unordered_map<std::string, Place> by_receipt_;
    RecentIds recent_;
    std::vector<DeadLetter> dead_letters_;
    std::uint64_t last_id_ = 0;
    std::uint64_t changes_ = 0;
    coro::Event changed_;
};

}  // namespace

std::unique_ptr<MemoryQueue> make_memory_queue(MemoryQueueConfig config, const ports::Clock& clock,
                                               const boost::asio::any_io_executor& executor, Faults* faults) {
    return std::make_unique<InMemoryQueue>(config, clock, executor, faults);
}

}  // namespace crawler::adapters

#include "adapters/sql/queue.hpp"

#include <algorithm>

#include "adapters/sql/queue_acks.hpp"
#include "adapters/sql/queue_rows.hpp"
#include "coro/event.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;
using Deliveries = std::vector<ports::Delivery>;

constexpr int most_burials = 10;  // rounds of dead letters in one receive
const Columns dead_columns{"seq", "queue", "body", "message_group", "sent_at", "receive_count", "died_at"};

struct Candidate {
    std::int64_t seq = 0;
    int receive_count = 0;
    std::string group;
    std::string body;
    TimePoint sent_at;
};

Values keys_of(const std::vector<Candidate>& messages) {
    Values keys;
    for (const auto& message : messages) keys.emplace_back(message.seq);
    return keys;
}

// What is in line and visible, ours until the transaction ends.
std::vector<Candidate> lock_visible(Session& session, const std::string& queue, int limit, TimePoint now) {
    static const Columns columns{"seq", "receive_count", "message_group", "body", "sent_at"};
    const auto rest = "FROM queue_messages WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, seq LIMIT ? " +
                      std::string(session.dialect().lock_free_rows());
    std::vector<Candidate> found;
    for (auto& row : session.select(columns, rest, {queue, now, limit})) {
        auto& message = found.emplace_back();
        message.seq = row.number();
        message.receive_count = row.small_number();
        message.group = row.optional_text().value_or("");
        message.body = row.text();
        message.sent_at = row.instant();
    }
    return found;
}

class SqlQueue final : public ports::MessageQueue {
  public:
    SqlQueue(SqlDatabase& database, SqlQueueConfig config, const ports::Clock& clock,
             const boost::asio::any_io_executor& executor)
        : database_(database),
          config_(std::move(config)),
          clock_(clock),
          acks_(database, config_.name, clock, executor),
          changed_(executor) {}

    Duration visibility() const override { return config_.visibility; }

    Async<Result<std::vector<Result<>>>> send(std::vector<ports::OutgoingMessage> messages) override {
        std::vector<Result<>> accepted;
        for (const auto& message : messages) accepted.push_back(ports::check_keys(message));
        std::erase_if(messages, [](const auto& message) { return !ports::check_keys(message); });
        if (messages.empty()) co_return accepted;
        auto body = [this, messages = std::move(messages), now = clock_.now()](Session& session) -> Result<> {
            send_messages(session, config_.name, messages, now);
            return {};
        };
        const auto sent = co_await transact_in_line(database_, std::move(body));
        if (!sent) co_return sent.error();
        notify();
        co_return accepted;
    }

    Async<Result<Deliveries>> receive(int limit, Duration wait) override {
        const auto give_up = clock_.now() + wait;
        for (;;) {
            const auto seen = changes_;
            const auto next = co_await next_visible();
            if (!next) co_return next.error();
            if (*next <= clock_.now()) {
                auto body = [this, limit, now = clock_.now()](Session& session) { return take(session, limit, now); };
                auto taken = co_await database_.transact(std::move(body));
                if (!taken || !taken->empty()) co_return taken;
            }
            const auto now = clock_.now();
            if (now >= give_up) co_return Deliveries{};
            // Where others were quicker, or are at it, the poll interval keeps us from asking again and again.
            auto until = std::min(give_up, now + config_.poll_interval);
            if (*next > now) until = std::min(until, *next);
            co_await coro::with_timeout(changed_since(seen), until - now);
        }
    }

    Async<Result<>> ack(std::string receipt) override {
        auto delivery = Receipt::parse(receipt);
        if (!delivery) co_return delivery_is_over();
        const auto group_goes_on = co_await acks_.ack(*std::move(delivery));
        if (!group_goes_on) co_return group_goes_on.error();
        if (*group_goes_on) notify();
        co_return Result<>{};
    }

    Async<Result<>> retry_after(std::string receipt, Duration wait) override {
        auto done = co_await hide(std::move(receipt), wait, false);
        if (done) notify();
        co_return done;
    }

    Async<Result<>> extend(std::string receipt, Duration visibility) override {
        co_return co_await hide(std::move(receipt), visibility, true);
    }

    Async<Result<ports::QueueDepth>> depth() override {
        auto body = [this, now = clock_.now()](Session& session) -> Result<ports::QueueDepth> {
            return depth_of(session, config_.name, now);
        };
        co_return co_await database_.read(std::move(body));
    }

  private:
    // From when on there is something to receive; for ever where nothing is in line. Looks only: whoever waits for a message does not
    // keep those from writing who have one.
    Async<Result<TimePoint>> next_visible() {
        auto body = [this](Session& session) -> Result<TimePoint> {
            const auto rest =
                "FROM queue_messages WHERE queue = ? AND visible_at IS NOT NULL ORDER BY visible_at LIMIT 1";
            auto row = session.select_one({"visible_at"}, rest, {config_.name});
            return row ? row->instant() : TimePoint::max();
        };
        co_return co_await database_.read(std::move(body));
    }

    Result<Deliveries> take(Session& session, int limit, TimePoint now) {
        Deliveries taken;
        for (int round = 0; round < most_burials && std::ssize(taken) < limit; ++round) {
            std::vector<Candidate> alive;
            std::vector<Candidate> dead;
            for (auto& message : lock_visible(session, config_.name, limit - static_cast<int>(taken.size()), now))
                (message.receive_count < config_.max_receive_count ? alive : dead).push_back(std::move(message));
            hand_out(session, std::move(alive), now, taken);
            if (dead.empty()) break;
            bury(session, dead, now);
        }
        return taken;
    }

    void hand_out(Session& session, std::vector<Candidate> messages, TimePoint now, Deliveries& taken) {
        if (messages.empty()) return;
        Values values{now + config_.visibility};
        const auto keys = keys_of(messages);
        values.insert(values.end(), keys.begin(), keys.end());
        session.execute(
            "UPDATE queue_messages SET visible_at = ?, receive_count = receive_count + 1, is_held = 1 "
            "WHERE seq IN " +
                placeholders(keys.size()),
            values);
        for (auto& message : messages) {
            Receipt receipt{message.seq, message.receive_count + 1, std::move(message.group)};
            taken.push_back({std::move(message.body), std::to_string(message.seq), receipt.text(),
                             receipt.receive_count, message.sent_at});
        }
    }

    void bury(Session& session, const std::vector<Candidate>& messages, TimePoint now) {
        std::vector<Values> letters;
        for (const auto& m : messages) {
            const Value group = m.group.empty() ? Value(std::nullopt) : Value(m.group);
            letters.push_back({m.seq, config_.name, m.body, group, m.sent_at, m.receive_count, now});
        }
        session.insert("queue_dead_letters", dead_columns, letters);
        delete_rows(session, "queue_messages", keys_of(messages));
        for (const auto& message : messages) {
            if (!message.group.empty()) promote_next(session, config_.name, message.group, now);
        }
    }

    Async<Result<>> hide(std::string receipt, Duration length, bool is_held) {
        auto body = [this, delivery = Receipt::parse(receipt), until = clock_.now() + length,
                     is_held](Session& session) -> Result<> {
            if (!delivery) return delivery_is_over();
            const auto hidden = session.execute(
                "UPDATE queue_messages SET visible_at = ?, is_held = ? WHERE seq = ? "
                "AND queue = ? AND receive_count = ? AND is_held = 1",
                {until, is_held, delivery->seq, config_.name, delivery->receive_count});
            if (hidden != 1) return delivery_is_over();
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

    // A change between the look at the queue and the start of the wait must not be missed, hence the count.
    Async<> changed_since(std::uint64_t seen) {
        while (changes_ == seen) co_await changed_.wait();
    }
    void notify() {
        ++changes_;
        changed_.notify_all();
    }

    SqlDatabase& database_;
    SqlQueueConfig config_;
    const ports::Clock& clock_;
    QueueAcks acks_;
    std::uint64_t changes_ = 0;
    coro::Event changed_;
};

}  // namespace

std::unique_ptr<ports::MessageQueue> make_sql_queue(SqlDatabase& database, SqlQueueConfig config,
                                                    const ports::Clock& clock,
                                                    const boost::asio::any_io_executor& executor) {
    return std::make_unique<SqlQueue>(database, std::move(config), clock, executor);
}

}  // namespace crawler::adapters

#include "adapters/sql/queue.hpp"
#include "adapters/sql/queue_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;
using Messages = std::vector<ports::StoredMessage>;

// All but the last column.
ports::StoredMessage message_of(Row& row) {
    ports::StoredMessage message;
    message.message_id = row.text();
    message.body = row.text();
    message.group = row.optional_text().value_or("");
    message.sent_at = row.instant();
    message.receive_count = row.small_number();
    return message;
}

class SqlQueueDesk final : public ports::QueueDesk {
  public:
    SqlQueueDesk(SqlDatabase& database, std::string queue, const ports::Clock& clock)
        : database_(database), queue_(std::move(queue)), clock_(clock) {}

    Async<Result<ports::QueueDepth>> depth() override {
        auto body = [this, now = clock_.now()](Session& session) -> Result<ports::QueueDepth> {
            return depth_of(session, queue_, now);
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<Messages>> peek(ports::QueuePart part, int limit) override {
        auto body = [this, part, limit, now = clock_.now()](Session& session) -> Result<Messages> {
            return part == ports::QueuePart::dead ? dead(session, limit) : live(session, limit, now);
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::size_t>> redrive(int limit) override {
        auto body = [this, limit, now = clock_.now()](Session& session) -> Result<std::size_t> {
            std::vector<NewMessage> again;
            Values keys;
            const auto rest = "FROM queue_dead_letters WHERE queue = ? ORDER BY seq LIMIT ? " +
                              std::string(session.dialect().lock_free_rows());
            for (auto& row : session.select({"seq", "body", "message_group", "sent_at"}, rest, {queue_, limit})) {
                keys.emplace_back(row.number());
                auto& message = again.emplace_back();
                message.body = row.text();
                message.group = row.optional_text().value_or("");
                message.sent_at = row.instant();
            }
            append_messages(session, queue_, again, now);
            delete_rows(session, "queue_dead_letters", keys);
            return keys.size();
        };
        co_return co_await transact_in_line(database_, std::move(body));
    }

    Async<Result<std::size_t>> purge(ports::QueuePart part, int limit) override {
        auto body = [this, part, limit, now = clock_.now()](Session& session) {
            return part == ports::QueuePart::dead ? purge_dead(session, limit) : purge_live(session, limit, now);
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    Messages live(Session& session, int limit, TimePoint now) const {
        Messages messages;
        static const Columns columns{"seq", "body", "message_group", "sent_at", "receive_count", "visible_at"};
        for (auto& row :
             session.select(columns, "FROM queue_messages WHERE queue = ? ORDER BY seq LIMIT ?", {queue_, limit})) {
            auto& message = messages.emplace_back(message_of(row));
            const auto visible_at = row.optional_instant();
            if (visible_at && *visible_at > now) message.in_flight_until = visible_at;
        }
        return messages;
    }

    Messages dead(Session& session, int limit) const {
        Messages messages;
        static const Columns columns{"seq", "body", "message_group", "sent_at", "receive_count", "died_at"};
        for (auto& row :
             session.select(columns, "FROM queue_dead_letters WHERE queue = ? ORDER BY seq LIMIT ?", {queue_, limit})) {
            auto& letter = messages.emplace_back(message_of(row));
            letter.died_at = row.instant();
        }
        return messages;
    }

    Result<std::size_t> purge_dead(Session& session, int limit) const {
        Values keys;
        const auto rest = "FROM queue_dead_letters WHERE queue = ? ORDER BY seq LIMIT ? " +
                          std::string(session.dialect().lock_free_rows());
        for (auto& row : session.select({"seq"}, rest, {queue_, limit})) keys.emplace_back(row.number());
        delete_rows(session, "queue_dead_letters", keys);
        return keys.size();
    }

    Result<std::size_t> purge_live(Session& session, int limit, TimePoint now) const {
        Values keys;
        std::vector<std::string> beheaded;
        const auto rest =
            "FROM queue_messages WHERE queue = ? AND (is_held = 0 OR visible_at <= ?) ORDER BY seq LIMIT ? " +
            std::string(session.dialect().lock_free_rows());
        for (auto& row : session.select({"seq", "head_of"}, rest, {queue_, now, limit})) {
            keys.emplace_back(row.number());
            if (auto group = row.optional_text()) beheaded.push_back(*std::move(group));
        }
        delete_rows(session, "queue_messages", keys);
        for (const auto& group : beheaded) promote_next(session, queue_, group, now);
        return keys.size();
    }

    SqlDatabase& database_;
    std::string queue_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::QueueDesk> make_sql_queue_desk(SqlDatabase& database, std::string queue,
                                                      const ports::Clock& clock) {
    return std::make_unique<SqlQueueDesk>(database, std::move(queue), clock);
}

}  // namespace crawler::adapters

#include "adapters/sql/queue.hpp"
#include "adapters/sql/queue_rows.hpp"
#include "adapters/sql/rule_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

const std::string due_rules =
    "FROM schedule_rules WHERE enabled = 1 AND next_fire_at <= ? ORDER BY next_fire_at, name LIMIT ? ";

class SqlScheduler final : public ports::Scheduler {
  public:
    SqlScheduler(SqlDatabase& database, SqlSchedulerConfig config) : database_(database), config_(std::move(config)) {}

    Async<Result<std::size_t>> fire_due(TimePoint now, int limit) override {
        // Hardly ever is anything due: to look costs nobody else anything.
        auto look = [now](Session& session) -> Result<bool> {
            return session.select_one({"next_fire_at"}, due_rules, {now, 1}).has_value();
        };
        const auto is_due = co_await database_.read(look);
        if (!is_due) co_return is_due.error();
        if (!*is_due) co_return std::size_t{0};
        auto body = [this, now, limit](Session& session) { return fire_in(session, now, limit); };
        co_return co_await transact_in_line(database_, std::move(body));
    }

  private:
    // A rule that another scheduler is at is passed over: it fires there.
    Result<std::size_t> fire_in(Session& session, TimePoint now, int limit) const {
        std::vector<ports::OutgoingMessage> messages;
        const auto rest = due_rules + std::string(session.dialect().lock_free_rows());
        for (auto& row : session.select(rule_columns, rest, {now, limit})) {
            const auto planned = planned_rule(std::move(row));
            const auto interval = rate_interval(planned.rule.expression);
            if (!interval) return interval.error();
            const auto firings = firings_due(planned.next_fire_at, *interval, now, config_.catch_up);
            for (const auto time : firings.times) messages.push_back(ports::message_of(planned.rule, time));
            session.execute("UPDATE schedule_rules SET next_fire_at = ? WHERE name = ? AND next_fire_at = ?",
                            {firings.next, planned.rule.name, planned.next_fire_at});
        }
        send_messages(session, config_.queue, messages, now);
        return messages.size();
    }

    SqlDatabase& database_;
    SqlSchedulerConfig config_;
};

}  // namespace

std::unique_ptr<ports::Scheduler> make_sql_scheduler(SqlDatabase& database, SqlSchedulerConfig config) {
    return std::make_unique<SqlScheduler>(database, std::move(config));
}

}  // namespace crawler::adapters

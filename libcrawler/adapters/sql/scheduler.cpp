#include "adapters/sql/claim.hpp"
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
        const auto fired = co_await transact_in_line(database_, std::move(body));
        if (!fired) co_return fired.error();
        database_.tell(fired->set_aside);
        co_return fired->messages;
    }

  private:
    struct Fired {
        std::size_t messages = 0;
        std::vector<ports::RowSetAside> set_aside = {};
    };
    // A rule that another scheduler is at is passed over: it fires there. One that cannot be read is switched off, so that it holds up
    // nobody else's.
    Result<Fired> fire_in(Session& session, TimePoint now, int limit) const {
        Fired fired;
        std::vector<ports::OutgoingMessage> messages;
        const auto rest = due_rules + std::string(session.dialect().lock_free_rows());
        for (auto& row : session.select(rule_columns, rest, {now, limit})) {
            const auto name = row.first();
            const auto planned = read_row(std::move(row), planned_rule);
            const auto interval = planned ? rate_interval(planned->rule.expression) : Result<Duration>(planned.error());
            if (!interval) {
                session.execute("UPDATE schedule_rules SET enabled = 0 WHERE name = ?", {name});
                fired.set_aside.push_back({"schedule_rules " + name, interval.error().detail});
                continue;
            }
            const auto firings = firings_due(planned->next_fire_at, *interval, now, config_.catch_up);
            for (const auto time : firings.times) messages.push_back(ports::message_of(planned->rule, time));
            session.execute("UPDATE schedule_rules SET next_fire_at = ? WHERE name = ? AND next_fire_at = ?",
                            {firings.next, name, planned->next_fire_at});
        }
        send_messages(session, config_.queue, messages, now);
        fired.messages = messages.size();
        return fired;
    }

    SqlDatabase& database_;
    SqlSchedulerConfig config_;
};

}  // namespace

std::unique_ptr<ports::Scheduler> make_sql_scheduler(SqlDatabase& database, SqlSchedulerConfig config) {
    return std::make_unique<SqlScheduler>(database, std::move(config));
}

}  // namespace crawler::adapters

#include "adapters/sql/queue.hpp"
#include "adapters/sql/queue_rows.hpp"
#include "adapters/sql/rule_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

Result<> put_in(Session& session, const ScheduleRule& rule, TimePoint now) {
    const auto rest = "FROM schedule_rules WHERE name = ? " + std::string(session.dialect().lock_rows());
    auto row = session.select_one(rule_columns, rest, {rule.name});
    const auto before = row ? std::optional(planned_rule(*std::move(row))) : std::nullopt;
    const auto planned = plan(before, rule, now);
    if (!planned) return planned.error();
    auto values = row_of(*planned);
    if (!before) {
        session.insert("schedule_rules", rule_columns, {values});
        return {};
    }
    values.emplace_back(rule.name);
    session.execute(update_text("schedule_rules", rule_columns, "name = ?"), values);
    return {};
}

class SqlScheduleRules final : public ports::ScheduleRules {
  public:
    SqlScheduleRules(SqlDatabase& database, const ports::Clock& clock) : database_(database), clock_(clock) {}

    // Of two who make the same rule at once, the second changes what the first has made.
    Async<Result<>> put(ScheduleRule rule) override {
        const auto now = clock_.now();
        const auto acceptable = plan({}, rule, now);  // before a column is asked to hold it
        if (!acceptable) co_return acceptable.error();
        auto body = [rule = std::move(rule), now](Session& session) { return put_in(session, rule, now); };
        co_return co_await transact_in_line(database_, std::move(body));
    }

    Async<Result<>> remove(std::string name) override {
        if (!is_rule_name(name)) co_return Result<>{};
        auto body = [name = std::move(name)](Session& session) -> Result<> {
            session.execute("DELETE FROM schedule_rules WHERE name = ?", {name});
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::optional<ScheduleRule>>> find(std::string name) override {
        if (!is_rule_name(name)) co_return std::optional<ScheduleRule>{};
        auto body = [name = std::move(name)](Session& session) -> Result<std::optional<ScheduleRule>> {
            auto row = session.select_one(rule_columns, "FROM schedule_rules WHERE name = ?", {name});
            if (!row) return std::optional<ScheduleRule>{};
            return std::optional(planned_rule(*std::move(row)).rule);
        };
        co_return co_await database_.read(std::move(body));
    }

  private:
    SqlDatabase& database_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::ScheduleRules> make_sql_schedule_rules(SqlDatabase& database, const ports::Clock& clock) {
    return std::make_unique<SqlScheduleRules>(database, clock);
}

}  // namespace crawler::adapters

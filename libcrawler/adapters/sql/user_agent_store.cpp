#include <set>

#include "adapters/sql/database.hpp"
#include "adapters/sql/token_seal.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

const Columns columns{"id",           "user_agent_string", "token",           "status",    "health",
                      "last_used_at", "suspended_at",      "suspended_until", "throttled", "token_failures",
                      "created_at",   "updated_at",        "revision"};

class SqlUserAgentStore final : public ports::UserAgentStore {
  public:
    SqlUserAgentStore(SqlDatabase& database, TokenKeys keys) : database_(database), seal_(std::move(keys)) {}

    Async<Result<std::size_t>> add(std::vector<UserAgent> agents) override {
        auto body = [this, agents = std::move(agents)](Session& session) { return add_in(session, agents); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::vector<UserAgent>>> all() override {
        auto body = [this](Session& session) -> Result<std::vector<UserAgent>> {
            std::vector<UserAgent> agents;
            for (auto& row : session.select(columns, "FROM user_agents ORDER BY id"))
                agents.push_back(agent_of(std::move(row)));
            return agents;
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<UserAgent>> find(UserAgentId id) override {
        auto body = [this, id = std::move(id)](Session& session) -> Result<UserAgent> {
            auto row = session.select_one(columns, "FROM user_agents WHERE id = ?", {id});
            if (!row) return Error{Errc::not_found, "there is no identity " + id.value};
            return agent_of(std::move(*row));
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<UserAgent>> save(UserAgent agent) override {
        auto body = [this, agent = std::move(agent)](Session& session) { return save_in(session, agent); };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    Values row_of(const UserAgent::State& s) const {
        const auto sealed = seal_.seal(s.token, s.id.value);
        return {s.id,
                s.user_agent_string,
                sealed.empty() ? Value(std::nullopt) : Value(sealed),
                s.status,
                s.health,
                s.last_used_at,
                s.suspended_at,
                s.suspended_until,
                s.throttled,
                s.token_failures,
                s.created_at,
                s.updated_at,
                s.revision};
    }

    UserAgent agent_of(Row row) const {
        UserAgent::State state;
        state.id = row.id<UserAgentId>();
        state.user_agent_string = row.text();
        // A token whose key is gone is as good as none: another is issued.
        if (const auto sealed = row.optional_text()) {
            if (auto token = seal_.open(*sealed, state.id.value)) state.token = std::move(*token);
        }
        state.status = row.word<UserAgentStatus>();
        state.health = row.small_number();
        state.last_used_at = row.optional_instant();
        state.suspended_at = row.optional_instant();
        state.suspended_until = row.optional_instant();
        state.throttled = row.flag();
        state.token_failures = row.small_number();
        state.created_at = row.instant();
        state.updated_at = row.instant();
        state.revision = row.number();
        return UserAgent::restore(std::move(state));
    }

    Result<std::size_t> add_in(Session& session, const std::vector<UserAgent>& agents) const {
        std::set<std::string> known;
        for (auto& row : session.select({"user_agent_string"}, "FROM user_agents")) known.insert(row.text());
        std::vector<Values> rows;
        for (const auto& agent : agents) {
            if (known.insert(agent.state().user_agent_string).second) rows.push_back(row_of(agent.state()));
        }
        session.insert("user_agents", columns, rows);
        return rows.size();
    }

    Result<UserAgent> save_in(Session& session, const UserAgent& agent) const {
        auto state = agent.state();
        const auto read = state.revision++;
        auto values = row_of(state);
        values.emplace_back(state.id);
        values.emplace_back(read);
        static const auto text = update_text("user_agents", columns, "id = ? AND revision = ?");
        if (session.execute(text, values) == 1) return UserAgent::restore(std::move(state));
        if (session.number("COUNT(*) FROM user_agents WHERE id = ?", {state.id}) == 0)
            return Error{Errc::not_found, "there is no identity " + state.id.value};
        return Error{Errc::conflict, "identity " + state.id.value + " was saved since it was read"};
    }

    SqlDatabase& database_;
    TokenSeal seal_;
};

}  // namespace

std::unique_ptr<ports::UserAgentStore> make_sql_user_agent_store(SqlDatabase& database, TokenKeys keys) {
    return std::make_unique<SqlUserAgentStore>(database, std::move(keys));
}

}  // namespace crawler::adapters

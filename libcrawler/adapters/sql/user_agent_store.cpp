#include <set>

#include "adapters/sql/database.hpp"
#include "adapters/sql/identity_rows.hpp"
#include "adapters/sql/pool_state.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// The pool looks at whoever was changed here, so the two know of each other's columns.
Columns with_place() {
    auto columns = identity_columns;
    columns.insert(columns.end(), place_columns.begin(), place_columns.end());
    return columns;
}

class SqlUserAgentStore final : public ports::UserAgentStore {
  public:
    SqlUserAgentStore(SqlDatabase& database, TokenKeys keys) : database_(database), seal_(std::move(keys)) {}

    Async<Result<std::size_t>> add(std::vector<UserAgent> agents) override {
        auto body = [this, agents = std::move(agents)](Session& session) { return add_in(session, agents); };
        auto added = co_await database_.transact(body);
        // Two who add the same at the same time both find it missing; the second finds it there on another look.
        if (!added && added.error().code == Errc::conflict) added = co_await database_.transact(body);
        co_return added;
    }

    Async<Result<std::vector<UserAgent>>> all() override {
        auto body = [this](Session& session) -> Result<std::vector<UserAgent>> {
            std::vector<UserAgent> agents;
            for (auto& row : session.select(identity_columns, "FROM user_agents ORDER BY id"))
                agents.push_back(identity_of(row, seal_));
            return agents;
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<UserAgent>> find(UserAgentId id) override {
        auto body = [this, id = std::move(id)](Session& session) -> Result<UserAgent> {
            auto row = session.select_one(identity_columns, "FROM user_agents WHERE id = ?", {id});
            if (!row) return Error{Errc::not_found, "there is no identity " + id.value};
            return identity_of(*row, seal_);
        };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<UserAgent>> save(UserAgent agent) override {
        auto body = [this, agent = std::move(agent)](Session& session) { return save_in(session, agent); };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    Values row_of(const UserAgent::State& state) const {
        auto values = identity_values(state, seal_);
        const auto place = place_values(place_to_be_looked_at(state), state.health);
        values.insert(values.end(), place.begin(), place.end());
        return values;
    }

    Result<std::size_t> add_in(Session& session, const std::vector<UserAgent>& agents) const {
        std::set<std::string> known;
        for (auto& row : session.select({"user_agent_string"}, "FROM user_agents")) known.insert(row.text());
        std::vector<Values> rows;
        for (const auto& agent : agents) {
            if (known.insert(agent.state().user_agent_string).second) rows.push_back(row_of(agent.state()));
        }
        count_anew(session);
        session.insert("user_agents", with_place(), rows);
        return rows.size();
    }

    Result<UserAgent> save_in(Session& session, const UserAgent& agent) const {
        auto state = agent.state();
        const auto read = state.revision++;
        auto values = row_of(state);
        values.emplace_back(state.id);
        values.emplace_back(read);
        static const auto text = update_text("user_agents", with_place(), "id = ? AND revision = ?");
        count_anew(session);
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

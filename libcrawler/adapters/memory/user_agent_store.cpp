#include <algorithm>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryUserAgentStore final : public ports::UserAgentStore {
  public:
    explicit MemoryUserAgentStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::size_t>> add(std::vector<UserAgent> agents) override {
        auto body = [&]() -> Result<std::size_t> {
            std::erase_if(agents, [&](const UserAgent& agent) { return is_known(agent.state().user_agent_string); });
            if (auto fresh = check_new(tables_.user_agents, agents); !fresh) return fresh.error();
            for (const auto& agent : agents) tables_.user_agents.emplace(agent.state().id, agent);
            return agents.size();
        };
        co_return with_faults(tables_.faults, "user_agent_store.add", body);
    }

    Async<Result<std::vector<UserAgent>>> all() override {
        auto body = [&]() -> Result<std::vector<UserAgent>> {
            std::vector<UserAgent> agents;
            for (const auto& [id, agent] : tables_.user_agents) agents.push_back(agent);
            return agents;
        };
        co_return with_faults(tables_.faults, "user_agent_store.all", body);
    }

    Async<Result<UserAgent>> find(UserAgentId id) override {
        auto body = [&]() -> Result<UserAgent> {
            const auto stored = tables_.user_agents.find(id);
            if (stored == tables_.user_agents.end()) return Error{Errc::not_found, "there is no identity " + id.value};
            return stored->second;
        };
        co_return with_faults(tables_.faults, "user_agent_store.find", body);
    }

    Async<Result<UserAgent>> save(UserAgent agent) override {
        auto body = [&]() -> Result<UserAgent> {
            const auto& id = agent.state().id;
            const auto same = check_unchanged(tables_.user_agents, id, agent, "identity " + id.value);
            if (!same) return same.error();
            return tables_.user_agents.at(id) = next_revision(agent);
        };
        co_return with_faults(tables_.faults, "user_agent_store.save", body);
    }

  private:
    bool is_known(const std::string& user_agent_string) const {
        return std::ranges::any_of(tables_.user_agents, [&](const auto& stored) {
            return stored.second.state().user_agent_string == user_agent_string;
        });
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::UserAgentStore> make_memory_user_agent_store(MemoryDatabase& database) {
    return std::make_unique<MemoryUserAgentStore>(database.tables());
}

}  // namespace crawler::adapters

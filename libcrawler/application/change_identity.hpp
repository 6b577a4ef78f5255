// What an administrator does to an identity. Used by the API and by crawlerctl.
#pragma once
#include "domain/health_policy.hpp"
#include "ports/clock.hpp"
#include "ports/user_agent_store.hpp"

namespace crawler::application {

enum class IdentityChange { recover, block, unblock };
constexpr auto names(IdentityChange) {
    return std::to_array<EnumName<IdentityChange>>(
        {{IdentityChange::recover, "recover"}, {IdentityChange::block, "block"}, {IdentityChange::unblock, "unblock"}});
}

class ChangeIdentity {
  public:
    struct Ports {
        ports::UserAgentStore& identities;
        const ports::Clock& clock;
    };
    ChangeIdentity(Ports ports, HealthPolicy policy) : p_(ports), policy_(policy) {}

    // As stored. not_found: there is none; conflict: its state does not allow it, or the pool was quicker several times.
    Async<Result<UserAgent>> apply(UserAgentId id, IdentityChange change);

  private:
    Result<> change_it(UserAgent& agent, IdentityChange change) const;

    Ports p_;
    HealthPolicy policy_;
};

}  // namespace crawler::application

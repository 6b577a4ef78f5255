#include "application/change_identity.hpp"

namespace crawler::application {

// The pool saves an identity with every request, so that whoever read it may have to read it again.
Async<Result<UserAgent>> ChangeIdentity::apply(UserAgentId id, IdentityChange change) {
    constexpr int tries = 10;
    Result<UserAgent> saved = Error{Errc::conflict, "identity " + id.value + " is never at rest"};
    for (int i = 0; i < tries; ++i) {
        auto agent = co_await p_.identities.find(id);
        if (!agent) co_return agent.error();
        if (const auto changed = change_it(*agent, change); !changed) co_return changed.error();
        saved = co_await p_.identities.save(*std::move(agent));
        if (saved || saved.error().code != Errc::conflict) break;
    }
    co_return saved;
}

Result<> ChangeIdentity::change_it(UserAgent& agent, IdentityChange change) const {
    const auto now = p_.clock.now();
    switch (change) {
        case IdentityChange::recover:
            return agent.recover_early(policy_, now);
        case IdentityChange::block:
            return agent.block(now);
        case IdentityChange::unblock:
            break;
    }
    return agent.unblock(policy_, now);
}

}  // namespace crawler::application

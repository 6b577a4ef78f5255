// The identities and what is known of their health. Tokens are stored sealed, never in plain text.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/user_agent.hpp"

namespace crawler::ports {

class UserAgentStore {
  public:
    virtual ~UserAgentStore() = default;

    // Those whose user-agent string is there already are passed over. How many were added. conflict: an id is taken.
    virtual Async<Result<std::size_t>> add(std::vector<UserAgent> agents) = 0;
    // All of them, by id. One whose token cannot be unsealed any more (its key is gone) has none.
    virtual Async<Result<std::vector<UserAgent>>> all() = 0;
    // not_found: there is no such identity.
    virtual Async<Result<UserAgent>> find(UserAgentId id) = 0;
    // As stored, with its new revision. conflict: somebody saved it since it was read. not_found: there is no such identity.
    virtual Async<Result<UserAgent>> save(UserAgent agent) = 0;
};

}  // namespace crawler::ports

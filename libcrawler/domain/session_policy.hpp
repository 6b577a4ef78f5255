// When an identity needs a session, which is what gives it a token. The pool hands out the requests that open one.
#pragma once
#include "domain/user_agent.hpp"

namespace crawler {

struct SessionPolicy {
    // The pool makes tokens up itself and nobody ever needs a session: for a world in which they are worth nothing.
    bool made_up = false;
    Duration lifetime = std::chrono::hours{20};     // a token is renewed before it is so old, ...
    Duration spread = std::chrono::hours{4};        // ... up to so long before: each identity at its own moment
    Duration retry = std::chrono::minutes{5};       // after a try that failed
    int at_once = 3;                                // tries under way, of all identities together
    Duration look_again = std::chrono::seconds{1};  // what a caller is told to wait where everybody still lacks a token

    Result<> check() const;  // invalid: names the value and the rule

    // Of one that is not BLOCKED; of a SUSPENDED one, when it comes back.
    TimePoint due_at(const UserAgent::State& agent) const;
};

}  // namespace crawler

// An identity for tests: AVAILABLE, healthy and with a token, unless a test says otherwise.
#pragma once
#include "domain/user_agent.hpp"

namespace crawler::test {

class AUserAgent {
  public:
    AUserAgent& with_id(std::string id) {
        state_.id = UserAgentId{std::move(id)};
        return *this;
    }
    AUserAgent& with_health(int health) {
        state_.health = health;
        return *this;
    }
    AUserAgent& with_token(std::string token) {
        state_.token = Secret(std::move(token));
        return *this;
    }
    AUserAgent& without_token() { return with_token(""); }
    AUserAgent& with_token_of(TimePoint issued_at) {
        state_.token_issued_at = issued_at;
        return *this;
    }
    AUserAgent& used_at(TimePoint time) {
        state_.last_used_at = time;
        return *this;
    }
    AUserAgent& with_token_failures(int count) {
        state_.token_failures = count;
        return *this;
    }
    // For its health, or for a 429.
    AUserAgent& suspended(TimePoint at, TimePoint until, bool throttled = true) {
        state_.status = UserAgentStatus::suspended;
        state_.suspended_at = at;
        state_.suspended_until = until;
        state_.throttled = throttled;
        return without_token();
    }
    AUserAgent& blocked() {
        state_.status = UserAgentStatus::blocked;
        return without_token();
    }

    UserAgent build() const { return UserAgent::restore(state_); }
    operator UserAgent() const { return build(); }

  private:
    UserAgent::State state_{.id = UserAgentId{"ua-1"},
                            .user_agent_string = "Mozilla/5.0 (X11; Linux x86_64)",
                            .token = Secret("token-1"),
                            .last_used_at = {},
                            .suspended_at = {},
                            .suspended_until = {},
                            .created_at = {},
                            .updated_at = {}};
};

inline AUserAgent a_user_agent() {
    return {};
}

}  // namespace crawler::test

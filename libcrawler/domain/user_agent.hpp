// An identity under which the marketplace is asked: its face, its token, its health. The pool lends it, the outcomes of its
// requests move it.
#pragma once
#include <optional>
#include <string>

#include "domain/health_policy.hpp"
#include "domain/ids.hpp"
#include "domain/secret.hpp"
#include "domain/state_table.hpp"

namespace crawler {

enum class UserAgentStatus { available, suspended, blocked };
constexpr auto names(UserAgentStatus) {
    return std::to_array<EnumName<UserAgentStatus>>({{UserAgentStatus::available, "AVAILABLE"},
                                                     {UserAgentStatus::suspended, "SUSPENDED"},
                                                     {UserAgentStatus::blocked, "BLOCKED"}});
}

class UserAgent {
  public:
    struct State {
        UserAgentId id;
        std::string user_agent_string;
        Secret token;  // empty: none
        UserAgentStatus status = UserAgentStatus::available;
        int health = HealthPolicy::best;
        std::optional<TimePoint> last_used_at;
        std::optional<TimePoint> suspended_at;  // these two are there while it is SUSPENDED
        std::optional<TimePoint> suspended_until;
        bool throttled = false;                    // SUSPENDED by a 429, not for its health alone
        int token_failures = 0;                    // in a row
        std::optional<TimePoint> token_issued_at;  // while it has a token
        std::optional<TimePoint> token_failed_at;  // when the last try for one failed, if none succeeded since
        TimePoint created_at;
        TimePoint updated_at;
        std::int64_t revision = 0;  // counts saves; a store saves only what nobody else saved since
    };

    // invalid: the string is blank, or could not stand in a header.
    static Result<UserAgent> enroll(UserAgentId id, std::string user_agent_string, TimePoint now);
    static UserAgent restore(State state) { return UserAgent(std::move(state)); }

    // A request is about to be made with it. conflict: it has no token.
    Result<> lend(TimePoint now);
    // The same for a request that gets it a token.
    Result<> lend_for_session(TimePoint now);
    // What became of a request. One that was under way when the identity was suspended comes too late to change anything,
    // except for a 429, which makes the suspension longer. `retry_after` is what a 429 asked for.
    Result<> report(RequestOutcome outcome, const HealthPolicy& policy, TimePoint now,
                    std::optional<Duration> retry_after = {});
    // Gives back health that it lost for somebody else's fault (see Blame); a token is not given back.
    Result<> forgive(int health, const HealthPolicy& policy, TimePoint now);
    // conflict: its time is not over. An administrator need not wait for that.
    Result<> recover(const HealthPolicy& policy, TimePoint now);
    Result<> recover_early(const HealthPolicy& policy, TimePoint now);
    Result<> block(TimePoint now);
    Result<> unblock(const HealthPolicy& policy, TimePoint now);
    Result<> issue_token(Secret token, TimePoint now);  // invalid: an empty one
    Result<> fail_to_issue_token(const HealthPolicy& policy, TimePoint now);
    // Takes back one such failure that was somebody else's fault, and the block that came of it. conflict: an administrator
    // had blocked it.
    Result<> forgive_token_failure(const HealthPolicy& policy, TimePoint now);

    bool is_available() const { return state_.status == UserAgentStatus::available; }
    const State& state() const { return state_; }

  private:
    explicit UserAgent(State state) : state_(std::move(state)) {}
    void suspend(const HealthPolicy& policy, TimePoint now, std::optional<Duration> retry_after);
    void begin_afresh(const HealthPolicy& policy);
    void end_suspension();
    void drop_token();

    State state_;
};

// The order in which the pool lends: least first. One that has a token, then the healthiest, then the one unused for longest;
// the id makes it a key.
struct Preference {
    bool without_token = false;
    int health_missing = 0;
    TimePoint last_used_at;
    UserAgentId id;

    friend auto operator<=>(const Preference&, const Preference&) = default;
};
Preference preference(const UserAgent& agent);

}  // namespace crawler

// Where the identities of a pool stand: those that may be lent, in the order in which they are, and those that rest, by the time at
// which they are looked at again. Both are indexes, so nobody is looked for. Lives for one transaction, which holds the pool's row.
#pragma once
#include "adapters/sql/identity_pool.hpp"
#include "adapters/sql/identity_rows.hpp"

namespace crawler::adapters::sql {

enum class Purpose { request, session };

// One that this transaction holds.
struct HeldIdentity {
    UserAgent agent;
    std::optional<IdentityLoan> loan;
    UserAgentStatus status_before = agent.state().status;
};

class IdentityLine {
  public:
    IdentityLine(Session& session, const SqlIdentityPoolConfig& config, const TokenSeal& seal, TimePoint now)
        : session_(session), config_(config), seal_(seal), now_(now) {}

    // Those whose rest is over come back, those that are SUSPENDED with new strength, and leases that are over end.
    void wake();

    std::optional<HeldIdentity> find(const UserAgentId& id);
    // The next of those that may be lent: who has a token, the healthiest, the one unused for longest; for a session, who has no
    // token, then whose token is the oldest.
    std::optional<HeldIdentity> preferred(Purpose purpose);
    bool has_any(Purpose purpose);
    // When there may be one, if there is none now; empty: never, as long as nobody is unblocked.
    std::optional<TimePoint> next_at(Purpose purpose);
    // When one more request may be under way.
    TimePoint room_at(Purpose purpose);

    // Writes it down. It rests until `free`, if that is not now.
    void save(HeldIdentity identity, TimePoint free);
    // Its token as it is stored.
    std::string sealed(const UserAgent::State& state) const { return seal_.seal(state.token, state.id.value); }
    // Whether anybody became or ceased to be AVAILABLE.
    bool has_changed_statuses() const { return has_changed_statuses_; }

  private:
    std::optional<HeldIdentity> first(std::string_view rest, const Values& values);
    std::optional<TimePoint> first_time(std::string_view column, std::string_view rest, const Values& values);
    std::optional<TimePoint> next_session_at();
    PlaceInLine place_of(const UserAgent::State& state, TimePoint free) const;

    Session& session_;
    const SqlIdentityPoolConfig& config_;
    const TokenSeal& seal_;
    TimePoint now_;
    bool has_changed_statuses_ = false;
};

}  // namespace crawler::adapters::sql

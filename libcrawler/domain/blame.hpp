// Whose fault a failure was. Where several identities fail on one endpoint at once, it is the endpoint's, and none of them is
// punished: not the one that fails next, and the ones before get back what it cost them. Used by the pool.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "domain/ids.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler {

// "At once": so many different identities within `span`, and no success of the endpoint in between. One good answer proves that the
// endpoint works, so what failed before and what fails after it is not counted together.
// A 429 is not for this: it is said to an identity, and that one rests. Where all are throttled, the breaker stops the fleet.
struct BlamePolicy {
    int identities = 3;
    Duration span = std::chrono::minutes{1};
    std::size_t most_endpoints =
        100;  // memory: of more than these, the one whose last failure is oldest is forgotten ...
    std::size_t most_failures = 100;  // ... and of an endpoint's failures the oldest

    Result<> check() const;  // invalid: names the value and the rule
};

class Blame {
  public:
    struct Charge {
        UserAgentId identity;
        int health = 0;
        bool token_failure = false;  // one was counted too

        friend bool operator==(const Charge&, const Charge&) = default;
    };
    struct Verdict {
        bool endpoint_at_fault = false;
        std::vector<Charge> forgiven;  // what earlier failures had cost and is to be given back; each failure once
    };

    struct Failure {
        Charge charge;  // of nothing: it was not charged, or given back
        TimePoint at;
    };
    using Failures = std::deque<Failure>;  // oldest first

    explicit Blame(BlamePolicy policy = {}) : policy_(policy) {}
    static Blame restore(BlamePolicy policy, std::map<std::string, Failures> failures);

    // A failure that costs the identity `health`, and counts as one more token failure, if it is its own fault.
    Verdict record(const std::string& endpoint, const UserAgentId& identity, int health, TimePoint now,
                   bool token_failure = false);
    void succeeded(const std::string& endpoint) { failures_.erase(endpoint); }
    bool endpoint_at_fault(const std::string& endpoint, TimePoint now) const;

    std::size_t endpoints() const { return failures_.size(); }
    const std::map<std::string, Failures>& failures() const { return failures_; }

  private:
    bool is_at_fault(const Failures& failures, TimePoint now) const;
    void make_room(const std::string& endpoint, TimePoint now);

    BlamePolicy policy_;
    std::map<std::string, Failures> failures_;
};

}  // namespace crawler

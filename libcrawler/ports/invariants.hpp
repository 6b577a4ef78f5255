// What must be true of everything that is stored, whatever was killed when. Looked at by `crawlerctl db check` and by the metrics.
#pragma once
#include <string>
#include <vector>

#include "coro/async.hpp"
#include "domain/enum_names.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

struct Violation {
    std::string rule;  // a name, the same for every row that breaks it
    std::string row;   // table and key
    std::string found;

    friend bool operator==(const Violation&, const Violation&) = default;
};

// How long what should be moving may stand still before that is a violation. Longer than the sweeps that mend it need.
struct Patience {
    Duration lease_over = std::chrono::minutes{10};  // of anything leased, after the end of the lease
    Duration unpublished = std::chrono::hours{
        1};  // a task that waits for its entry or its message; an entry of a task or a schedule that is due
    Duration run_without_progress = std::chrono::hours{48};
};

class Invariants {
  public:
    virtual ~Invariants() = default;

    struct Rule {
        std::string name;
        std::string meaning;
    };
    virtual std::vector<Rule> rules() const = 0;
    // Up to `most` violations of each rule.
    virtual Async<Result<std::vector<Violation>>> check(TimePoint now, Patience patience, int most) = 0;
};

}  // namespace crawler::ports

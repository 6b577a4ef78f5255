// Who failed where in the last minute, for all processes: several that each see one identity fail would never know that it was the
// endpoint's fault.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/blame.hpp"

namespace crawler::adapters::sql {

class SharedBlame {
  public:
    SharedBlame(Session& session, BlamePolicy policy, std::string endpoint);

    Blame& blame() { return blame_; }
    void save(TimePoint now);

  private:
    const Blame::Failures* failures() const;

    Session& session_;
    BlamePolicy policy_;
    std::string endpoint_;
    Blame blame_;
    bool had_any_ = false;
};

}  // namespace crawler::adapters::sql

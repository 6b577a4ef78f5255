// Gets identities the sessions they need, one after the other: those without a token, then those whose token grows old. Used by the
// worker.
#pragma once
#include "ports/identity_pool.hpp"
#include "ports/marketplace.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class RenewSessions {
  public:
    struct Ports {
        ports::IdentityPool& identities;
        ports::Marketplace& marketplace;
        ports::Telemetry& telemetry;
    };
    explicit RenewSessions(Ports ports) : p_(ports) {}

    // One session, whatever became of it; 0: nobody needs one now, or nobody who does may ask.
    Async<Result<std::size_t>> run_once();

  private:
    Ports p_;
};

}  // namespace crawler::application

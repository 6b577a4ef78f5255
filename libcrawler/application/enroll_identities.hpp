// Fills the pool with identities. Used by crawlerctl and, where the pool is empty and the operator wants it so, by the daemons.
#pragma once
#include <string>
#include <vector>

#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/telemetry.hpp"
#include "ports/user_agent_store.hpp"

namespace crawler::application {

class EnrollIdentities {
  public:
    struct Ports {
        ports::UserAgentStore& identities;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    explicit EnrollIdentities(Ports ports) : p_(ports) {}

    // One identity for each user-agent string that has none yet; how many those were. invalid: one of them is no such string;
    // none was added then.
    Async<Result<std::size_t>> enroll(std::vector<std::string> user_agent_strings);
    Async<Result<std::size_t>> enroll_builtin();
    // The same where there is nobody at all. Several may do so at once.
    Async<Result<std::size_t>> seed();

  private:
    Ports p_;
};

}  // namespace crawler::application

#include "application/enroll_identities.hpp"

#include "domain/user_agent_strings.hpp"

namespace crawler::application {

Async<Result<std::size_t>> EnrollIdentities::enroll(std::vector<std::string> user_agent_strings) {
    std::vector<UserAgent> agents;
    for (auto& string : user_agent_strings) {
        auto agent = UserAgent::enroll(p_.ids.make<UserAgentId>(), std::move(string), p_.clock.now());
        if (!agent) co_return agent.error();
        agents.push_back(*std::move(agent));
    }
    const auto added = co_await p_.identities.add(std::move(agents));
    if (added && *added > 0) p_.telemetry.emit(ports::IdentitiesEnrolled{*added});
    co_return added;
}

Async<Result<std::size_t>> EnrollIdentities::enroll_builtin() {
    const auto builtin = user_agent_strings();
    std::vector<std::string> strings(builtin.begin(), builtin.end());
    co_return co_await enroll(std::move(strings));
}

Async<Result<std::size_t>> EnrollIdentities::seed() {
    const auto known = co_await p_.identities.all();
    if (!known) co_return known.error();
    if (!known->empty()) co_return std::size_t{0};
    const auto added = co_await enroll_builtin();
    // Somebody else was quicker.
    if (!added && added.error().code == Errc::conflict) co_return std::size_t{0};
    co_return added;
}

}  // namespace crawler::application

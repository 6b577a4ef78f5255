#include "domain/blame.hpp"

#include <algorithm>
#include <set>

namespace crawler {

Result<> BlamePolicy::check() const {
    if (identities < 2)
        return Error{Errc::invalid, "blame: identities is " + std::to_string(identities) + "; it must be at least 2"};
    if (span <= Duration{0}) return Error{Errc::invalid, "blame: span must be more than 0"};
    if (most_endpoints < 1) return Error{Errc::invalid, "blame: most_endpoints must be at least 1"};
    if (most_failures < static_cast<std::size_t>(identities))
        return Error{Errc::invalid, "blame: most_failures must not be less than identities"};
    return {};
}

Blame Blame::restore(BlamePolicy policy, std::map<std::string, Failures> failures) {
    Blame blame(policy);
    blame.failures_ = std::move(failures);
    return blame;
}

Blame::Verdict Blame::record(const std::string& endpoint, const UserAgentId& identity, int health, TimePoint now,
                             bool token_failure) {
    make_room(endpoint, now);
    auto& failures = failures_[endpoint];
    std::erase_if(failures, [&](const Failure& failure) { return failure.at + policy_.span <= now; });
    if (failures.size() >= policy_.most_failures) failures.pop_front();
    failures.push_back({{identity, health, token_failure}, now});
    if (!is_at_fault(failures, now)) return {};

    Verdict verdict{.endpoint_at_fault = true, .forgiven = {}};
    failures.back().charge = {.identity = identity};  // never charged
    for (auto& [charge, at] : failures) {
        if (charge.health > 0 || charge.token_failure) verdict.forgiven.push_back(charge);
        charge = {.identity = charge.identity};
    }
    return verdict;
}

bool Blame::endpoint_at_fault(const std::string& endpoint, TimePoint now) const {
    const auto found = failures_.find(endpoint);
    return found != failures_.end() && is_at_fault(found->second, now);
}

bool Blame::is_at_fault(const Failures& failures, TimePoint now) const {
    std::set<UserAgentId> identities;
    for (const auto& failure : failures) {
        if (failure.at + policy_.span > now) identities.insert(failure.charge.identity);
    }
    return std::ssize(identities) >= policy_.identities;
}

// Before a new endpoint is taken in: what is over goes first, then the one that was quiet for longest.
void Blame::make_room(const std::string& endpoint, TimePoint now) {
    if (failures_.contains(endpoint) || failures_.size() < policy_.most_endpoints) return;
    std::erase_if(failures_, [&](const auto& entry) { return entry.second.back().at + policy_.span <= now; });
    if (failures_.size() < policy_.most_endpoints) return;
    failures_.erase(std::ranges::min_element(failures_, {}, [](const auto& entry) { return entry.second.back().at; }));
}

}  // namespace crawler

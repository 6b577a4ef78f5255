#include "domain/health_policy.hpp"

#include <algorithm>

namespace crawler {
namespace {

Result<> within(const char* name, int value, int least, int most) {
    if (value >= least && value <= most) return {};
    return Error{Errc::invalid, std::string("health policy: ") + name + " is " + std::to_string(value) +
                                    "; it must be from " + std::to_string(least) + " to " + std::to_string(most)};
}

}  // namespace

RequestOutcome outcome_of(Errc error) {
    switch (error) {
        case Errc::not_found:
            return RequestOutcome::succeeded;
        case Errc::rate_limited:
            return RequestOutcome::throttled;
        case Errc::blocked:
            return RequestOutcome::refused;
        case Errc::unavailable:
            return RequestOutcome::server_error;
        case Errc::timeout:
            return RequestOutcome::unanswered;
        case Errc::conflict:
        case Errc::invalid:
            break;
    }
    return RequestOutcome::failed;
}

Result<> HealthPolicy::check() const {
    struct Rule {
        const char* name;
        int value, least, most;
    };
    const Rule rules[] = {{"success_gain", success_gain, 0, best},
                          {"throttled_loss", throttled_loss, 0, best},
                          {"server_error_loss", server_error_loss, 0, best},
                          {"failure_loss", failure_loss, 0, best},
                          {"floor", floor, worst, best},
                          {"recovered_health", recovered_health, floor, best},
                          {"token_failures_to_block", token_failures_to_block, 1, 1000}};
    for (const auto& rule : rules) {
        if (auto sound = within(rule.name, rule.value, rule.least, rule.most); !sound) return sound;
    }
    if (suspension <= Duration{0}) return Error{Errc::invalid, "health policy: suspension must be more than 0"};
    if (quarantine < suspension)
        return Error{Errc::invalid, "health policy: quarantine must not be shorter than suspension"};
    if (longest_retry_after < Duration{0})
        return Error{Errc::invalid, "health policy: longest_retry_after must be 0 or more"};
    return {};
}

int HealthPolicy::loss(RequestOutcome outcome) const {
    switch (outcome) {
        case RequestOutcome::succeeded:
            return 0;
        case RequestOutcome::throttled:
            return throttled_loss;
        case RequestOutcome::server_error:
            return server_error_loss;
        case RequestOutcome::refused:
        case RequestOutcome::failed:
        case RequestOutcome::unanswered:
            break;
    }
    return failure_loss;
}

HealthPolicy HealthPolicy::lenient() const {
    auto policy = *this;
    policy.server_error_loss = 0;
    policy.failure_loss = 0;
    policy.token_failures_to_block = 0;
    return policy;
}

TimePoint HealthPolicy::suspended_until(int health, TimePoint now, std::optional<Duration> retry_after) const {
    const auto least = health < floor ? quarantine : suspension;
    return now + std::max(least, std::min(retry_after.value_or(least), longest_retry_after));
}

}  // namespace crawler

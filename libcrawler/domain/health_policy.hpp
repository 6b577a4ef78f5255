// What a request's outcome does to the identity that made it, in numbers. All of them are configuration.
#pragma once
#include <optional>

#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler {

// How a request ended, as far as the identity is concerned.
enum class RequestOutcome {
    succeeded,     // also "there is no such item": a good answer
    throttled,     // 429
    server_error,  // 5xx, a connection that broke
    refused,       // 401, 403: the token is worth nothing any more
    failed,        // any other answer that is of no use
    unanswered,    // no answer in time: the request may still be on its way
};
constexpr auto names(RequestOutcome) {
    return std::to_array<EnumName<RequestOutcome>>({{RequestOutcome::succeeded, "SUCCEEDED"},
                                                    {RequestOutcome::throttled, "THROTTLED"},
                                                    {RequestOutcome::server_error, "SERVER_ERROR"},
                                                    {RequestOutcome::refused, "REFUSED"},
                                                    {RequestOutcome::failed, "FAILED"},
                                                    {RequestOutcome::unanswered, "UNANSWERED"}});
}

// Of a request that ended with this error; not_found is a good answer: there is no such thing.
RequestOutcome outcome_of(Errc error);

struct HealthPolicy {
    static constexpr int best = 100;
    static constexpr int worst = 0;

    int success_gain = 5;
    int throttled_loss = 20;
    int server_error_loss = 10;
    int failure_loss = 5;       // also of a refusal
    int floor = 30;             // below it an identity is suspended
    int recovered_health = 70;  // what it comes back with; at the floor or above
    Duration suspension = std::chrono::hours{1};
    Duration quarantine = std::chrono::hours{6};            // instead, where the health is below the floor
    Duration longest_retry_after = std::chrono::hours{24};  // what a 429 asks for is obeyed up to this
    int token_failures_to_block = 3;                        // in a row; 0, in a lenient policy: they are not counted

    Result<> check() const;  // invalid: names the value and the rule

    // What an outcome costs; nothing for a success.
    int loss(RequestOutcome outcome) const;
    // The same where somebody else is at fault (see Blame): only a 429 costs anything, and nobody is blocked.
    HealthPolicy lenient() const;
    // The end of a suspension that begins now. A `Retry-After` may make it later, never earlier.
    TimePoint suspended_until(int health, TimePoint now, std::optional<Duration> retry_after) const;
};

}  // namespace crawler

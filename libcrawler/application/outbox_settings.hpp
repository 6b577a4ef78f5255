// How a relay works on its outbox.
#pragma once
#include "domain/retry_policy.hpp"

namespace crawler::application {

struct OutboxSettings {
    int batch = 100;                           // entries per pass
    Duration lease = std::chrono::minutes{2};  // longer than a pass can take; then another replica may claim them
    // Over half an hour before an entry is DEAD: whoever is told may be down for as long as a bad deployment takes.
    RetryPolicy retry{.max_retries = 10, .first_wait = std::chrono::seconds{5}};
};

}  // namespace crawler::application

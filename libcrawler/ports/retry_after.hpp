// How long an answer asks us to wait (RFC 9110, Retry-After). Used by adapters that ask others over HTTP.
#pragma once
#include "domain/time.hpp"
#include "ports/http.hpp"

namespace crawler::ports {

// In seconds, or until a date: that is taken against the answer's own Date, because whoever wrote both has one clock. Never negative,
// never more than `longest`. Empty where nothing is asked for that can be understood.
std::optional<Duration> retry_after(const HttpResponse& answer, Duration longest);

// When it was written, as its Date says. Empty where that cannot be understood.
std::optional<TimePoint> date_of(const HttpResponse& answer);

}  // namespace crawler::ports

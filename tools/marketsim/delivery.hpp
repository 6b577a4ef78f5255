// How an answer reaches its client where it does so badly. The simulator writes it into a header that never leaves the process; the
// server's door reads it there and takes it off.
#pragma once
#include "adapters/http/http.hpp"
#include "faults.hpp"

namespace marketsim {

void spoil(HttpResponse& response, Fault fault, std::chrono::nanoseconds pause);
std::optional<crawler::adapters::BadDelivery> taken_off(HttpResponse& response);

}  // namespace marketsim

// Calls of memory adapters that fail on purpose. Tests say which; the adapters ask before they answer.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/result.hpp"

namespace crawler::adapters {

// One call that shall fail. Calls are named <port's header>.<method>: "task_store.finish".
struct Fault {
    std::string call;
    Error error;
    int nth = 1;               // the first call to fail, counted from now
    int times = 1;             // so many in a row
    bool answer_lost = false;  // the call happens all the same; only its answer is replaced by the error
};

class Faults {
  public:
    void add(Fault fault) { faults_.push_back(std::move(fault)); }
    // Counts a call; the fault that strikes it, if any.
    std::optional<Fault> strike(std::string_view call);

  private:
    std::vector<Fault> faults_;
};

// body(), a function returning a Result, unless a fault says otherwise.
template <class Body>
auto with_faults(Faults* faults, std::string_view call, Body body) -> decltype(body()) {
    auto fault = faults ? faults->strike(call) : std::nullopt;
    if (!fault) return body();
    if (fault->answer_lost) (void)body();
    return std::move(fault->error);
}

}  // namespace crawler::adapters

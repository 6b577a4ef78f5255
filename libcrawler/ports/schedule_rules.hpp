// The rules that fire crawls: EventBridge, or a scheduler of our own.
#pragma once
#include <optional>

#include "coro/async.hpp"
#include "domain/schedule_rule.hpp"

namespace crawler::ports {

class ScheduleRules {
  public:
    virtual ~ScheduleRules() = default;

    // Creates the rule or makes the one of that name equal to this. invalid: the name or the expression is refused.
    virtual Async<Result<>> put(ScheduleRule rule) = 0;
    // Removing what is not there is success.
    virtual Async<Result<>> remove(std::string name) = 0;
    virtual Async<Result<std::optional<ScheduleRule>>> find(std::string name) = 0;
};

}  // namespace crawler::ports

#include "application/check_invariants.hpp"

#include <map>

namespace crawler::application {

Async<Result<std::size_t>> CheckInvariants::run_once() {
    const auto found = co_await p_.invariants.check(p_.clock.now(), settings_.patience, settings_.most);
    if (!found) co_return found.error();

    std::map<std::string, std::vector<std::string>> rows;
    for (const auto& violation : *found) rows[violation.rule].push_back(violation.row);
    for (const auto& [rule, broken_by] : rows)
        p_.telemetry.emit(ports::InvariantBroken{rule, broken_by.front(), broken_by.size()});
    const auto rules = p_.invariants.rules().size();
    p_.telemetry.emit(ports::InvariantsChecked{rules, rows.size(), found->size()});
    co_return std::size_t{0};
}

}  // namespace crawler::application

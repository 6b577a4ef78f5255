#include "adapters/sql/shared_blame.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns columns{"endpoint", "number", "identity_id", "health", "token_failure", "failed_at"};

Blame restored(Session& session, const BlamePolicy& policy, const std::string& endpoint) {
    std::map<std::string, Blame::Failures> failures;
    for (auto& row : session.select({"identity_id", "health", "token_failure", "failed_at"},
                                    "FROM identity_failures WHERE endpoint = ? ORDER BY number", {endpoint})) {
        Blame::Failure failure;
        failure.charge.identity = row.id<UserAgentId>();
        failure.charge.health = row.small_number();
        failure.charge.token_failure = row.flag();
        failure.at = row.instant();
        failures[endpoint].push_back(std::move(failure));
    }
    return Blame::restore(policy, std::move(failures));
}

}  // namespace

SharedBlame::SharedBlame(Session& session, BlamePolicy policy, std::string endpoint)
    : session_(session),
      policy_(policy),
      endpoint_(std::move(endpoint)),
      blame_(restored(session, policy, endpoint_)),
      had_any_(failures() != nullptr) {}

const Blame::Failures* SharedBlame::failures() const {
    const auto found = blame_.failures().find(endpoint_);
    return found == blame_.failures().end() ? nullptr : &found->second;
}

void SharedBlame::save(TimePoint now) {
    const auto* all = failures();
    if (all == nullptr && !had_any_) return;
    // What is over goes too, whatever its endpoint, so that the table never holds more than the last failures.
    session_.execute("DELETE FROM identity_failures WHERE endpoint = ? OR failed_at <= ?",
                     {endpoint_, now - policy_.span});
    if (all == nullptr) return;
    std::vector<Values> rows;
    for (const auto& [charge, at] : *all)
        rows.push_back({endpoint_, std::ssize(rows), charge.identity, charge.health, charge.token_failure, at});
    session_.insert("identity_failures", columns, rows);
}

}  // namespace crawler::adapters::sql

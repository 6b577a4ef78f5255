// Runs for tests: a_run("e-1").with_tasks(3).completed(1).failed(1).build(). The state follows from the counters unless
// it is said.
#pragma once
#include "domain/execution.hpp"
#include "support/builders/seller.hpp"

namespace crawler::test {

class ExecutionBuilder {
  public:
    explicit ExecutionBuilder(const std::string& id)
        : state_{.id = {id}, .seller = seller_id(), .started_at = t0, .updated_at = t0} {}

    ExecutionBuilder of(const std::string& seller) {
        return with([&](auto& s) { s.seller = seller_id(seller); });
    }
    ExecutionBuilder with_tasks(std::int64_t total) {
        return counted([&](auto& s) { s.total_tasks = total; });
    }
    ExecutionBuilder completed(std::int64_t count) {
        return counted([&](auto& s) { s.completed_tasks = count; });
    }
    ExecutionBuilder failed(std::int64_t count) {
        return counted([&](auto& s) { s.failed_tasks = count; });
    }
    ExecutionBuilder proven(CompletenessProof proof) {
        return with([&](auto& s) { s.proof = std::move(proof); });
    }
    // Whatever the counters say.
    ExecutionBuilder in(ExecutionStatus status) {
        return with([&](auto& s) {
            s.status = status;
            const bool over = status == ExecutionStatus::completed || status == ExecutionStatus::failed;
            s.completed_at = over ? std::optional(t0) : std::nullopt;
        });
    }

    CrawlingScheduleExecution build() const { return CrawlingScheduleExecution::restore(state_); }
    operator CrawlingScheduleExecution() const { return build(); }

  private:
    template <class Change>
    ExecutionBuilder with(Change change) const {
        auto next = *this;
        change(next.state_);
        return next;
    }
    template <class Change>
    ExecutionBuilder counted(Change change) const {
        auto next = with(change);
        const auto& s = next.state_;
        const bool over = s.completed_tasks + s.failed_tasks == s.total_tasks;
        return next.in(over ? ExecutionStatus::completed : ExecutionStatus::in_progress);
    }
    CrawlingScheduleExecution::State state_;
};

inline ExecutionBuilder a_run(const std::string& id = "e-1") {
    return ExecutionBuilder(id);
}

}  // namespace crawler::test

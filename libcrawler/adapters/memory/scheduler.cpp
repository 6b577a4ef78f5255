#include <algorithm>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

struct Step {
    std::string rule;
    TimePoint from;
    TimePoint to;
};
struct Fired {
    std::vector<ports::OutgoingMessage> messages;
    std::vector<Step> steps;
};

std::optional<Error> first_error(const Result<std::vector<Result<>>>& sent) {
    if (!sent) return sent.error();
    for (const auto& one : *sent) {
        if (!one) return one.error();
    }
    return std::nullopt;
}

class MemoryScheduler final : public ports::Scheduler {
  public:
    MemoryScheduler(MemoryDatabase& database, ports::MessageQueue& triggers, CatchUpPolicy policy)
        : tables_(database.tables()), triggers_(triggers), policy_(policy) {}

    Async<Result<std::size_t>> fire_due(TimePoint now, int limit) override {
        const auto fault = tables_.faults ? tables_.faults->strike("scheduler.fire_due") : std::nullopt;
        if (fault && !fault->answer_lost) co_return fault->error;

        auto fired = advance(now, limit);
        const auto count = fired.messages.size();
        const auto sent = co_await triggers_.send(std::move(fired.messages));
        if (const auto trouble = first_error(sent)) {
            take_back(fired.steps);  // what the queue did take, it takes for the same when it comes again
            co_return *trouble;
        }
        if (fault) co_return fault->error;
        co_return count;
    }

  private:
    // Those that are due, the longest overdue first.
    std::vector<PlannedRule*> due(TimePoint now, int limit) {
        std::vector<PlannedRule*> due;
        for (auto& [name, planned] : tables_.rules) {
            if (planned.rule.enabled && planned.next_fire_at <= now) due.push_back(&planned);
        }
        const auto place = [](const PlannedRule* planned) {
            return std::pair(planned->next_fire_at, std::string_view(planned->rule.name));
        };
        std::ranges::sort(due, {}, place);
        if (std::ssize(due) > limit) due.resize(static_cast<std::size_t>(limit));
        return due;
    }

    // Plans the next time of what is due.
    Fired advance(TimePoint now, int limit) {
        Fired fired;
        for (auto* planned : due(now, limit)) {
            const auto interval = rate_interval(planned->rule.expression);
            const auto firings = firings_due(planned->next_fire_at, *interval, now, policy_);
            for (const auto time : firings.times) fired.messages.push_back(ports::message_of(planned->rule, time));
            fired.steps.push_back({planned->rule.name, planned->next_fire_at, firings.next});
            planned->next_fire_at = firings.next;
        }
        return fired;
    }

    void take_back(const std::vector<Step>& steps) {
        for (const auto& step : steps) {
            const auto found = tables_.rules.find(step.rule);
            if (found != tables_.rules.end() && found->second.next_fire_at == step.to)
                found->second.next_fire_at = step.from;
        }
    }

    MemoryDatabase::Tables& tables_;
    ports::MessageQueue& triggers_;
    CatchUpPolicy policy_;
};

}  // namespace

std::unique_ptr<ports::Scheduler> make_memory_scheduler(MemoryDatabase& database, ports::MessageQueue& triggers,
                                                        CatchUpPolicy policy) {
    return std::make_unique<MemoryScheduler>(database, triggers, policy);
}

}  // namespace crawler::adapters

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryScheduleRules final : public ports::ScheduleRules {
  public:
    MemoryScheduleRules(MemoryDatabase& database, const ports::Clock& clock)
        : tables_(database.tables()), clock_(clock) {}

    Async<Result<>> put(ScheduleRule rule) override {
        auto body = [&]() -> Result<> {
            const auto known = tables_.rules.find(rule.name);
            const auto before = known == tables_.rules.end() ? std::nullopt : std::optional(known->second);
            auto planned = plan(before, rule, clock_.now());
            if (!planned) return planned.error();
            tables_.rules.insert_or_assign(rule.name, *std::move(planned));
            return {};
        };
        co_return with_faults(tables_.faults, "schedule_rules.put", body);
    }

    Async<Result<>> remove(std::string name) override {
        auto body = [&]() -> Result<> {
            tables_.rules.erase(name);
            return {};
        };
        co_return with_faults(tables_.faults, "schedule_rules.remove", body);
    }

    Async<Result<std::optional<ScheduleRule>>> find(std::string name) override {
        auto body = [&]() -> Result<std::optional<ScheduleRule>> {
            const auto found = tables_.rules.find(name);
            if (found == tables_.rules.end()) return std::optional<ScheduleRule>{};
            return std::optional(found->second.rule);
        };
        co_return with_faults(tables_.faults, "schedule_rules.find", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::ScheduleRules> make_memory_schedule_rules(MemoryDatabase& database, const ports::Clock& clock) {
    return std::make_unique<MemoryScheduleRules>(database, clock);
}

}  // namespace crawler::adapters

#include <charconv>

#include "adapters/memory/memory.hpp"

namespace crawler::adapters {
namespace {

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// rate(1 day), rate(12 hours): the unit is singular for one and only for one.
bool is_rate(std::string_view text) {
    if (!take_prefix(text, "rate(")) return false;
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || count < 1) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!take_prefix(text, " minute") && !take_prefix(text, " hour") && !take_prefix(text, " day")) return false;
    return text == (count == 1 ? ")" : "s)");
}

class MemoryScheduleRules final : public ports::ScheduleRules {
  public:
    explicit MemoryScheduleRules(Faults* faults) : faults_(faults) {}

    Async<Result<>> put(ScheduleRule rule) override {
        auto body = [&]() -> Result<> {
            if (!is_rule_name(rule.name)) return Error{Errc::invalid, "'" + rule.name + "' is no name for a rule"};
            if (!is_rate(rule.expression))
                return Error{Errc::invalid, "rule " + rule.name + ": '" + rule.expression + "' is not a rate"};
            rules_.insert_or_assign(rule.name, rule);
            return {};
        };
        co_return with_faults(faults_, "schedule_rules.put", body);
    }

    Async<Result<>> remove(std::string name) override {
        auto body = [&]() -> Result<> {
            rules_.erase(name);
            return {};
        };
        co_return with_faults(faults_, "schedule_rules.remove", body);
    }

    Async<Result<std::optional<ScheduleRule>>> find(std::string name) override {
        auto body = [&]() -> Result<std::optional<ScheduleRule>> {
            const auto rule = rules_.find(name);
            if (rule == rules_.end()) return std::optional<ScheduleRule>{};
            return std::optional(rule->second);
        };
        co_return with_faults(faults_, "schedule_rules.find", body);
    }

  private:
    Faults* faults_;
    std::map<std::string, ScheduleRule> rules_;
};

}  // namespace

std::unique_ptr<ports::ScheduleRules> make_memory_schedule_rules(Faults* faults) {
    return std::make_unique<MemoryScheduleRules>(faults);
}

}  // namespace crawler::adapters

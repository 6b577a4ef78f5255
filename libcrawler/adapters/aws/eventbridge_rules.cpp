// Rules of EventBridge that put a message on the trigger queue.
#include <boost/json/array.hpp>

#include "adapters/aws/account.hpp"
#include "adapters/aws/sqs_messages.hpp"

namespace crawler::adapters {
namespace {

using namespace aws;
namespace json = boost::json;

constexpr std::string_view target_id = "trigger-queue";

Result<> check(const ScheduleRule& rule) {
    if (!is_rule_name(rule.name))
        return Error{Errc::invalid, "'" + rule.name + "' is no name for a rule: 1 to 64 of A-Z a-z 0-9 . - _"};
    const auto rate = parse_rate(rule.expression);
    if (!rate) return rate.error();
    return {};
}

// Of an answer whose entries may have failed by themselves.
Result<> entries_of(const json::object& answer, const std::string& action) {
    const auto* failed = list_at(answer, "FailedEntries");
    if (!failed || failed->empty() || !failed->front().is_object()) return {};
    const auto& entry = failed->front().get_object();
    const auto type = text_at(entry, "ErrorCode");
    const auto message = text_at(entry, "ErrorMessage");
    return Error{code_of(type, message, 400), "events " + action + ": " + type + ": " + message};
}

class EventBridgeRules final : public ports::ScheduleRules {
  public:
    EventBridgeRules(Aws aws, EventBridgeConfig config) : aws_(std::move(aws)), config_(std::move(config)) {}

    // Both steps may be repeated: they say how it shall be.
    Async<Result<>> put(ScheduleRule rule) override {
        const auto good = check(rule);
        if (!good) co_return good.error();
        json::object body{{"Name", rule.name},
                          {"ScheduleExpression", rule.expression},
                          {"State", rule.enabled ? "ENABLED" : "DISABLED"},
                          {"Description", "Crawls a seller's catalogue"}};
        const auto put = co_await ask("PutRule", std::move(body));
        if (!put) co_return put.error();
        const auto aimed = co_await ask("PutTargets", target_of(std::move(rule)));
        if (!aimed) co_return aimed.error();
        co_return entries_of(*aimed, "PutTargets");
    }

    Async<Result<>> remove(std::string name) override {
        if (!is_rule_name(name)) co_return Result<>{};
        const auto targets = co_await targets_of(name);
        if (!targets) co_return unless_gone(targets.error());
        json::array ids;
        for (const auto& target : *targets) ids.push_back(json::string(text_at(target, "Id")));
        if (!ids.empty()) {
            json::object body{{"Rule", name}, {"Ids", std::move(ids)}};
            const auto removed = co_await ask("RemoveTargets", std::move(body));
            if (!removed) co_return unless_gone(removed.error());
            const auto each = entries_of(*removed, "RemoveTargets");
            if (!each) co_return each.error();
        }
        json::object body{{"Name", name}};
        const auto deleted = co_await ask("DeleteRule", std::move(body));
        if (!deleted) co_return unless_gone(deleted.error());
        co_return Result<>{};
    }

    Async<Result<std::optional<ScheduleRule>>> find(std::string name) override {
        if (!is_rule_name(name)) co_return std::optional<ScheduleRule>{};
        json::object body{{"Name", name}};
        const auto described = co_await ask("DescribeRule", std::move(body));
        if (!described && described.error().code == Errc::not_found) co_return std::optional<ScheduleRule>{};
        if (!described) co_return described.error();
        const auto targets = co_await targets_of(name);
        if (!targets) co_return targets.error();
        ScheduleRule rule{.name = std::move(name),
                          .expression = text_at(*described, "ScheduleExpression"),
                          .input = {},
                          .enabled = text_at(*described, "State") != "DISABLED"};
        for (const auto& target : *targets) {
            if (text_at(target, "Id") == target_id) rule.input = text_at(target, "Input");
        }
        co_return std::optional(std::move(rule));
    }

  private:
    static Result<> unless_gone(const Error& error) {
        return error.code == Errc::not_found ? Result<>{} : Result<>(error);
    }

    json::object target_of(ScheduleRule rule) const {
        json::object target{{"Id", target_id}, {"Arn", config_.target_arn}, {"Input", rule.input}};
        if (is_fifo(config_.target_arn)) target["SqsParameters"] = json::object{{"MessageGroupId", rule.name}};
        json::array targets;
        targets.push_back(std::move(target));
        return {{"Rule", std::move(rule.name)}, {"Targets", std::move(targets)}};
    }

    Async<Result<std::vector<json::object>>> targets_of(std::string name) {
        json::object body{{"Rule", std::move(name)}};
        const auto answer = co_await ask("ListTargetsByRule", std::move(body));
        if (!answer) co_return answer.error();
        std::vector<json::object> targets;
        if (const auto* list = list_at(*answer, "Targets")) {
            for (const auto& target : *list) {
                if (target.is_object()) targets.push_back(target.get_object());
            }
        }
        co_return targets;
    }

    Async<Result<json::object>> ask(std::string action, json::object body) {
        AwsAccount::Call call{.service = "events",
                              .target = "AWSEvents." + std::move(action),
                              .content_type = "application/x-amz-json-1.1",
                              .body = std::move(body)};
        co_return co_await aws_->call(std::move(call));
    }

    Aws aws_;
    EventBridgeConfig config_;
};

}  // namespace

std::unique_ptr<ports::ScheduleRules> make_eventbridge_rules(Aws aws, EventBridgeConfig config) {
    return std::make_unique<EventBridgeRules>(std::move(aws), std::move(config));
}

}  // namespace crawler::adapters

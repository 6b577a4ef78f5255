#include "trigger/trigger_message.hpp"

#include <boost/json/parse.hpp>

namespace crawler::services {
namespace {

namespace json = boost::json;

constexpr std::string_view rule_prefix = "mustit-crawler-";

const json::string* text_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value ? value->if_string() : nullptr;
}

// mustit-crawler-{sellerId}; of some sellers a rule's name has only a digest.
Result<SellerId> seller_of_rule(std::string_view name) {
    const auto begin = rule_prefix.size();
    if (!name.starts_with(rule_prefix))
        return Error{Errc::invalid, "'" + std::string(name) + "' is no rule of a seller"};
    if (name.substr(begin).starts_with('.'))
        return Error{Errc::invalid, "the name of rule '" + std::string(name) + "' does not say whose it is"};
    return SellerId::parse(std::string(name.substr(begin)));
}

// The rule that made the event, by its ARN: arn:aws:events:<region>:<account>:rule/<name>, with <bus>/ before a name of another bus.
Result<SellerId> seller_of_event(const json::object& event) {
    const auto* resources = event.if_contains("resources");
    const auto* list = resources ? resources->if_array() : nullptr;
    const auto* arn = list && !list->empty() ? list->front().if_string() : nullptr;
    if (!arn || std::string_view(*arn).find(":rule/") == std::string_view::npos)
        return Error{Errc::invalid, "the event must have a sellerId in its detail, or a rule's ARN at /resources/0"};
    return seller_of_rule(std::string_view(*arn).substr(arn->rfind('/') + 1));
}

}  // namespace

Result<SellerId> read_trigger_message(const std::string& body) {
    boost::system::error_code error;
    const auto message = json::parse(body, error);
    if (error) return Error{Errc::invalid, "the trigger message is not JSON: " + error.message()};
    const auto* object = message.if_object();
    if (!object) return Error{Errc::invalid, "the trigger message must be a JSON object"};
    if (const auto* seller = text_at(*object, "sellerId")) return SellerId::parse(std::string(*seller));
    if (!object->contains("detail-type"))
        return Error{Errc::invalid, "the trigger message must have a text at /sellerId"};

    const auto* detail = object->if_contains("detail");
    const auto* members = detail ? detail->if_object() : nullptr;
    const auto* seller = members ? text_at(*members, "sellerId") : nullptr;
    return seller ? SellerId::parse(std::string(*seller)) : seller_of_event(*object);
}

}  // namespace crawler::services

#include "trigger/trigger_message.hpp"

#include <boost/json/parse.hpp>

namespace crawler::services {

Result<SellerId> read_trigger_message(const std::string& body) {
    boost::system::error_code error;
    const auto json = boost::json::parse(body, error);
    if (error) return Error{Errc::invalid, "the trigger message is not JSON: " + error.message()};
    const auto* object = json.if_object();
    if (!object) return Error{Errc::invalid, "the trigger message must be a JSON object"};
    const auto* seller = object->if_contains("sellerId");
    const auto* text = seller ? seller->if_string() : nullptr;
    if (!text) return Error{Errc::invalid, "the trigger message must have a text at /sellerId"};
    return SellerId::parse(std::string(*text));
}

}  // namespace crawler::services

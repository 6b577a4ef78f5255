// An event about a product as the product server reads it: every field of the promise is there and right, or it is refused by name.
#pragma once
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "product.hpp"

namespace marketsim {

// What the product server answers in place of doing what it was asked.
class RefusedEvent : public std::runtime_error {
  public:
    RefusedEvent(int http_status, std::string error_code, const std::string& message,
                 std::optional<std::int64_t> version = {})
        : std::runtime_error(message), status(http_status), code(std::move(error_code)), current_version(version) {}

    int status;
    std::string code;
    std::optional<std::int64_t> current_version;
};

enum class EventKind : std::uint8_t { created, updated, deleted };

struct ProductEvent {
    EventKind kind = EventKind::created;
    ItemNo item = 0;
    std::string seller_id;
    std::int64_t version = 0;
    boost::json::array changes;  // {path, before, after} each
    boost::json::object data;
};

// All three throw a RefusedEvent with status 400 that names the JSON pointer and the rule.
ProductEvent read_event(std::string_view body);
void check_route(const ProductEvent& event, std::string_view method, ItemNo item);
// An update names something that changed, and what it names is so in its productData.
void check_changes(const ProductEvent& event);

}  // namespace marketsim

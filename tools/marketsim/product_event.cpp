#include "product_event.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>

namespace marketsim {
namespace {

namespace json = boost::json;

struct EventName {
    std::string_view name;
    std::string_view method;
};
// In the order of EventKind.
constexpr std::array event_names{EventName{"PRODUCT_CREATED", "POST"}, EventName{"PRODUCT_UPDATED", "PUT"},
                                 EventName{"PRODUCT_DELETED", "DELETE"}};
constexpr std::array<std::string_view, 3> facet_keys{"listing", "detail", "option"};

[[noreturn]] void refuse(const std::string& pointer, const std::string& rule) {
    throw RefusedEvent(400, "INVALID_EVENT", "'" + pointer + "' " + rule);
}

const json::value& member(const json::object& object, const std::string& parent, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr) refuse(parent + "/" + std::string(name), "must be there");
    return *value;
}

std::int64_t positive_number(const json::object& object, std::string_view name) {
    const auto* number = member(object, "", name).if_int64();
    if (number == nullptr || *number <= 0) refuse("/" + std::string(name), "must be a positive whole number");
    return *number;
}

std::string text(const json::object& object, const std::string& parent, std::string_view name) {
    const auto* string = member(object, parent, name).if_string();
    if (string == nullptr || string->empty())
        refuse(parent + "/" + std::string(name), "must be a text with something in it");
    return std::string(*string);
}

EventKind read_kind(const json::object& object) {
    const auto name = text(object, "", "eventType");
    const auto found = std::ranges::find(event_names, name, &EventName::name);
    if (found == event_names.end()) refuse("/eventType", "must be PRODUCT_CREATED, PRODUCT_UPDATED or PRODUCT_DELETED");
    return static_cast<EventKind>(found - event_names.begin());
}

bool is_in_a_facet(std::string_view path) {
    return std::ranges::any_of(facet_keys, [path](std::string_view facet) {
        return path.starts_with('/') && path.substr(1).starts_with(facet) &&
               (path.size() == facet.size() + 1 || path[facet.size() + 1] == '/');
    });
}

json::array read_changes(const json::object& object) {
    const auto* changes = member(object, "", "changedFields").if_array();
    if (changes == nullptr) refuse("/changedFields", "must be an array");
    for (std::size_t i = 0; i < changes->size(); ++i) {
        const auto place = "/changedFields/" + std::to_string(i);
        const auto* change = (*changes)[i].if_object();
        if (change == nullptr) refuse(place, "must be an object");
        if (!is_in_a_facet(text(*change, place, "path")))
            refuse(place + "/path", "must be a JSON pointer into /listing, /detail or /option");
        member(*change, place, "before");
        member(*change, place, "after");
    }
    return *changes;
}

json::object read_data(const json::object& object, EventKind kind) {
    const auto* data = member(object, "", "productData").if_object();
    if (data == nullptr) refuse("/productData", "must be an object");
    for (const auto key : facet_keys) {
        const auto* facet = data->if_contains(key);
        if (facet == nullptr && kind == EventKind::deleted) continue;
        if (!member(*data, "/productData", key).is_object())
            refuse("/productData/" + std::string(key), "must be an object");
    }
    // Else the same content with another ornament would pass for another content.
    for (const auto& [key, value] : *data) {
        if (std::ranges::find(facet_keys, std::string_view(key)) == facet_keys.end())
            refuse("/productData/" + std::string(key), "must not be there; listing, detail and option are all");
    }
    return *data;
}

// What the data has at that path as a value of its own. An object with something in it is none: its fields are named one by one, so
// a path to it says that the empty object that stood there is gone.
const json::value* value_at(const json::value& data, std::string_view path) {
    json::error_code error;
    const auto* found = data.find_pointer(path, error);
    if (found == nullptr || found->is_null()) return nullptr;
    const auto* object = found->if_object();
    return object != nullptr && !object->empty() ? nullptr : found;
}

}  // namespace

ProductEvent read_event(std::string_view body) {
    json::error_code error;
    const auto root = json::parse(body, error);
    if (error || !root.is_object()) refuse("", "must be a JSON object");
    const auto& object = root.get_object();
    ProductEvent event;
    event.kind = read_kind(object);
    event.item = positive_number(object, "itemNo");
    event.seller_id = text(object, "", "sellerId");
    event.version = positive_number(object, "version");
    event.changes = read_changes(object);
    event.data = read_data(object, event.kind);
    return event;
}

void check_route(const ProductEvent& event, std::string_view method, ItemNo item) {
    const auto& name = event_names[static_cast<std::size_t>(event.kind)];
    if (name.method != method) refuse("/eventType", "must be sent with " + std::string(name.method));
    if (event.item != item) refuse("/itemNo", "must be the item of the path");
}

void check_changes(const ProductEvent& event) {
    if (event.kind != EventKind::updated) return;
    if (event.changes.empty()) refuse("/changedFields", "must name what changed");
    const json::value data = event.data;
    for (std::size_t i = 0; i < event.changes.size(); ++i) {
        const auto& change = event.changes[i].get_object();
        const auto& after = change.at("after");
        const auto* value = value_at(data, change.at("path").get_string());
        if (value == nullptr ? !after.is_null() : after != *value)
            refuse("/changedFields/" + std::to_string(i) + "/after", "must be what productData has at that path");
    }
}

}  // namespace marketsim

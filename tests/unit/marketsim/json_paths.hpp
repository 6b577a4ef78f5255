// The key paths of a document with the types of what is there: "/items/*/itemNo int". Elements of an array are taken together, but
// those that name their type go by it: "/moduleList/<ShippingModule>/data".
#pragma once
#include <boost/json.hpp>
#include <set>
#include <string>

namespace marketsim::test {

inline std::string_view kind_of(const boost::json::value& value) {
    switch (value.kind()) {
        case boost::json::kind::null:
            return "null";
        case boost::json::kind::bool_:
            return "bool";
        case boost::json::kind::int64:
        case boost::json::kind::uint64:
            return "int";
        case boost::json::kind::double_:
            return "double";
        case boost::json::kind::string:
            return "string";
        case boost::json::kind::array:
            return "array";
        case boost::json::kind::object:
            break;
    }
    return "object";
}

inline std::string element_name(const boost::json::value& element) {
    if (!element.is_object()) return "*";
    const auto* const type = element.get_object().if_contains("type");
    return type != nullptr && type->is_string() ? "<" + std::string(type->get_string()) + ">" : "*";
}

inline void add_paths(std::set<std::string>& paths, const std::string& path, const boost::json::value& value) {
    paths.insert(path + " " + std::string(kind_of(value)));
    if (value.is_object()) {
        for (const auto& [key, member] : value.get_object()) add_paths(paths, path + "/" + std::string(key), member);
    } else if (value.is_array()) {
        for (const auto& element : value.get_array()) add_paths(paths, path + "/" + element_name(element), element);
    }
}

inline std::set<std::string> json_paths(std::string_view text) {
    std::set<std::string> paths;
    add_paths(paths, "", boost::json::parse(text));
    return paths;
}

}  // namespace marketsim::test

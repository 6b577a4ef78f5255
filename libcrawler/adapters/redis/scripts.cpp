#include "adapters/redis/scripts.hpp"

#include <map>
#include <string>

namespace crawler::adapters::redis {
namespace {

std::string whole(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const auto part : parts) text += embedded_script(part);
    return text;
}

}  // namespace

RedisLink::Script script_named(std::string_view name) {
    static const std::map<std::string_view, std::string> scripts{{"lend", whole({"common", "lend"})},
                                                                 {"load", whole({"common", "load", "lend"})},
                                                                 {"report", whole({"common", "report"})},
                                                                 {"take", whole({"common", "take"})},
                                                                 {"note", whole({"common", "note"})}};
    const auto found = scripts.find(name);
    return {found->first, found->second};
}

}  // namespace crawler::adapters::redis

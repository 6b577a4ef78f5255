#include "architecture/rule.hpp"

#include <algorithm>

namespace crawler::architecture {

std::string describe(const Rule& rule, const SourceFile& file, const Finding& finding) {
    return file.path + ":" + std::to_string(finding.line) + ": " + finding.what + " [" + rule.name +
           "]; instead: " + rule.instead;
}

bool is_under(std::string_view path, const std::vector<std::string>& places) {
    return std::ranges::any_of(places, [path](const std::string& place) { return path.starts_with(place); });
}

}  // namespace crawler::architecture

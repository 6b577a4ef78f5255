// How long a file may be, and what nothing may be called.
#include <algorithm>
#include <regex>

#include "architecture/rule.hpp"

namespace crawler::architecture {
namespace {

constexpr std::size_t header_limit = 120;
constexpr std::size_t main_limit = 120;
constexpr std::size_t source_limit = 250;
constexpr std::size_t hard_limit = 400;
constexpr std::string_view excuse = "// Longer than usual: ";

bool is_header(const SourceFile& file) {
    return file.path.ends_with(".hpp");
}
bool is_main(const SourceFile& file) {
    return file.path.ends_with("/main.cpp");
}

std::vector<Finding> longer_than(const SourceFile& file, std::size_t limit) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(file.text, '\n'));
    if (lines <= limit) return {};
    return {{lines, std::to_string(lines) + " lines, " + std::to_string(limit) + " allowed"}};
}

std::vector<Finding> long_header(const SourceFile& file) {
    return is_header(file) ? longer_than(file, header_limit) : std::vector<Finding>{};
}

std::vector<Finding> long_main(const SourceFile& file) {
    return is_main(file) ? longer_than(file, main_limit) : std::vector<Finding>{};
}

bool is_excused(const SourceFile& file) {
    return file.text.starts_with(excuse) && file.text.size() > excuse.size() && file.text[excuse.size()] != '\n';
}

std::vector<Finding> long_source(const SourceFile& file) {
    if (is_header(file) || is_main(file) || is_excused(file)) return {};
    return longer_than(file, source_limit);
}

std::vector<Finding> too_long_source(const SourceFile& file) {
    return is_excused(file) ? longer_than(file, hard_limit) : std::vector<Finding>{};
}

std::vector<Finding> vague_file(const SourceFile& file) {
    static const std::regex pattern(R"((^|[/_])(utils?|managers?|impl|helpers?)([/_.]|$))", std::regex::icase);
    if (!std::regex_search(file.path, pattern)) return {};
    return {{1, "a file called that"}};
}

std::vector<Finding> vague_type(const SourceFile& file) {
    static const std::regex pattern(
        R"(\b(class|struct|enum|concept|using|namespace)\s+(\w*(Util|Manager|Impl|Helper)(s|[A-Z]\w*)?)(?=\s*[:;{=<]|\s+final|\s*$))");
    std::vector<Finding> findings;
    std::size_t number = 0;
    for (const auto& line : lines_of(file.code)) {
        ++number;
        std::smatch found;
        if (std::regex_search(line, found, pattern)) findings.push_back({number, "declares " + found[2].str()});
    }
    return findings;
}

std::string lines(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "int line_" + std::to_string(i) + ";\n";
    return text;
}

}  // namespace

std::vector<Rule> size_and_name_rules() {
    const std::string rename = "name it after what it does or is";
    const std::string reason = std::string(excuse) + "one table, and half of it would say nothing.\n";
    return {
        {"a header is short",
         "split it by what its readers want",
         long_header,
         {"libcrawler/ports/sample.hpp", lines(121)},
         {"libcrawler/ports/sample.hpp", lines(120)}},
        {"a main is a parts list",
         "move what is not wiring into the library",
         long_main,
         {"services/worker/main.cpp", lines(121)},
         {"services/worker/main.cpp", lines(120)}},
        {"a source is short",
         "split it, or open it with '" + std::string(excuse) + "<why>' (up to 400)",
         long_source,
         {"libcrawler/ports/sample.cpp", lines(251)},
         {"libcrawler/ports/sample.cpp", lines(250)}},
        {"a long source says why",
         "split it: no reason is good enough for more than 400 lines",
         too_long_source,
         {"libcrawler/ports/sample.cpp", reason + lines(400)},
         {"libcrawler/ports/sample.cpp", reason + lines(399)}},
        {"no vague file names",
         rename,
         vague_file,
         {"libcrawler/ports/string_utils.hpp", "\n"},
         {"libcrawler/ports/utility_model.hpp", "\n"}},
        {"no vague type names",
         rename,
         vague_type,
         {"libcrawler/ports/sample.hpp", "class ClockImpl final {\n};\n"},
         {"libcrawler/ports/sample.hpp", "class Clock;\nbool Implies = true;  // no SessionManager here\n"}},
    };
}

}  // namespace crawler::architecture

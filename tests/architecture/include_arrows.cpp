// Who may include whom.
#include <algorithm>
#include <regex>

#include "architecture/rule.hpp"

namespace crawler::architecture {
namespace {

struct Include {
    std::size_t line = 0;
    bool quoted = false;
    std::string path;
};

std::vector<Include> includes_of(const SourceFile& file) {
    static const std::regex pattern(R"rx(^\s*#\s*include\s*([<"])([^>"]+)[>"])rx");
    std::vector<Include> includes;
    std::size_t number = 0;
    for (const auto& line : lines_of(file.code)) {
        ++number;
        std::smatch found;
        if (std::regex_search(line, found, pattern)) includes.push_back({number, found[1] == "\"", found[2]});
    }
    return includes;
}

const std::vector<std::string> our_folders{"domain/",      "codec/",    "coro/",   "ports/",
                                           "application/", "adapters/", "runtime/"};

struct Arrow {
    std::string from;
    std::vector<std::string> to;
    std::string breaks;
    std::string keeps;
};

const std::vector<Arrow>& arrows() {
    static const std::vector<Arrow> table{
        {"libcrawler/domain/", {"domain/"}, "ports/clock.hpp", "domain/time.hpp"},
        {"libcrawler/codec/", {"codec/", "domain/"}, "ports/clock.hpp", "domain/digest.hpp"},
        {"libcrawler/coro/", {"coro/"}, "domain/result.hpp", "coro/event.hpp"},
        {"libcrawler/ports/", {"ports/", "domain/", "coro/async.hpp"}, "coro/sleep.hpp", "coro/async.hpp"},
        {"libcrawler/application/",
         {"application/", "domain/", "codec/", "ports/", "coro/async.hpp"},
         "adapters/memory/memory.hpp",
         "ports/clock.hpp"},
        {"libcrawler/runtime/",
         {"runtime/", "ports/", "domain/", "coro/"},
         "application/execute_task.hpp",
         "coro/group.hpp"},
        // The simulator judges the crawler, so it shares nothing with it but plumbing.
        {"tools/marketsim/",
         {"adapters/http/http.hpp", "ports/http", "runtime/", "coro/"},
         "codec/sha256.hpp",
         "adapters/http/http.hpp"},
    };
    return table;
}

std::vector<Finding> outside(const SourceFile& file, const std::vector<std::string>& allowed) {
    std::vector<Finding> findings;
    for (const auto& include : includes_of(file)) {
        if (is_under(include.path, our_folders) && !is_under(include.path, allowed))
            findings.push_back({include.line, "includes \"" + include.path + "\""});
    }
    return findings;
}

std::string including(const std::string& path) {
    return "#include <string>\n\n#include \"" + path + "\"\n";
}

Rule arrow_rule(const Arrow& arrow) {
    std::string list;
    for (const auto& place : arrow.to) list += (list.empty() ? "" : ", ") + place;
    auto check = [&arrow](const SourceFile& file) {
        return file.path.starts_with(arrow.from) ? outside(file, arrow.to) : std::vector<Finding>{};
    };
    return {"arrows of " + arrow.from,
            "include only " + list,
            check,
            {arrow.from + "sample.cpp", including(arrow.breaks)},
            {arrow.from + "sample.cpp", including(arrow.keeps)}};
}

// An adapter sees its own folder, and no other adapter, not even its public header.
std::vector<Finding> from_adapter(const SourceFile& file) {
    static const std::regex home(R"(^libcrawler/(adapters/[a-z_]+/).*)");
    std::smatch found;
    if (!std::regex_match(file.path, found, home)) return {};
    return outside(file, {found[1], "adapters/layer.hpp", "ports/", "domain/", "codec/", "coro/"});
}

// Outside the library an adapter is its one public header, and a layer.hpp is nobody's header.
std::vector<Finding> from_outside(const SourceFile& file) {
    static const std::regex private_header(R"(adapters/([a-z_]+)/(?!\1\.hpp$).*|adapters/[^/]*|[a-z_]+/layer\.hpp)");
    std::vector<Finding> findings;
    if (file.path.starts_with("libcrawler/")) return findings;
    for (const auto& include : includes_of(file)) {
        if (std::regex_match(include.path, private_header))
            findings.push_back({include.line, "includes the private \"" + include.path + "\""});
    }
    return findings;
}

std::vector<Finding> ours_in_angles(const SourceFile& file) {
    std::vector<Finding> findings;
    for (const auto& include : includes_of(file)) {
        if (!include.quoted && is_under(include.path, our_folders))
            findings.push_back({include.line, "includes <" + include.path + ">"});
    }
    return findings;
}

// Inside the library every quoted include starts at libcrawler/; a program may also name its neighbours.
std::vector<Finding> others_in_quotes(const SourceFile& file) {
    std::vector<Finding> findings;
    if (!file.path.starts_with("libcrawler/")) return findings;
    for (const auto& include : includes_of(file)) {
        if (include.quoted && !is_under(include.path, our_folders))
            findings.push_back({include.line, "includes \"" + include.path + "\""});
    }
    return findings;
}

}  // namespace

std::vector<Rule> include_rules() {
    std::vector<Rule> rules;
    std::ranges::transform(arrows(), std::back_inserter(rules), arrow_rule);
    rules.push_back({"arrows of libcrawler/adapters/",
                     "go through a port; what two adapters share belongs below them",
                     from_adapter,
                     {"libcrawler/adapters/sql/sample.cpp", including("adapters/memory/memory.hpp")},
                     {"libcrawler/adapters/sql/sample.cpp", including("adapters/sql/database.hpp")}});
    rules.push_back({"arrows of programs",
                     "include the adapter's public header, adapters/x/x.hpp",
                     from_outside,
                     {"services/worker/main.cpp", including("adapters/sql/database.hpp")},
                     {"services/worker/main.cpp", including("adapters/sql/sql.hpp")}});
    rules.push_back({"quotes for ours",
                     "write \"domain/time.hpp\"",
                     ours_in_angles,
                     {"libcrawler/domain/sample.cpp", "#include <domain/time.hpp>\n"},
                     {"libcrawler/domain/sample.cpp", "#include <chrono>\n#include \"domain/time.hpp\"\n"}});
    rules.push_back({"angles for others",
                     "write <boost/json.hpp>; ours with the whole path, from libcrawler/",
                     others_in_quotes,
                     {"libcrawler/domain/sample.cpp", "#include \"time.hpp\"\n"},
                     {"services/worker/main.cpp", "#include <chrono>\n#include \"config.hpp\"\n"}});
    return rules;
}

}  // namespace crawler::architecture

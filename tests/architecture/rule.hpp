// A rule about one source file, as data: what it forbids, what to do instead, and two samples that keep the rule itself
// honest.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_file.hpp"

namespace crawler::architecture {

struct Finding {
    std::size_t line = 1;
    std::string what;
};

struct Sample {
    std::string path;
    std::string text;
};

struct Rule {
    std::string name;
    std::string instead;
    std::function<std::vector<Finding>(const SourceFile&)> check;
    Sample breaks;
    Sample keeps;
};

// The tables, one file each.
std::vector<Rule> banned_word_rules();
std::vector<Rule> include_rules();
std::vector<Rule> coroutine_rules();
std::vector<Rule> size_and_name_rules();

// "libcrawler/domain/time.cpp:7: <what> [<rule>]; instead: ..."
std::string describe(const Rule& rule, const SourceFile& file, const Finding& finding);

// Does the path lie under one of these? A folder ends with '/', a file does not; "runtime/environment." means both its
// files.
bool is_under(std::string_view path, const std::vector<std::string>& places);

}  // namespace crawler::architecture

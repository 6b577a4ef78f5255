// The options that all daemons share. command_line.cpp is the only place that knows the option parser.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace crawler::runtime {

struct StartInfo {
    std::string_view name;         // "worker": the program, and the prefix of its messages
    std::string_view description;  // one line
};

struct Options {
    std::optional<std::filesystem::path> config;
    bool check_config = false;
};
struct Answer {
    std::string text;  // --help and --version: print it and be done
};
struct UsageProblem {
    std::string text;
};

// The arguments without the program's name.
std::variant<Options, Answer, UsageProblem> parse_command_line(const StartInfo& info,
                                                               std::vector<std::string> arguments);

}  // namespace crawler::runtime

// From main() to a checked configuration and an exit code; every daemon's main is one call of start().
#pragma once
#include <functional>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/command_line.hpp"
#include "runtime/config.hpp"
#include "runtime/environment.hpp"

namespace crawler::runtime {

namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int failed = 1;     // while running
inline constexpr int not_ready = 2;  // could not start
}  // namespace exit_code

// Thrown out of run(), it means that the daemon never came up.
class StartFailure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Marks a step of run() that belongs to the start, so that its exception becomes exit code 2 and says which step it
// was:
//     auto database = starting("database", [&] { return adapters::open_database(cfg.database, blocking); });
template <class Step>
auto starting(std::string_view what, Step step) {
    try {
        return step();
    } catch (const std::exception& e) {
        throw StartFailure(std::string(what) + ": " + e.what());
    }
}

// What a process is given.
struct Surroundings {
    std::vector<std::string> arguments;  // without the program's name
    Environment environment;
    std::ostream& out;
    std::ostream& err;
};
Surroundings process_surroundings(int argc, char** argv);

// start() without types.
int run_start(const StartInfo& info, const Surroundings& surroundings, const std::function<void(Node)>& read,
              const std::function<int()>& run);

// Config read(Node root), int run(const Config&). Messages go to stderr, one line each, prefixed by the program's name.
template <class Read, class Run>
int start(const StartInfo& info, const Surroundings& surroundings, Read read, Run run) {
    std::optional<std::invoke_result_t<Read, Node&>> config;
    return run_start(
        info, surroundings, [&](Node root) { config.emplace(read(root)); },
        [&] { return run(std::as_const(*config)); });
}

template <class Read, class Run>
int start(int argc, char** argv, const StartInfo& info, Read read, Run run) {
    return start(info, process_surroundings(argc, argv), std::move(read), std::move(run));
}

}  // namespace crawler::runtime

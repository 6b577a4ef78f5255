#include "runtime/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "runtime/version.hpp"

namespace crawler::runtime {
namespace {

constexpr const char* more_help = R"(Configuration:
  Values come from the defaults, then FILE, then the environment. --check-config prints
  them all with their origin. An unknown key or a bad value stops the start.
  Durations are written 250ms, 20s, 10m, 2h or 1d, sizes 512B, 64KiB, 10MiB or 1GiB.

Environment:
  CRAWLER__SECTION__KEY=VALUE  overrides section.key (upper case, two underscores between
                               levels; the items of a list are separated by commas)
  ${NAME}                      anywhere in a value is replaced by the variable NAME and
                               never shown; for secrets. $${ stands for a plain ${

Signals:
  SIGTERM, SIGINT  take no new work, finish what is in flight, exit
  a second one     exit at once

Exit codes:
  0  done, or stopped by a signal
  1  failed while running
  2  could not start: bad usage, bad configuration, or something needed is not there
  128 + signal  ended by a second signal
)";

}  // namespace

std::variant<Options, Answer, UsageProblem> parse_command_line(const StartInfo& info,
                                                               std::vector<std::string> arguments) {
    CLI::App app{std::string(info.description), std::string(info.name)};
    app.footer(more_help);
    app.set_version_flag("--version", std::string(info.name) + " " + std::string(version()),
                         "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this and exit");

    std::string config;
    Options options;
    const auto* file =
        app.add_option("-c,--config", config, "Read the configuration from FILE (YAML)")->type_name("FILE");
    app.add_flag("--check-config", options.check_config, "Check the configuration, print it and exit")
        ->disable_flag_override();

    std::reverse(arguments.begin(), arguments.end());  // as the parser wants them
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return Answer{app.help()};
    } catch (const CLI::CallForVersion& answer) {
        return Answer{std::string(answer.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
        return UsageProblem{std::string(error.what()) + "; see --help"};
    }
    if (file->count() > 0) options.config = config;
    return options;
}

}  // namespace crawler::runtime

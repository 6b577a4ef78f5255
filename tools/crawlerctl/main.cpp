// crawlerctl: the operator's command line.
#include <CLI/CLI.hpp>
#include <iostream>

#include "agent_commands.hpp"
#include "commands.hpp"
#include "database_commands.hpp"
#include "fleet_commands.hpp"
#include "queue_commands.hpp"
#include "runtime/version.hpp"
#include "seller_commands.hpp"

namespace {

using crawler::ctl::Format;

int run(int argc, char** argv) {
    CLI::App app{"crawlerctl: looks at the crawler fleet, and after its database.", "crawlerctl"};
    app.set_version_flag("--version", "crawlerctl " + std::string(crawler::runtime::version()));
    app.require_subcommand(0, 1);
    app.footer(
        "Exit codes: 0 all is well, 1 something is not, 2 the command line is wrong or the database cannot be "
        "reached.");

    auto format = Format::table;
    int exit_code = 0;
    auto with_json = [&format](CLI::App* command) {
        command->add_flag_callback("--json", [&format] { format = Format::json; }, "Print JSON instead of a table");
        return command;
    };

    auto* events = with_json(app.add_subcommand("events", "List every event: level, fields and the metrics it moves"));
    events->callback([&] { exit_code = crawler::ctl::show_events(format); });

    auto* states =
        with_json(app.add_subcommand("states", "List every state machine: state, verb, next state, condition"));
    states->add_flag_callback(
        "--mermaid", [&format] { format = Format::mermaid; }, "Print the diagrams of ARCHITECTURE.md instead");
    states->callback([&] { exit_code = crawler::ctl::show_states(format); });

    std::vector<std::string> urls;
    auto* health = with_json(app.add_subcommand("health", "Ask daemons how they are; exit code 1 if one is not ready"));
    health->add_option("URL", urls, "Where a daemon listens: 127.0.0.1:8080, http://worker:8080")->required();
    health->callback([&] { exit_code = crawler::ctl::show_health(urls, format); });

    crawler::ctl::add_database_commands(app, exit_code);
    crawler::ctl::add_queue_commands(app, exit_code);
    crawler::ctl::add_fleet_commands(app, exit_code);
    crawler::ctl::add_seller_commands(app, exit_code);
    crawler::ctl::add_agent_commands(app, exit_code);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (app.get_subcommands().empty()) {
        std::cerr << app.help();
        return 2;
    }
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "crawlerctl: " << error.what() << "\n";
        return 1;
    }
}

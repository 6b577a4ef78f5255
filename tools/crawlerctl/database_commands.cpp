#include "database_commands.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "database_option.hpp"

namespace crawler::ctl {
namespace {

// What the options of one run of the program say; it lives as long as the command line.
struct DatabaseOptions {
    bool is_dry_run = false;
    bool is_status = false;
    int most = 100;
    Format format = Format::table;
};
using Options = std::shared_ptr<DatabaseOptions>;

void add_migrate(CLI::App& app, const Options& options, int& exit_code) {
    auto* migrate =
        app.add_subcommand("migrate", "Bring the database to the schema of this version; several may run at once");
    const auto database = add_database_option(*migrate);
    auto* dry =
        migrate->add_flag("--dry-run", options->is_dry_run, "Print the statements it would take, and change nothing");
    migrate
        ->add_flag("--status", options->is_status,
                   "List the migrations and change nothing; exit code 1 if one is not applied")
        ->excludes(dry);
    migrate->callback([options, database, &exit_code] {
        exit_code = with_database(*database, [&](const std::string& url) {
            if (options->is_status) return show_migrations(url);
            return options->is_dry_run ? show_missing_statements(url) : migrate_database(url);
        });
    });
}

void add_check(CLI::App& db, const Options& options, int& exit_code) {
    auto* check = db.add_subcommand("check", "Hold every table against the rules; exit code 1 if a row breaks one");
    const auto database = add_database_option(*check);
    check->add_option("--most", options->most, "Print at most so many rows of each rule")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    check->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON instead of lines");
    check->callback([options, database, &exit_code] {
        exit_code = with_database(
            *database, [&](const std::string& url) { return check_database(url, options->most, options->format); });
    });
}

}  // namespace

void add_database_commands(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<DatabaseOptions>();
    add_migrate(app, options, exit_code);

    auto* db = app.add_subcommand("db", "Look after what is stored");
    db->require_subcommand(1);
    add_check(*db, options, exit_code);
    auto* rules = db->add_subcommand("rules", "List the rules that `db check` holds the tables against");
    rules->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON instead of a table");
    rules->callback([options, &exit_code] { exit_code = show_invariants(options->format); });
}

}  // namespace crawler::ctl

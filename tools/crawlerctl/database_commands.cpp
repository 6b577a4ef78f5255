#include "database_commands.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>

#include "database_url.hpp"

namespace crawler::ctl {
namespace {

constexpr int cannot_begin = 2;

// What the options of one run of the program say; it lives as long as the command line.
struct DatabaseOptions {
    DatabaseChoice database;
    std::string file;
    bool is_dry_run = false;
    bool is_status = false;
    int most = 100;
    Format format = Format::table;
};
using Options = std::shared_ptr<DatabaseOptions>;

void add_choice(CLI::App& command, const Options& options) {
    auto* url = command.add_option("--database", options->database.url,
                                   "URL of the database: sqlite:FILE or mysql://user@host/name; without it, "
                                   "CRAWLER__DATABASE__URL or the configuration file says");
    auto* file =
        command.add_option("-c,--config", options->file, "A daemon's configuration file; its database.url counts");
    file->check(CLI::ExistingFile)->excludes(url);
}

// One clear line where the work cannot begin.
int with_database(const Options& options, const std::function<int(const std::string& url)>& work) {
    try {
        if (!options->file.empty()) options->database.file = options->file;
        return work(database_url(options->database, runtime::process_environment()));
    } catch (const std::exception& error) {
        std::cerr << "crawlerctl: " << error.what() << "\n";
        return cannot_begin;
    }
}

void add_migrate(CLI::App& app, const Options& options, int& exit_code) {
    auto* migrate =
        app.add_subcommand("migrate", "Bring the database to the schema of this version; several may run at once");
    add_choice(*migrate, options);
    auto* dry =
        migrate->add_flag("--dry-run", options->is_dry_run, "Print the statements it would take, and change nothing");
    migrate
        ->add_flag("--status", options->is_status,
                   "List the migrations and change nothing; exit code 1 if one is not applied")
        ->excludes(dry);
    migrate->callback([options, &exit_code] {
        exit_code = with_database(options, [&](const std::string& url) {
            if (options->is_status) return show_migrations(url);
            return options->is_dry_run ? show_missing_statements(url) : migrate_database(url);
        });
    });
}

void add_check(CLI::App& db, const Options& options, int& exit_code) {
    auto* check = db.add_subcommand("check", "Hold every table against the rules; exit code 1 if a row breaks one");
    add_choice(*check, options);
    check->add_option("--most", options->most, "Print at most so many rows of each rule")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    check->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON instead of lines");
    check->callback([options, &exit_code] {
        exit_code = with_database(
            options, [&](const std::string& url) { return check_database(url, options->most, options->format); });
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

#include <iomanip>
#include <iostream>

#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "database_commands.hpp"

namespace crawler::ctl {
namespace {

std::string state_of(const adapters::MigrationState& migration) {
    if (migration.applied_at) return "applied";
    if (migration.statements_done == 0) return "missing";
    return "cut off at " + std::to_string(migration.statements_done) + " of " + std::to_string(migration.statements);
}

// As it goes along: whoever waits for a long statement sees which one it is.
void print_progress(int, std::string_view name, std::size_t done, std::size_t total) {
    if (done == total) {
        std::cout << name << ": applied\n" << std::flush;
    } else {
        std::cout << name << ": statement " << done + 1 << " of " << total << "\n" << std::flush;
    }
}

}  // namespace

int migrate_database(const std::string& url) {
    const adapters::DatabaseConfig config{.url = url};
    bool has_begun = false;
    const auto progress = [&has_begun](int version, std::string_view name, std::size_t done, std::size_t total) {
        has_begun = true;
        print_progress(version, name, done, total);
    };
    try {
        adapters::migrate(config, *adapters::make_system_clock(), progress);
    } catch (const std::runtime_error& error) {
        if (!has_begun) throw;
        std::cerr << "crawlerctl: the migration was cut off, and goes on from there when it is run again: "
                  << error.what() << "\n";
        return 1;
    }
    std::cout << "the schema has version " << adapters::migration_status(config).back().version << "\n";
    return 0;
}

int show_missing_statements(const std::string& url) {
    const auto statements = adapters::missing_statements({.url = url});
    for (const auto& statement : statements) std::cout << statement << ";\n";
    if (statements.empty()) std::cout << "-- nothing to do\n";
    return 0;
}

int show_migrations(const std::string& url) {
    bool all_applied = true;
    std::cout << std::left << std::setw(9) << "version" << std::setw(32) << "name" << std::setw(20) << "state"
              << "applied\n";
    for (const auto& migration : adapters::migration_status({.url = url})) {
        all_applied = all_applied && migration.applied_at;
        std::cout << std::left << std::setw(9) << migration.version << std::setw(32) << migration.name << std::setw(20)
                  << state_of(migration) << (migration.applied_at ? to_rfc3339(*migration.applied_at) : "-") << "\n";
    }
    return all_applied ? 0 : 1;
}

}  // namespace crawler::ctl

// The commands of crawlerctl that work on the database itself. Each prints to standard output and returns the exit code; what is wrong
// with the command line or the connection is thrown.
#pragma once
#include <string>

#include "commands.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

// Adds `migrate` and `db` to the command line; they set the exit code.
void add_database_commands(CLI::App& app, int& exit_code);

// Brings the schema up to what this program knows.
int migrate_database(const std::string& url);
// The statements that this would take.
int show_missing_statements(const std::string& url);
// Each migration and whether it is applied; 1 where one is not.
int show_migrations(const std::string& url);

// Holds the tables against every rule; 1 where a row breaks one.
int check_database(const std::string& url, int most, Format format);
int show_invariants(Format format);

}  // namespace crawler::ctl

// The options of a command that say which database it is about.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "database_url.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

struct DatabaseOption {
    DatabaseChoice choice;
    std::string file;

    std::optional<std::filesystem::path> config_file() const {
        return file.empty() ? std::nullopt : std::optional<std::filesystem::path>(file);
    }
};

// Adds --database and --config; what they say is there once the command line is read.
std::shared_ptr<DatabaseOption> add_database_option(CLI::App& command);

// Lets the command say which database it is about, and does its work on that one.
void on_database(CLI::App& command, int& exit_code, std::function<int(const std::string& url)> work);

// The exit code of the work; where it cannot begin, one clear line and 2.
int with_database(DatabaseOption option, const std::function<int(const std::string& url)>& work);

}  // namespace crawler::ctl

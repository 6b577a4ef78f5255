#include "database_option.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace crawler::ctl {

std::shared_ptr<DatabaseOption> add_database_option(CLI::App& command) {
    auto option = std::make_shared<DatabaseOption>();
    auto* url = command.add_option("--database", option->choice.url,
                                   "URL of the database: sqlite:FILE or mysql://user@host/name; without it, "
                                   "CRAWLER__DATABASE__URL or the configuration file says");
    auto* file = command.add_option(
        "-c,--config", option->file,
        "A daemon's configuration file; its database.url counts, and its pool where a budget is counted");
    file->check(CLI::ExistingFile)->excludes(url);
    return option;
}

void on_database(CLI::App& command, int& exit_code, std::function<int(const std::string& url)> work) {
    const auto database = add_database_option(command);
    command.callback([database, &exit_code, work = std::move(work)] { exit_code = with_database(*database, work); });
}

int with_database(DatabaseOption option, const std::function<int(const std::string& url)>& work) {
    constexpr int cannot_begin = 2;
    try {
        if (!option.file.empty()) option.choice.file = option.file;
        return work(database_url(option.choice, runtime::process_environment()));
    } catch (const std::exception& error) {
        std::cerr << "crawlerctl: " << error.what() << "\n";
        return cannot_begin;
    }
}

}  // namespace crawler::ctl

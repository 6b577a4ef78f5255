// The commands of crawlerctl that show what the fleet is at. Each prints to standard output and returns the exit code; what cannot be
// read is thrown.
#pragma once
#include <optional>
#include <string>

#include "adapters/sql/sql.hpp"
#include "commands.hpp"
#include "domain/ids.hpp"
#include "domain/time.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

// Adds `run`, `status` and `product` to the command line; they set the exit code.
void add_fleet_commands(CLI::App& app, int& exit_code);

struct RunListChoice {
    std::string seller;  // empty: all
    int limit = 20;
};
int list_runs(const std::string& url, const RunListChoice& choice, Format format);
// What is proven of a run, and what is not; of each reason so many items at most. 1 where there is no such run.
int show_run(const std::string& url, const std::string& id, int most, Format format);

struct StatusChoice {
    Duration interval = std::chrono::seconds{1};
    int pictures = 0;                      // 0: until it is interrupted
    adapters::SqlIdentityPoolConfig pool;  // what its budget is counted by
};
// Again and again: in place on a terminal, one after the other elsewhere.
int show_status(const std::string& url, const StatusChoice& choice, Format format);

// 1 where nobody has seen the item.
int show_product(const std::string& url, ItemNo item, int most, Format format);

}  // namespace crawler::ctl

// The commands of crawlerctl about identities and their requests. Each prints to standard output and returns the exit code; what is
// wrong with the command line or the connection is thrown.
#pragma once
#include <string>
#include <vector>

#include "application/change_identity.hpp"
#include "commands.hpp"
#include "domain/request_window.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

// Adds `agents` and `audit` to the command line; they set the exit code.
void add_agent_commands(CLI::App& app, int& exit_code);

// One identity for each line of the file; without one, the built-in fifty.
int import_agents(const std::string& url, const std::string& file);
// Never a token.
int list_agents(const std::string& url, Format format);
int change_agents(const std::string& url, application::IdentityChange change, const std::vector<std::string>& ids);
// With the keys of CRAWLER_TOKEN_KEYS, whose first is the current one.
int rotate_keys(const std::string& url, const std::string& keys);

struct AuditOptions {
    WindowLimits limits;
    Duration since = std::chrono::days{30};  // so long ago
};
// Holds the ledger against the limit; 1 where it does not prove that it was kept.
int audit_rate(const std::string& url, const AuditOptions& options, Format format);

}  // namespace crawler::ctl

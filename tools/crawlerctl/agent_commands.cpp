#include "agent_commands.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "adapters/sql/sql.hpp"
#include "database_option.hpp"
#include "pool_rules.hpp"
#include "runtime/environment.hpp"

namespace crawler::ctl {
namespace {

using application::IdentityChange;

struct AgentOptions {
    std::string file;
    bool is_builtin = false;
    std::string key_name = "key-1";
    std::vector<std::string> ids;
    std::string since = "30d";
    std::string window;  // empty: as the configuration says, and so are the next three
    std::string spacing;
    std::string guard;
    int limit = 0;
    Format format = Format::table;
};
using Options = std::shared_ptr<AgentOptions>;

void add_json(CLI::App& command, const Options& options) {
    command.add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON instead of a table");
}

// 250ms, 1s, 90s, 10m, 1h, 30d
Duration read_duration(const std::string& name, const std::string& text) {
    constexpr std::pair<std::string_view, std::int64_t> units[] = {
        {"ms", 1'000}, {"s", 1'000'000}, {"m", 60'000'000}, {"h", 3'600'000'000}, {"d", 86'400'000'000}};
    const auto digits = text.find_first_not_of("0123456789");
    for (const auto& [unit, length] : units) {
        if (digits == std::string::npos || digits == 0 || digits > 9 || text.substr(digits) != unit) continue;
        return Duration{std::stoll(text.substr(0, digits)) * length};
    }
    throw std::invalid_argument("--" + name + " is '" + text + "'; it must be a number with ms, s, m, h or d, as 90s");
}

AuditOptions audit_options(const AgentOptions& options, const WindowLimits& configured) {
    AuditOptions audit{.limits = configured};
    if (options.limit > 0) audit.limits.limit = options.limit;
    if (!options.window.empty()) audit.limits.span = read_duration("window", options.window);
    if (!options.spacing.empty()) audit.limits.spacing = read_duration("spacing", options.spacing);
    if (!options.guard.empty()) audit.limits.guard = read_duration("guard", options.guard);
    audit.since = read_duration("since", options.since);
    if (auto sound = audit.limits.check(); !sound) throw std::invalid_argument(sound.error().detail);
    return audit;
}

void add_change(CLI::App& agents, const Options& options, IdentityChange change, const std::string& meaning,
                int& exit_code) {
    auto* command = agents.add_subcommand(std::string(to_string(change)), meaning);
    command->add_option("ID", options->ids, "Ids, as `agents list` shows them")->required();
    on_database(*command, exit_code,
                [options, change](const std::string& url) { return change_agents(url, change, options->ids); });
}

void add_agents(CLI::App& app, const Options& options, int& exit_code) {
    auto* agents = app.add_subcommand("agents", "Look after the identities of the pool");
    agents->require_subcommand(1);

    auto* import = agents->add_subcommand("import", "Add identities: the built-in fifty, or those of a file");
    auto* file =
        import->add_option("FILE", options->file, "User-agent strings, one in a line; blank lines and # are skipped");
    file->check(CLI::ExistingFile);
    import->add_flag("--builtin", options->is_builtin, "The built-in ones; so it is without a file")->excludes(file);
    on_database(*import, exit_code, [options](const std::string& url) { return import_agents(url, options->file); });

    auto* list =
        agents->add_subcommand("list", "List the identities: status, health, age of the token, never the token");
    add_json(*list, options);
    on_database(*list, exit_code, [options](const std::string& url) { return list_agents(url, options->format); });

    add_change(*agents, options, IdentityChange::recover, "Bring SUSPENDED ones back before their time", exit_code);
    add_change(*agents, options, IdentityChange::block, "Take some out of the pool until they are unblocked",
               exit_code);
    add_change(*agents, options, IdentityChange::unblock, "Bring BLOCKED ones back", exit_code);

    auto* key = agents->add_subcommand("new-key", "Print a new random key to seal tokens with, for CRAWLER_TOKEN_KEYS");
    key->add_option("--name", options->key_name, "What tokens say which key sealed them by: a-z, 0-9 and -")
        ->capture_default_str();
    key->callback([options, &exit_code] {
        std::cout << adapters::new_token_key(options->key_name).reveal() << "\n";
        exit_code = 0;
    });

    auto* rotate = agents->add_subcommand(
        "rotate-keys", "Seal every token anew with the first key of CRAWLER_TOKEN_KEYS (NAME:BASE64,...)");
    on_database(*rotate, exit_code, [](const std::string& url) {
        const auto environment = runtime::process_environment();
        const auto keys = environment.find("CRAWLER_TOKEN_KEYS");
        return rotate_keys(url, keys == environment.end() ? "" : keys->second);
    });
}

void add_audit(CLI::App& app, const Options& options, int& exit_code) {
    auto* audit = app.add_subcommand("audit", "Prove from what is stored that promises were kept");
    audit->require_subcommand(1);
    auto* rate = audit->add_subcommand(
        "rate", "Hold the request ledger against the rate limit; exit code 1 if it does not prove that it was kept");
    rate->footer(
        "What is not said here, pool.limit, window, spacing and guard of the configuration say: of --config, or of "
        "the\n"
        "environment as in CRAWLER__POOL__LIMIT; else 80 in 1h, 1s apart, with a guard of 10s.");
    rate->add_option("--window", options->window, "The span of the limit");
    rate->add_option("--limit", options->limit, "Requests of one identity in any span")
        ->check(CLI::Range(1, 10'000'000));
    rate->add_option("--spacing", options->spacing, "Between two requests of one identity");
    rate->add_option("--guard", options->guard, "How long after its lease an unanswered request may arrive");
    rate->add_option("--since", options->since, "Look at what was reserved since so long ago")->capture_default_str();
    add_json(*rate, options);
    const auto database = add_database_option(*rate);
    rate->callback([options, database, &exit_code] {
        exit_code = with_database(*database, [&](const std::string& url) {
            const auto configured = pool_rules(database->config_file(), runtime::process_environment());
            return audit_rate(url, audit_options(*options, configured.limits), options->format);
        });
    });
}

}  // namespace

void add_agent_commands(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<AgentOptions>();
    add_agents(app, options, exit_code);
    add_audit(app, options, exit_code);
}

}  // namespace crawler::ctl

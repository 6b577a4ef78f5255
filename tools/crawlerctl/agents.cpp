#include <boost/json.hpp>
#include <fstream>
#include <iomanip>
#include <iostream>

#include "agent_commands.hpp"
#include "application/enroll_identities.hpp"
#include "open_identities.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;

std::vector<std::string> lines_of(const std::string& file) {
    std::ifstream in(file);
    std::vector<std::string> strings;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty() && !line.starts_with('#')) strings.push_back(line);
    }
    if (strings.empty()) throw std::runtime_error(file + " has no user-agent string in it");
    return strings;
}

std::string time_or_dash(const std::optional<TimePoint>& time) {
    return time ? to_rfc3339(*time) : "-";
}

void print_row(const UserAgent::State& agent) {
    std::cout << std::left << std::setw(38) << agent.id.value << std::setw(11) << to_string(agent.status)
              << std::setw(8) << agent.health << std::setw(29) << time_or_dash(agent.token_issued_at) << std::setw(29)
              << time_or_dash(agent.suspended_until) << std::setw(29) << time_or_dash(agent.last_used_at)
              << agent.user_agent_string << "\n";
}

json::value text_or_null(const std::optional<TimePoint>& time) {
    return time ? json::value(to_rfc3339(*time)) : json::value(nullptr);
}

json::object as_json(const UserAgent::State& agent) {
    return {{"id", agent.id.value},
            {"userAgentString", agent.user_agent_string},
            {"status", to_string(agent.status)},
            {"health", agent.health},
            {"tokenIssuedAt", text_or_null(agent.token_issued_at)},
            {"tokenFailures", agent.token_failures},
            {"suspendedUntil", text_or_null(agent.suspended_until)},
            {"lastUsedAt", text_or_null(agent.last_used_at)}};
}

}  // namespace

int import_agents(const std::string& url, const std::string& file) {
    OpenIdentities open(url);
    application::EnrollIdentities enroll({*open.identities, *open.ids, *open.clock, *open.telemetry});
    const auto added = open.wait(file.empty() ? enroll.enroll_builtin() : enroll.enroll(lines_of(file)));
    std::cout << added << " added\n";
    return 0;
}

int list_agents(const std::string& url, Format format) {
    OpenIdentities open(url);
    const auto agents = open.wait(open.identities->all());
    if (format == Format::json) {
        json::array list;
        for (const auto& agent : agents) list.push_back(as_json(agent.state()));
        std::cout << list << "\n";
        return 0;
    }
    std::cout << std::left << std::setw(38) << "id" << std::setw(11) << "status" << std::setw(8) << "health"
              << std::setw(29) << "token issued" << std::setw(29) << "suspended until" << std::setw(29) << "last used"
              << "user agent\n";
    for (const auto& agent : agents) print_row(agent.state());
    return 0;
}

int change_agents(const std::string& url, application::IdentityChange change, const std::vector<std::string>& ids) {
    OpenIdentities open(url);
    application::ChangeIdentity changing({*open.identities, *open.clock}, {});
    int exit_code = 0;
    for (const auto& id : ids) {
        const auto changed = coro::block_on(open.io, changing.apply(UserAgentId{id}, change));
        if (changed) {
            std::cout << id << " is " << to_string(changed->state().status) << "\n";
        } else {
            std::cerr << "crawlerctl: " << changed.error().detail << "\n";
            exit_code = 1;
        }
    }
    return exit_code;
}

int rotate_keys(const std::string& url, const std::string& text) {
    auto keys = adapters::parse_token_keys(text);
    if (!keys) throw std::runtime_error("CRAWLER_TOKEN_KEYS: " + keys.error().detail);
    const auto current = keys->current;
    OpenIdentities open(url);
    const auto done = open.wait(adapters::reseal_tokens(*open.database, *std::move(keys)));
    std::cout << done.resealed << " sealed anew with " << current << ", " << done.current << " were already, "
              << done.unreadable << " cannot be read with any of these keys\n";
    return done.unreadable == 0 ? 0 : 1;
}

}  // namespace crawler::ctl

#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>
#include <map>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"
#include "database_commands.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using Violations = std::vector<ports::Violation>;

std::string counted(std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

// Whole tables are read: that takes longer than any statement of a daemon may.
adapters::DatabaseConfig patient(const std::string& url) {
    return {.url = url, .min_connections = 1, .max_connections = 1, .read_timeout = std::chrono::minutes{30}};
}

Violations find_violations(const std::string& url, int most) {
    boost::asio::io_context io{1};
    const auto clock = adapters::make_system_clock();
    const auto telemetry = adapters::make_memory_telemetry();  // nobody listens
    const auto database = adapters::open_database(patient(url), *telemetry);
    const auto invariants = adapters::make_sql_invariants(*database);
    auto found = coro::block_on(io, invariants->check(clock->now(), {}, most));
    if (!found) throw std::runtime_error(found.error().detail);
    return *std::move(found);
}

std::map<std::string, std::string> meanings() {
    std::map<std::string, std::string> meanings;
    for (const auto& rule : adapters::sql_invariant_rules()) meanings.emplace(rule.name, rule.meaning);
    return meanings;
}

void print_lines(const Violations& violations, const std::map<std::string, std::string>& meaning, int most) {
    std::map<std::string, int> rows;
    for (const auto& violation : violations) {
        ++rows[violation.rule];
        std::cout << violation.rule << ": " << violation.row << " " << meaning.at(violation.rule) << " ("
                  << violation.found << ")\n";
    }
    const auto rules = counted(meaning.size(), "rule");
    if (violations.empty()) {
        std::cout << "no violation of " << rules << "\n";
        return;
    }
    std::cout << counted(violations.size(), "violation") << ", of " << rows.size() << " of " << rules << "\n";
    for (const auto& [rule, count] : rows) {
        if (count == most) std::cout << "there may be more of " << rule << ": --most says how many are printed\n";
    }
}

void print_json(const Violations& violations, const std::map<std::string, std::string>& meaning) {
    json::array list;
    for (const auto& violation : violations)
        list.push_back(json::object{{"rule", violation.rule},
                                    {"row", violation.row},
                                    {"meaning", meaning.at(violation.rule)},
                                    {"found", violation.found}});
    std::cout << json::object{{"rules", meaning.size()}, {"violations", list}} << "\n";
}

}  // namespace

int check_database(const std::string& url, int most, Format format) {
    const auto violations = find_violations(url, most);
    if (format == Format::json) {
        print_json(violations, meanings());
    } else {
        print_lines(violations, meanings(), most);
    }
    return violations.empty() ? 0 : 1;
}

int show_invariants(Format format) {
    json::array list;
    for (const auto& rule : adapters::sql_invariant_rules()) {
        if (format == Format::table) std::cout << std::left << std::setw(34) << rule.name << rule.meaning << "\n";
        list.push_back(json::object{{"name", rule.name}, {"meaning", rule.meaning}});
    }
    if (format == Format::json) std::cout << list << "\n";
    return 0;
}

}  // namespace crawler::ctl

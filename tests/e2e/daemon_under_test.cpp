#include "e2e/daemon_under_test.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace crawler::test {
namespace {

Process::Options on_free_port(std::map<std::string, std::string> environment) {
    environment.emplace("CRAWLER__HTTP__LISTEN", "127.0.0.1:0");
    return {.arguments = {}, .environment = std::move(environment)};
}

}  // namespace

std::string program(const std::string& name) {
    return std::string(CRAWLER_BIN_DIR) + "/" + name;
}

DaemonUnderTest::DaemonUnderTest(const std::string& name, std::map<std::string, std::string> environment)
    : process_(program(name), on_free_port(std::move(environment))) {
    const auto line = process_.wait_for_line("\"service_started\"", std::chrono::seconds{20});
    INFO(name << " wrote: " << process_.out() << process_.err());
    REQUIRE(line);
    const auto at = line->find("\"port\":");
    REQUIRE(at != std::string::npos);
    port_ = static_cast<std::uint16_t>(std::stoi(line->substr(at + 7)));
}

Answer DaemonUnderTest::get(const std::string& path) const {
    const auto answer = http_get(port_, path);
    REQUIRE(answer);
    return *answer;
}

std::optional<double> DaemonUnderTest::metric(const std::string& series) const {
    std::istringstream lines(get("/metrics").body);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind(series, 0) == 0) return std::stod(line.substr(line.rfind(' ')));
    }
    return std::nullopt;
}

bool DaemonUnderTest::wait_for_metric(const std::string& series, double at_least) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (std::chrono::steady_clock::now() < deadline) {
        if (metric(series).value_or(0) >= at_least) return true;
    }
    return false;
}

}  // namespace crawler::test

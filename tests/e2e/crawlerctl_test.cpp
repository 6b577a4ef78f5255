#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "e2e/line_under_test.hpp"

using namespace crawler::test;

namespace {

Finished crawlerctl(std::vector<std::string> arguments) {
    return run_program(program("crawlerctl"), {.arguments = std::move(arguments), .environment = {}});
}

std::string read_file(const std::string& path) {
    std::ifstream in(path);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The names behind "# TYPE".
std::set<std::string> exposed_metrics(const std::string& scrape) {
    std::set<std::string> names;
    std::istringstream lines(scrape);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("# TYPE ", 0) == 0) names.insert(line.substr(7, line.find(' ', 7) - 7));
    }
    return names;
}

}  // namespace

TEST_CASE("crawlerctl: every metric that a daemon exposes is in the catalogue of events") {
    const auto table = crawlerctl({"events"});
    const auto json = crawlerctl({"events", "--json"});
    REQUIRE(table.exit_code == 0);
    REQUIRE(json.exit_code == 0);

    for (const auto& name : daemons) {
        const TempDir folder;
        const DaemonUnderTest daemon(name, alone(folder, name));
        const auto metrics = exposed_metrics(daemon.get("/metrics").body);
        CHECK(metrics.size() > 10);
        for (const auto& metric : metrics) {
            INFO(name << " exposes " << metric);
            CHECK(table.out.find(metric) != std::string::npos);
            CHECK(json.out.find("\"name\":\"" + metric + "\"") != std::string::npos);
        }
    }
}

TEST_CASE("crawlerctl: health shows each loop of a daemon that is ready") {
    const TempDir folder;
    const DaemonUnderTest daemon("product-sync", alone(folder, "product-sync"));

    const auto health = crawlerctl({"health", "127.0.0.1:" + std::to_string(daemon.port()) + "/"});

    CHECK(health.exit_code == 0);
    CHECK(health.out.find("UP") != std::string::npos);
    CHECK(health.out.find("raw_intake") != std::string::npos);
    CHECK(health.out.find("product_outbox") != std::string::npos);
}

TEST_CASE("crawlerctl: health fails where one of several daemons does not answer, and says which and why") {
    const TempDir folder;
    const auto environment = alone(folder, "worker");
    const DaemonUnderTest daemon("worker", environment);
    std::string nobody;
    {
        const DaemonUnderTest gone("worker", environment);
        nobody = "http://127.0.0.1:" + std::to_string(gone.port());
    }

    const auto health = crawlerctl({"health", "http://127.0.0.1:" + std::to_string(daemon.port()), nobody});

    CHECK(health.exit_code == 1);
    CHECK(health.out.find(nobody) != std::string::npos);
    CHECK(health.out.find("refused") != std::string::npos);
}

TEST_CASE("crawlerctl: without a command it shows its help and fails") {
    const auto nothing = crawlerctl({});
    CHECK(nothing.exit_code == 2);
    CHECK(nothing.err.find("health") != std::string::npos);
}

TEST_CASE("crawlerctl: the state diagrams of ARCHITECTURE.md are those that it draws") {
    const auto drawn = crawlerctl({"states", "--mermaid"});
    REQUIRE(drawn.exit_code == 0);
    const auto page = read_file(std::string(CRAWLER_SOURCE_DIR) + "/ARCHITECTURE.md");
    const std::string begin = "<!-- begin: crawlerctl states --mermaid -->\n";
    const auto from = page.find(begin);
    const auto to = page.find("<!-- end -->");
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);

    INFO("paste the output of `crawlerctl states --mermaid` between the two marks");
    CHECK(page.substr(from + begin.size(), to - from - begin.size()) == drawn.out);
}

TEST_CASE("crawlerctl: the state machines are listed as a table and as JSON") {
    const auto table = crawlerctl({"states"});
    const auto json = crawlerctl({"states", "--json"});

    CHECK(table.exit_code == 0);
    CHECK(table.out.find("CrawlerTask  (begins WAITING)") != std::string::npos);
    CHECK(json.exit_code == 0);
    CHECK(json.out.find(R"({"from":"WAITING","verb":"publish","to":"PUBLISHED","when":""})") != std::string::npos);
}

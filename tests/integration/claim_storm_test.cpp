// Many processes claim from one outbox while another fills it and a third deletes what was sent.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "support/databases.hpp"
#include "support/process.hpp"

using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr int claimers = 8;

std::unique_ptr<Process> process(const std::string& role, const std::string& url, const TempDir& folder, int rows) {
    return std::make_unique<Process>(
        CRAWLER_BIN_DIR "/storm", Process::Options{.arguments = {"--database", url, "--folder", folder.path().string(),
                                                                 "--rows", std::to_string(rows), role},
                                                   .environment = {}});
}

void check_end(Process& process) {
    const auto code = process.wait(10min);
    INFO(process.err());
    REQUIRE(code == 0);
}

template <class Place>
void storm(int rows) {
    Place place;
    TempDir folder;
    std::vector<std::unique_ptr<Process>> claiming;
    for (int i = 0; i < claimers; ++i) claiming.push_back(process("claim", place.url(), folder, rows));
    const auto purging = process("purge", place.url(), folder, rows);
    const auto inserting = process("insert", place.url(), folder, rows);

    check_end(*inserting);
    for (auto& claimer : claiming) check_end(*claimer);
    std::ofstream(folder.path() / "sent") << "done\n";
    check_end(*purging);

    std::set<std::string> seen;
    std::size_t claimed = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        if (!file.path().filename().string().starts_with("claimed-")) continue;
        std::ifstream lines(file.path());
        for (std::string id; std::getline(lines, id); ++claimed) seen.insert(id);
    }
    CHECK(claimed == seen.size());                         // none twice
    CHECK(seen.size() == static_cast<std::size_t>(rows));  // none lost
    CHECK(purging->out() == "deleted " + std::to_string(rows) + "\n");
}

}  // namespace

TEST_CASE("claim storm: eight processes on MariaDB share out 20,000 entries, none twice and none lost", "[storm]") {
    storm<MariaDbSchema>(20'000);
}

// By hand, with `make storm`.
TEST_CASE("claim storm: eight processes on MariaDB share out 200,000 entries, none twice and none lost",
          "[.][full-storm]") {
    storm<MariaDbSchema>(200'000);
}

TEST_CASE("claim storm: eight processes on one SQLite file share out 10,000 entries, none twice and none lost",
          "[storm]") {
    storm<SqliteFile>(10'000);
}

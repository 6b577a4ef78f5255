#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <sstream>

#include "e2e/daemon_under_test.hpp"
#include "support/temp_dir.hpp"

using namespace crawler::test;

namespace {

struct Broken {
    std::string what;
    std::string yaml;
    std::string line_and_key;  // as the message begins, after the file
    std::string rule;          // a part of it that must be there
};

const Broken broken_configs[] = {
    {"unknown key", "log:\n  level: info\n  lvl: debug\n", ":3: log.lvl:", "not a known key"},
    {"wrong type", "consumer:\n  max_in_flight: many\n", ":2: consumer.max_in_flight:", "whole number"},
    {"out of range", "consumer:\n  batch: 11\n", ":2: consumer.batch:", "from 1 to 10"},
    {"missing secret", "database:\n  url: mysql://crawler:${NO_SUCH_PASSWORD}@local/crawler\n",
     ":2: database.url:", "NO_SUCH_PASSWORD"},
    {"bad duration", "consumer:\n\n  drain: 20 parsecs\n", ":3: consumer.drain:", "duration"},
    {"duplicate key", "log:\n  level: info\nlog:\n  level: debug\n", ":3: log:", "twice"},
    {"not YAML", "log: [level: info\nconsumer: {\n", ":", "YAML"},
    {"empty", "# nothing but a comment\n", ":1: (document):", "empty"},
    {"bad URL", "marketplace:\n  url: not a url\n", ":2: marketplace.url:", "URL"},
    {"wrong scheme", "marketplace:\n  url: gopher://old\n", ":2: marketplace.url:", "https"},
};

Finished check_config(const std::string& daemon, const std::string& file,
                      std::map<std::string, std::string> environment = {}) {
    return run_program(program(daemon),
                       {.arguments = {"--check-config", "-c", file}, .environment = std::move(environment)});
}

// The printed configuration without the comments that say where each value came from.
std::string values_of(const std::string& yaml) {
    std::istringstream lines(yaml);
    std::string values;
    for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find(" #"));
        values += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return values;
}

}  // namespace

TEST_CASE("config: each broken file stops the start with exit code 2 and names file, line, key and rule") {
    const TempDir folder;
    for (const auto& broken : broken_configs) {
        DYNAMIC_SECTION(broken.what) {
            const auto file = folder.write("worker.yaml", broken.yaml);

            const auto checked = check_config("worker", file);

            INFO(checked.err);
            CHECK(checked.exit_code == 2);
            CHECK(checked.err.find(file + broken.line_and_key) != std::string::npos);
            CHECK(checked.err.find(broken.rule) != std::string::npos);
            CHECK(checked.out.empty());
        }
    }
}

TEST_CASE("config: a file that is not there, or is no file, stops the start and is named") {
    const TempDir folder;
    for (const auto& file : {folder.path() / "missing.yaml", folder.path()}) {
        const auto checked = check_config("worker", file.string());

        INFO(checked.err);
        CHECK(checked.exit_code == 2);
        CHECK(checked.err.find(file.string() + ":1: (document):") != std::string::npos);
    }
}

TEST_CASE("config: all that is wrong is told at once") {
    const TempDir folder;
    const auto file = folder.write("worker.yaml", "consumer:\n  batch: 0\n  drain: soon\nlgo: {}\n");

    const auto checked = check_config("worker", file);

    CHECK(checked.err.find(":2: consumer.batch:") != std::string::npos);
    CHECK(checked.err.find(":3: consumer.drain:") != std::string::npos);
    CHECK(checked.err.find(":4: lgo:") != std::string::npos);
}

TEST_CASE("config: a good file is printed with its secrets masked") {
    const TempDir folder;
    const auto file = folder.write("worker.yaml",
                                   "database:\n  url: mysql://crawler:${DB_PASSWORD}@local/crawler\n"
                                   "consumer:\n  drain: 25s\n");

    const auto checked = check_config("worker", file, {{"DB_PASSWORD", "hunter2"}, {"CRAWLER__CONSUMER__BATCH", "4"}});

    INFO(checked.out << checked.err);
    CHECK(checked.exit_code == 0);
    CHECK(checked.out.find("mysql://****@local") != std::string::npos);
    CHECK(checked.out.find("drain: 25s") != std::string::npos);
    CHECK(checked.out.find("batch: 4") != std::string::npos);
    CHECK((checked.out + checked.err).find("hunter2") == std::string::npos);
}

TEST_CASE("config: the file that ships with each daemon shows every key with its default") {
    for (const auto& name : daemons) {
        DYNAMIC_SECTION(name) {
            const auto shipped = std::string(CRAWLER_SOURCE_DIR) + "/services/" + name + "/" + name + ".yaml";

            const auto checked = check_config(name, shipped);
            const auto defaults = run_program(program(name), {.arguments = {"--check-config"}});

            INFO(checked.out << checked.err);
            CHECK(checked.exit_code == 0);
            CHECK(checked.out.find("# default") == std::string::npos);
            CHECK(values_of(checked.out) == values_of(defaults.out));
        }
    }
}

TEST_CASE("command line: every program explains itself, knows its version and refuses what it does not know") {
    for (const std::string name : {"trigger", "outbox-relay", "worker", "product-sync", "crawlerctl"}) {
        DYNAMIC_SECTION(name) {
            const auto help = run_program(program(name), {.arguments = {"--help"}});
            CHECK(help.exit_code == 0);
            CHECK(help.out.find(name) != std::string::npos);

            const auto version = run_program(program(name), {.arguments = {"--version"}});
            CHECK(version.exit_code == 0);
            CHECK(version.out.find(CRAWLER_VERSION) != std::string::npos);

            const auto unknown = run_program(program(name), {.arguments = {"--no-such-option"}});
            CHECK(unknown.exit_code == 2);
            CHECK(unknown.err.find("no-such-option") != std::string::npos);
        }
    }
}

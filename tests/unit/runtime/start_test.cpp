#include "runtime/start.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "runtime/version.hpp"
#include "support/temp_file.hpp"

using namespace crawler;
using namespace crawler::runtime;
using Catch::Matchers::ContainsSubstring;
using crawler::test::TempFile;

namespace {

struct WorkerConfig {
    int max_in_flight = 16;
    Secret password;
};

WorkerConfig read_config(Node root) {
    WorkerConfig cfg;
    root.read("max_in_flight", cfg.max_in_flight, between(1, 1000));
    root.read("password", cfg.password);
    return cfg;
}

struct Ended {
    int code = -1;
    int seen = 0;  // max_in_flight as run() saw it; 0: it did not run
    std::string out;
    std::string err;
};

Ended started(
    std::vector<std::string> arguments, Environment environment = {}, std::function<int()> body = [] { return 0; }) {
    std::ostringstream out;
    std::ostringstream err;
    Ended ended;
    const auto run = [&](const WorkerConfig& cfg) {
        ended.seen = cfg.max_in_flight;
        return body();
    };
    const Surroundings surroundings{std::move(arguments), std::move(environment), out, err};
    ended.code = start({"worker", "takes crawl tasks"}, surroundings, read_config, run);
    ended.out = out.str();
    ended.err = err.str();
    return ended;
}

}  // namespace

TEST_CASE("start: without arguments the daemon runs on its defaults") {
    const auto ended = started({});

    CHECK(ended.code == 0);
    CHECK(ended.seen == 16);
    CHECK(ended.out.empty());
    CHECK(ended.err.empty());
}

TEST_CASE("start: the file comes by -c or --config, and the environment wins over it") {
    const TempFile file{"max_in_flight: 5\n"};
    const auto path = file.path().string();

    CHECK(started({"-c", path}).seen == 5);
    CHECK(started({"--config", path}).seen == 5);
    CHECK(started({"--config=" + path}).seen == 5);
    CHECK(started({"-c", path}, {{"CRAWLER__MAX_IN_FLIGHT", "6"}}).seen == 6);
}

TEST_CASE("start: the daemon's exit code is the process's") {
    CHECK(started({}, {}, [] { return 7; }).code == 7);
}

TEST_CASE("start: an exception while running is exit code 1 and one line") {
    const auto ended = started({}, {}, []() -> int { throw std::runtime_error("the sky\nfell"); });

    CHECK(ended.code == 1);
    CHECK(ended.err == "worker: failed: the sky fell\n");
}

TEST_CASE("start: an exception of any other type while running is exit code 1 too") {
    const auto ended = started({}, {}, []() -> int { throw 5; });

    CHECK(ended.code == 1);
    CHECK_THAT(ended.err, ContainsSubstring("worker: failed: "));
}

TEST_CASE("start: a step of the start that fails is exit code 2 and says which") {
    const auto ended = started(
        {}, {}, [] { return starting("database", []() -> int { throw std::runtime_error("connection refused"); }); });

    CHECK(ended.code == 2);
    CHECK(ended.err == "worker: database: connection refused\n");
}

TEST_CASE("start: an exception while reading the configuration is exit code 2") {
    std::ostringstream out;
    std::ostringstream err;
    const auto read = [](Node) -> WorkerConfig { throw std::runtime_error("no key file"); };

    const auto code =
        start({"worker", "x"}, Surroundings{{}, {}, out, err}, read, [](const WorkerConfig&) { return 0; });

    CHECK(code == 2);
    CHECK(err.str() == "worker: no key file\n");
}

TEST_CASE("start: a bad configuration is exit code 2, one prefixed line per problem, and nothing runs") {
    const TempFile file{"max_in_flight: many\nnope: 1\n"};
    const auto path = file.path().string();

    for (const auto& arguments : {std::vector<std::string>{"-c", path}, {"-c", path, "--check-config"}}) {
        const auto ended = started(arguments);
        CHECK(ended.code == 2);
        CHECK(ended.seen == 0);
        CHECK(ended.out.empty());
        CHECK(ended.err ==
              "worker: " + path + ":1: max_in_flight: \"many\" is not a whole number; must be from 1 to 1000\n" +
                  "worker: " + path + ":2: nope: is not a known key; must be one of max_in_flight, password\n");
    }
}

TEST_CASE("start: a file that cannot be read is exit code 2") {
    const auto ended = started({"-c", "/nonexistent.yaml"});

    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, ContainsSubstring("worker: /nonexistent.yaml:1: (document): cannot be read: "));
    CHECK(started({"-c", ""}).code == 2);
}

TEST_CASE("start: bad usage is exit code 2 and points to the help") {
    for (const auto& arguments :
         {std::vector<std::string>{"--nope"}, {"stray"}, {"-c"}, {"-c", "a", "-c", "b"}, {"--check-config=7x"}}) {
        CAPTURE(arguments);
        const auto ended = started(arguments);
        CHECK(ended.code == 2);
        CHECK(ended.seen == 0);
        CHECK(ended.out.empty());
        CHECK(ended.err.starts_with("worker: "));
        CHECK(ended.err.ends_with("; see --help\n"));
        CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
    }
}

TEST_CASE("start: --check-config prints the effective values, secrets masked, and does not run") {
    const TempFile file{"max_in_flight: 5\n"};
    const auto path = file.path().string();

    const auto ended = started({"--check-config", "-c", path}, {{"CRAWLER__PASSWORD", "hunter2"}});

    CHECK(ended.code == 0);
    CHECK(ended.seen == 0);
    CHECK(ended.err.empty());
    CHECK(ended.out == "max_in_flight: 5  # " + path + ":1\npassword: \"****\"  # environment CRAWLER__PASSWORD\n");
}

TEST_CASE(
    "start: --help explains options, environment, secrets, signals and exit codes, even beside a bad configuration") {
    for (const auto* flag : {"--help", "-h"}) {
        const auto ended = started({flag}, {{"CRAWLER__NOPE", "1"}});
        CHECK(ended.code == 0);
        CHECK(ended.seen == 0);
        CHECK(ended.err.empty());
        for (const auto* word : {"worker", "takes crawl tasks", "-c,--config FILE", "--check-config", "--version",
                                 "CRAWLER__SECTION__KEY", "${NAME}", "SIGTERM", "Exit codes"}) {
            CHECK_THAT(ended.out, ContainsSubstring(word));
        }
    }
}

TEST_CASE("start: --version prints name and version") {
    const auto ended = started({"--version"});

    CHECK(ended.code == 0);
    CHECK(ended.out == "worker " + std::string(version()) + "\n");
    CHECK(version() != "");
}

TEST_CASE("start: the process's own arguments and environment are taken over") {
    std::string name = "worker";
    std::string flag = "--version";
    char* argv[] = {name.data(), flag.data(), nullptr};

    const auto surroundings = process_surroundings(2, argv);

    CHECK(surroundings.arguments == std::vector<std::string>{"--version"});
    CHECK(surroundings.environment.contains("PATH"));
    CHECK(process_surroundings(0, argv).arguments.empty());
}

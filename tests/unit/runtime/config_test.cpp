#include "runtime/config.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/temp_file.hpp"

using namespace crawler;
using namespace crawler::runtime;
using namespace crawler::runtime::literals;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using crawler::test::TempFile;

namespace {

enum class Engine { redis, ledger };
constexpr auto names(Engine) {
    return std::to_array<EnumName<Engine>>({{Engine::redis, "redis"}, {Engine::ledger, "ledger"}});
}

// One value of every type, in two levels.
struct Sample {
    bool enabled = true;
    int max_in_flight = 16;
    Duration drain = 20s;
    std::chrono::seconds pause = 5s;
    std::size_t max_body = 10 << 20;
    std::string user = "crawler";
    Engine engine = Engine::redis;
    std::string queue_url = "https://queue.example/1";
    std::string database_url = "sqlite:/var/lib/crawler.db";
    Endpoint listen{"127.0.0.1", 8080};
    Secret password;
    std::vector<std::string> hosts{"one"};
};

Sample read_sample(Node root) {
    Sample cfg;
    root.read("enabled", cfg.enabled);
    auto consumer = root.section("consumer");
    consumer.read("max_in_flight", cfg.max_in_flight, between(1, 1000));
    consumer.read("drain", cfg.drain, between(1s, 10min));
    consumer.read("pause", cfg.pause, between(0s, 1h));
    auto http = root.section("http");
    http.read("max_body", cfg.max_body, between(1_KiB, 1_GiB));
    http.read("listen", cfg.listen);
    http.read("hosts", cfg.hosts, non_blank());
    auto store = root.section("store");
    store.read("user", cfg.user, non_blank());
    store.read("password", cfg.password);
    store.read("engine", cfg.engine);
    store.read("queue_url", cfg.queue_url, url({"http", "https"}));
    store.read("database_url", cfg.database_url, url({"mysql", {"sqlite", false}}));
    return cfg;
}

struct Outcome {
    Sample sample;
    std::vector<std::string> problems;  // the folder of the file taken off
    std::string effective;
};

Outcome read_file(std::string_view text, const Environment& environment = {}) {
    const TempFile file{text};
    Configuration configuration{file.path(), environment};
    Outcome outcome{read_sample(configuration.root()), configuration.problems(), configuration.effective()};
    const auto folder = file.folder().string() + "/";
    for (auto& problem : outcome.problems) {
        if (problem.starts_with(folder)) problem.erase(0, folder.size());
    }
    return outcome;
}

Outcome read_environment(const Environment& environment) {
    Configuration configuration{std::nullopt, environment};
    auto sample = read_sample(configuration.root());
    return {std::move(sample), configuration.problems(), configuration.effective()};
}

// The one problem of a file.
std::string problem_of(std::string_view text, const Environment& environment = {}) {
    const auto outcome = read_file(text, environment);
    REQUIRE(outcome.problems.size() == 1);
    return outcome.problems.front();
}

}  // namespace

TEST_CASE("config: without a file and environment the defaults stand") {
    const auto outcome = read_environment({});

    CHECK(outcome.problems.empty());
    CHECK(outcome.sample.max_in_flight == 16);
    CHECK(outcome.sample.hosts == std::vector<std::string>{"one"});
}

TEST_CASE("config: every type is read from the file") {
    const auto good = read_file(R"(
enabled: false
consumer: {max_in_flight: 5, drain: 90s, pause: 2m}
http:
  max_body: 64KiB
  listen: "[::1]:0"
  hosts: [a, "b,c"]
store:
  user: 한글
  password: "s3cret"
  engine: ledger
  queue_url: http://localhost:9324/q
  database_url: mysql://db.example:3306/crawler
)");

    CHECK(good.problems.empty());
    CHECK_FALSE(good.sample.enabled);
    CHECK(good.sample.max_in_flight == 5);
    CHECK(good.sample.drain == 90s);
    CHECK(good.sample.pause == 2min);
    CHECK(good.sample.max_body == 65536);
    CHECK(good.sample.listen == Endpoint{"::1", 0});
    CHECK(good.sample.hosts == std::vector<std::string>{"a", "b,c"});
    CHECK(good.sample.user == "한글");
    CHECK(good.sample.password.reveal() == "s3cret");
    CHECK(good.sample.engine == Engine::ledger);
    CHECK(good.sample.queue_url == "http://localhost:9324/q");
    CHECK(good.sample.database_url == "mysql://db.example:3306/crawler");
}

TEST_CASE("config: durations and sizes know all their units") {
    const auto drain = [](const std::string& text) {
        return read_file("consumer: {drain: " + text + "}").sample.drain;
    };
    CHECK(drain("1500ms") == 1500ms);
    CHECK(drain("1500000us") == 1500ms);
    CHECK(drain("20s") == 20s);
    CHECK(drain("10m") == 10min);

    const auto body = [](const std::string& text) {
        return read_file("http: {max_body: " + text + "}").sample.max_body;
    };
    CHECK(body("2048B") == 2048);
    CHECK(body("3KiB") == 3072);
    CHECK(body("2MiB") == 2097152);
    CHECK(body("1GiB") == 1073741824);
}

TEST_CASE("config: a value of the wrong type is told with file, line, key and rule") {
    CHECK(problem_of("consumer:\n  max_in_flight: many\n") ==
          "worker.yaml:2: consumer.max_in_flight: \"many\" is not a whole number; must be from 1 to 1000");
    CHECK(problem_of("\nenabled: yes\n") ==
          "worker.yaml:2: enabled: \"yes\" is not a truth value; must be true or false");
    CHECK(problem_of("store:\n  engine: memory\n") ==
          "worker.yaml:2: store.engine: \"memory\" is not a known word; must be one of redis, ledger");
    for (const auto* text : {"5.0", "+5", "0x10", "'5 '", "''", "'-'", "1e3"}) {
        CAPTURE(text);
        CHECK_THAT(
            problem_of(std::string("consumer:\n  max_in_flight: ") + text),
            ContainsSubstring("worker.yaml:2: consumer.max_in_flight: ") && ContainsSubstring("not a whole number"));
    }
}

TEST_CASE("config: a number out of its range is told with the range, however long it is") {
    for (const auto* text : {"0", "1001", "-5", "99999999999999999999999"}) {
        CAPTURE(text);
        CHECK(problem_of(std::string("consumer:\n  max_in_flight: ") + text) ==
              "worker.yaml:2: consumer.max_in_flight: \"" + std::string(text) +
                  "\" is out of range; must be from 1 to 1000");
    }
    CHECK(read_file("consumer: {max_in_flight: 1}").problems.empty());
    CHECK(read_file("consumer: {max_in_flight: 1000}").problems.empty());
}

TEST_CASE("config: a bad duration is told with examples and the range") {
    for (const auto* text : {"20", "s", "20 s", "1h30m", "-5s", "1.5s", "20sec", "''"}) {
        CAPTURE(text);
        CHECK_THAT(
            problem_of(std::string("\n\nconsumer:\n  drain: ") + text),
            ContainsSubstring("worker.yaml:4: consumer.drain: ") &&
                ContainsSubstring("is not a duration such as 250ms, 20s, 10m, 2h or 1d; must be from 1s to 10m"));
    }
    for (const auto* text : {"11m", "0s", "1d", "99999999999999999999d", "200000000d"}) {
        CAPTURE(text);
        CHECK_THAT(problem_of(std::string("consumer:\n  drain: ") + text), ContainsSubstring("is out of range"));
    }
    CHECK_THAT(problem_of("consumer:\n  pause: 1500ms"), ContainsSubstring("finer"));
}

TEST_CASE("config: a bad size is told with examples and the range") {
    CHECK(problem_of("http:\n  max_body: 10MB") ==
          "worker.yaml:2: http.max_body: \"10MB\" is not a size such as 512B, 64KiB, 10MiB or 1GiB; must be from 1KiB "
          "to 1GiB");
    CHECK_THAT(problem_of("http:\n  max_body: 9999999999999GiB"), ContainsSubstring("out of range"));
}

TEST_CASE("config: a bad URL is told with the allowed forms") {
    const std::string rule = "; must be a URL like http://host... or https://host...";
    CHECK(problem_of("store:\n  queue_url: not a url") ==
          "worker.yaml:2: store.queue_url: \"not a url\" is not a URL" + rule);
    CHECK(problem_of("store:\n  queue_url: ftp://a/b") ==
          "worker.yaml:2: store.queue_url: \"ftp://a/b\" has another scheme" + rule);
    CHECK(problem_of("store:\n  queue_url: https:///b") ==
          "worker.yaml:2: store.queue_url: \"https:///b\" has no host" + rule);
    for (const auto* text : {"http://a:99999/", "http://a:65536", "http://a:0/", "'http://a:/'"}) {
        CAPTURE(text);
        CHECK_THAT(problem_of(std::string("store:\n  queue_url: ") + text),
                   ContainsSubstring("has an impossible port"));
    }
    CHECK_THAT(problem_of("store:\n  database_url: mysql:crawler"), ContainsSubstring("has no host"));
}

TEST_CASE("config: a bad listen address is told with the form") {
    for (const auto* text :
         {"8080", "localhost:8080", "'::1:80'", "'[::1]'", "127.0.0.1:65536", "'127.0.0.1:'", "':80'", "'[]:80'"}) {
        CAPTURE(text);
        CHECK_THAT(problem_of(std::string("http:\n  listen: ") + text),
                   ContainsSubstring("worker.yaml:2: http.listen: ") &&
                       ContainsSubstring("must be written like 127.0.0.1:8080 or [::1]:8080"));
    }
}

TEST_CASE("config: a section is no value and a value is no section") {
    CHECK(problem_of("consumer: 5") == "worker.yaml:1: consumer: must be a section of keys, not a value or a list");
    CHECK(problem_of("consumer:\n  drain: {a: 1}") ==
          "worker.yaml:2: consumer.drain: must be one value, not a section or a list; must be from 1s to 10m");
    CHECK(problem_of("consumer:\n  drain:\n") == "worker.yaml:2: consumer.drain: has no value; must be from 1s to 10m");
    CHECK_THAT(problem_of("http:\n  hosts: a"), ContainsSubstring("worker.yaml:2: http.hosts: is not a list"));
    CHECK(read_file("consumer:\nenabled: true\n").problems.empty());
}

TEST_CASE("config: each bad item of a list is told with its own line") {
    const auto outcome = read_file("http:\n  hosts:\n    - a\n    - ' '\n    - [x]\n    - ${NOPE}\n");

    REQUIRE(outcome.problems.size() == 3);
    CHECK(outcome.problems[0] == "worker.yaml:4: http.hosts[1]: \" \" is blank; must not be blank");
    CHECK(outcome.problems[1] == "worker.yaml:5: http.hosts[2]: must be one value; must not be blank");
    CHECK_THAT(outcome.problems[2], ContainsSubstring("worker.yaml:6: http.hosts[3]: takes ${NOPE}"));
}

TEST_CASE("config: an unknown key is told with the nearest known one") {
    CHECK(problem_of("consumer:\n  max_inflight: 5") ==
          "worker.yaml:2: consumer.max_inflight: is not a known key; did you mean max_in_flight?");
    CHECK(problem_of("\nconsumr:\n  drain: 5s") ==
          "worker.yaml:2: consumr: is not a known key; did you mean consumer?");
    CHECK(problem_of("consumer:\n  drian: 5s") ==
          "worker.yaml:2: consumer.drian: is not a known key; did you mean drain?");
    CHECK(problem_of("drain: 5s") == "worker.yaml:1: drain: is not a known key here; did you mean consumer.drain?");
    CHECK(problem_of("consumer:\n  zzz: 5s") ==
          "worker.yaml:2: consumer.zzz: is not a known key; must be one of max_in_flight, drain, pause");
}

TEST_CASE("config: a key written twice is told") {
    CHECK_THAT(problem_of("consumer:\n  drain: 5s\n  drain: 6s\n"),
               ContainsSubstring("worker.yaml:3: consumer.drain: is written twice") && ContainsSubstring("line 2"));
}

TEST_CASE("config: a file that holds no document is told alone") {
    CHECK_THAT(problem_of(""), ContainsSubstring("worker.yaml:1: (document): is empty; must hold at least one key"));
    CHECK_THAT(problem_of("a: [1\n", {{"CRAWLER__NOPE", "1"}}), ContainsSubstring(": (document): is not YAML"));
    CHECK_THAT(problem_of("- a\n"), ContainsSubstring("worker.yaml:1: (document): must be a map"));
}

TEST_CASE("config: an unreadable file is told with its name") {
    Configuration missing{"/nonexistent/worker.yaml", {}};
    Configuration directory{"/", {}};

    REQUIRE(missing.problems().size() == 1);
    CHECK_THAT(missing.problems()[0],
               ContainsSubstring("/nonexistent/worker.yaml:1: (document): cannot be read: No such file"));
    REQUIRE(directory.problems().size() == 1);
    CHECK_THAT(directory.problems()[0],
               ContainsSubstring("/:1: (document): cannot be read: is a directory, must be a file"));
}

TEST_CASE("config: all problems are told, in the order of lines, the environment last") {
    const auto outcome = read_file(
        "store:\n  engine: x\n  engin: y\nconsumer:\n  drain: x\n  drain: 1s\nhttp:\n  max_body: ${NOPE}\nenabled: 1\n",
        {{"CRAWLER__CONSUMER__PAUSE", "x"}, {"CRAWLER__NOPE", "1"}});

    REQUIRE(outcome.problems.size() == 8);
    CHECK_THAT(outcome.problems[0], ContainsSubstring("worker.yaml:2: store.engine:"));
    CHECK_THAT(outcome.problems[1], ContainsSubstring("worker.yaml:3: store.engin:"));
    CHECK_THAT(outcome.problems[2], ContainsSubstring("worker.yaml:5: consumer.drain:"));
    CHECK_THAT(outcome.problems[3], ContainsSubstring("worker.yaml:6: consumer.drain:"));
    CHECK_THAT(outcome.problems[4], ContainsSubstring("worker.yaml:8: http.max_body:"));
    CHECK_THAT(outcome.problems[5], ContainsSubstring("worker.yaml:9: enabled:"));
    CHECK_THAT(outcome.problems[6], ContainsSubstring("CRAWLER__CONSUMER__PAUSE: consumer.pause:"));
    CHECK_THAT(outcome.problems[7], ContainsSubstring("CRAWLER__NOPE: nope:"));
}

TEST_CASE("config: a default that breaks the rule makes its key required") {
    const TempFile file{"a:\n  b: 1\ndatabase:\n  pool: 4\n"};
    const auto read = [](Configuration& configuration) {
        int b = 0;
        int pool = 1;
        Secret password;
        configuration.root().section("a").read("b", b, between(0, 9));
        auto database = configuration.root().section("database");
        database.read("pool", pool, between(1, 9));
        database.read("password", password, non_blank());
        return configuration.problems();
    };

    Configuration with_file{file.path(), {}};
    Configuration without_file{std::nullopt, {}};
    Configuration given{std::nullopt, {{"CRAWLER__DATABASE__PASSWORD", "x"}}};

    const std::string what =
        ": database.password: is missing, here and in CRAWLER__DATABASE__PASSWORD; must not be blank";
    CHECK(read(with_file) == std::vector{file.path().string() + ":3" + what});
    CHECK(read(without_file) == std::vector{"(no file)" + what});
    CHECK(read(given).empty());
}

TEST_CASE("config: an empty value passes only where the rule says so") {
    std::string optional_url;
    std::string required_url;
    Configuration configuration{std::nullopt, {}};

    configuration.root().read("optional", optional_url, or_empty(url({"https"})));
    configuration.root().read("required", required_url, url({"https"}));

    REQUIRE(configuration.problems().size() == 1);
    CHECK_THAT(configuration.problems()[0], ContainsSubstring("required: is missing"));
}

TEST_CASE("config: a rule over two values is told at the one it names, unless that is wrong already") {
    const auto problems_of = [](std::string_view text) {
        const TempFile file{text};
        Duration first = 1s;
        Duration longest = 10min;
        Configuration configuration{file.path(), {}};
        auto retry = configuration.root().section("retry");
        retry.read("first_wait", first, between(1ms, 1h));
        retry.read("longest_wait", longest, between(1ms, 24h));
        retry.check("longest_wait", longest >= first, "must not be shorter than first_wait");
        return configuration.problems();
    };

    const auto broken = problems_of("retry:\n  first_wait: 10s\n  longest_wait: 5s\n");
    REQUIRE(broken.size() == 1);
    CHECK_THAT(broken[0], ContainsSubstring("worker.yaml:3: retry.longest_wait: must not be shorter than first_wait"));
    const auto wrong = problems_of("retry:\n  first_wait: 30m\n  longest_wait: soon\n");
    REQUIRE(wrong.size() == 1);
    CHECK_THAT(wrong[0], ContainsSubstring("not a duration"));
    CHECK(problems_of("retry:\n  first_wait: 5s\n  longest_wait: 5s\n").empty());
}

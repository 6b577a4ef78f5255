#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "runtime/config.hpp"
#include "support/temp_file.hpp"

using namespace crawler;
using namespace crawler::runtime;
using namespace crawler::runtime::literals;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using crawler::test::TempFile;

namespace {

struct Store {
    std::string url = "mysql://localhost/crawler";
    Secret password;
    int port = 3306;
    std::string note;
    std::vector<std::string> hosts;
    std::vector<Secret> keys;
    Duration wait = 1500ms;
    std::size_t buffer = 65536;
    Endpoint listen{"::1", 80};
};

Store read_store(Node root) {
    Store cfg;
    auto store = root.section("store");
    store.read("url", cfg.url, url({"mysql"}));
    store.read("password", cfg.password);
    store.read("port", cfg.port, between(1, 65535));
    store.read("note", cfg.note);
    store.read("hosts", cfg.hosts);
    store.read("keys", cfg.keys, non_blank());
    auto limits = store.section("limits");
    limits.read("wait", cfg.wait, between(0s, 1h));
    limits.read("buffer", cfg.buffer, between(0_B, 1_GiB));
    root.read("listen", cfg.listen);
    return cfg;
}

struct Outcome {
    Store store;
    std::string problems;  // one per line
    std::string effective;
};

Outcome read(std::string_view text, const Environment& environment) {
    const TempFile file{text};
    Configuration configuration{text.empty() ? std::nullopt : std::optional{file.path()}, environment};
    Outcome outcome{.store = read_store(configuration.root()), .effective = configuration.effective()};
    for (const auto& problem : configuration.problems()) outcome.problems += problem + "\n";
    return outcome;
}

}  // namespace

TEST_CASE("environment: a variable overrides the file at any depth, also without a file") {
    const Environment environment{{"CRAWLER__STORE__PORT", "5"}, {"CRAWLER__STORE__LIMITS__WAIT", "2s"}};

    for (const auto* text : {"store:\n  port: 7\n", ""}) {
        CAPTURE(text);
        const auto outcome = read(text, environment);
        CHECK(outcome.problems.empty());
        CHECK(outcome.store.port == 5);
        CHECK(outcome.store.wait == 2s);
    }
}

TEST_CASE("environment: an override heals a bad value of the file") {
    const auto outcome =
        read("store:\n  port: many\n  hosts: x\n", {{"CRAWLER__STORE__PORT", "5"}, {"CRAWLER__STORE__HOSTS", "a"}});

    CHECK(outcome.problems.empty());
    CHECK(outcome.store.port == 5);
}

TEST_CASE("environment: a bad override is told with the name of the variable") {
    const auto outcome = read("store:\n  port: 7\n", {{"CRAWLER__STORE__PORT", "many"}});

    CHECK(outcome.problems ==
          "CRAWLER__STORE__PORT: store.port: \"many\" is not a whole number; must be from 1 to 65535\n");
}

TEST_CASE("environment: an override of no key is told, with the nearest one") {
    CHECK(read("", {{"CRAWLER__STORE__PROT", "5"}}).problems ==
          "CRAWLER__STORE__PROT: store.prot: is not a known key; did you mean CRAWLER__STORE__PORT?\n");
    CHECK_THAT(read("", {{"CRAWLER__STORE", "x"}}).problems,
               ContainsSubstring("CRAWLER__STORE: store: is not a known key"));
    CHECK_THAT(read("", {{"CRAWLER__store__port", "5"}}).problems, ContainsSubstring("is not a known key"));
    CHECK_THAT(read("", {{"CRAWLER__", "5"}}).problems, ContainsSubstring("CRAWLER__: (document): is not a known key"));
}

TEST_CASE("environment: the variables that Kubernetes sets for a service do not disturb") {
    const auto outcome = read("", {{"CRAWLER_SERVICE_HOST", "10.0.0.1"},
                                   {"CRAWLER_PORT_8080_TCP", "tcp://10.0.0.1:8080"},
                                   {"CRAWLER_STORE_PORT", "5"},
                                   {"CRAWLER", "x"},
                                   {"PATH", "/bin"}});

    CHECK(outcome.problems.empty());
    CHECK(outcome.store.port == 3306);
}

TEST_CASE("environment: a list is overridden by items between commas") {
    CHECK(read("", {{"CRAWLER__STORE__HOSTS", "a, b ,c"}}).store.hosts == std::vector<std::string>{"a", "b", "c"});
    CHECK(read("store:\n  hosts: [x]\n", {{"CRAWLER__STORE__HOSTS", ""}}).store.hosts.empty());
}

TEST_CASE("environment: ${NAME} is replaced anywhere in a value, as often as it stands there") {
    const auto outcome = read(
        "store:\n  url: mysql://${USER}:${PASS}@${HOST}/db\n  note: a${EMPTY}b\n  port: ${PORT}\n  hosts: "
        "[\"${HOST}\"]\n",
        {{"USER", "u"}, {"PASS", "p"}, {"HOST", "h"}, {"EMPTY", ""}, {"PORT", "9"}});

    CHECK(outcome.problems.empty());
    CHECK(outcome.store.url == "mysql://u:p@h/db");
    CHECK(outcome.store.note == "ab");
    CHECK(outcome.store.port == 9);
    CHECK(outcome.store.hosts == std::vector<std::string>{"h"});
}

TEST_CASE("environment: $${ stands for a plain ${, and what was inserted is not expanded again") {
    const auto outcome = read("store:\n  note: $${X} ${Y} $5 {}\n", {{"X", "never"}, {"Y", "${X}"}});

    CHECK(outcome.problems.empty());
    CHECK(outcome.store.note == "${X} ${X} $5 {}");
}

TEST_CASE("environment: every missing ${NAME} is told by its name") {
    const auto outcome = read("store:\n  url: mysql://${DB_USER}:${DB_PASS}@h\n  password: ${TOKEN}\n", {});

    CHECK_THAT(
        outcome.problems,
        ContainsSubstring("worker.yaml:2: store.url: takes ${DB_USER} from the environment, where it is not set") &&
            ContainsSubstring("worker.yaml:2: store.url: takes ${DB_PASS} ") &&
            ContainsSubstring("worker.yaml:3: store.password: takes ${TOKEN} "));
}

TEST_CASE("environment: a ${ that is no ${NAME} is told without the text around it") {
    for (const auto* text : {"'hunter2${'", "'hunter2${}'", "'hunter2${A B}'", "'hunter2${1A}'"}) {
        CAPTURE(text);
        const auto outcome = read(std::string("store:\n  password: ") + text, {});
        CHECK_THAT(outcome.problems,
                   ContainsSubstring("store.password: has a ${ that is no ${NAME}; must be written $${") &&
                       !ContainsSubstring("hunter2"));
    }
}

TEST_CASE("masking: what came from ${} and what is a Secret shows nowhere") {
    const Environment environment{{"PASS", "hunter2"}, {"CRAWLER__STORE__KEYS", "hunter2a,hunter2b"}};

    const auto outcome =
        read("store:\n  url: mysql://u:${PASS}@h/db\n  password: hunter2\n  note: a-${PASS}-b\n", environment);

    CHECK(outcome.problems.empty());
    CHECK(outcome.store.password.reveal() == "hunter2");
    CHECK_THAT(outcome.effective, !ContainsSubstring("hunter2"));
    CHECK_THAT(outcome.effective, ContainsSubstring("url: \"mysql://****@h/db\"") &&
                                      ContainsSubstring("password: \"****\"") &&
                                      ContainsSubstring("note: \"a-****-b\"") && ContainsSubstring("- \"****\""));
}

TEST_CASE("masking: errors quote no secret, whatever is wrong with it") {
    const Environment environment{{"PASS", "hunter2"}, {"CRAWLER__STORE__KEYS", "hunter2, "}};
    for (const auto* text : {
             "store:\n  port: ${PASS}\n",
             "store:\n  port: 1${PASS}\n",
             "store:\n  url: ${PASS}\n",
             "store:\n  url: ftp://u:hunter2@h\n",
             "store:\n  url: admin:hunter2@h\n",
             "store:\n  url: admin:hunter2/x@h\n",
             "%YAML hunter2\n---\nstore: {}\n",
             "store:\n  url: \"mysql://u:hunter2 @h@h\"\n",
             "store:\n  url: \"u:hunter2@h //x\"\n",
             "store:\n  password: {hunter2: hunter2}\n",
             "store:\n  password: [hunter2]\n",
             "store:\n  passwort: hunter2\n",
             "store: {password:hunter2}\n",
             "store:\n  password: *hunter2\n",
             "store:\n  password: \"\\hunter2\"\n",
             "store:\n  password: hunter2: x\n",
             "store: hunter2\n",
             "listen: ${PASS}\nstore:\n  limits: {wait: \"${PASS}\", buffer: \"${PASS}\"}\n",
         }) {
        CAPTURE(text);
        const auto outcome = read(text, environment);
        CHECK_FALSE(outcome.problems.empty());
        CHECK_THAT(outcome.problems + outcome.effective, !ContainsSubstring("hunter2"));
    }
}

TEST_CASE("masking: a URL without a password shows whole, also with an @ in its path") {
    CHECK_THAT(read("store:\n  url: mysql://h:1/a@b?x=y@z\n", {}).effective,
               ContainsSubstring("\"mysql://h:1/a@b?x=y@z\""));
}

TEST_CASE("masking: a message stays on one line and is not endless") {
    const auto outcome = read("store:\n  port: \"a\\nb\\x1b" + std::string(10'000, 'x') + "\"\n", {});

    CHECK(std::count(outcome.problems.begin(), outcome.problems.end(), '\n') == 1);
    CHECK(outcome.problems.size() < 400);
    CHECK(outcome.problems.find('\x1b') == std::string::npos);
}

TEST_CASE("printout: values stand in the order of reading, each with its origin") {
    const TempFile file{"listen: 127.0.0.1:1\nstore:\n  port: 7\n  hosts: [a, b]\n"};
    Configuration configuration{file.path(), {{"CRAWLER__STORE__NOTE", "hi"}}};

    read_store(configuration.root());

    const auto name = file.path().string();
    CHECK(configuration.effective() ==
          "store:\n"
          "  url: \"mysql://localhost/crawler\"  # default\n"
          "  password: \"\"  # default\n"
          "  port: 7  # " +
              name +
              ":3\n"
              "  note: hi  # environment CRAWLER__STORE__NOTE\n"
              "  hosts:  # " +
              name +
              ":4\n"
              "    - a\n"
              "    - b\n"
              "  keys: []  # default\n"
              "  limits:\n"
              "    wait: 1500ms  # default\n"
              "    buffer: 64KiB  # default\n"
              "listen: \"127.0.0.1:1\"  # " +
              name + ":1\n");
}

TEST_CASE("printout: it reads back to the same values") {
    const auto first = read("", {{"CRAWLER__STORE__HOSTS", "a b,null,#"}, {"CRAWLER__STORE__LIMITS__BUFFER", "1025B"}});

    const auto again = read(first.effective, {});

    CHECK(again.problems.empty());
    CHECK(again.store.url == first.store.url);
    CHECK(again.store.port == first.store.port);
    CHECK(again.store.hosts == first.store.hosts);
    CHECK(again.store.wait == first.store.wait);
    CHECK(again.store.buffer == 1025);
    CHECK(again.store.listen == first.store.listen);
}

TEST_CASE("printout: a text reads back as it was, whatever YAML or the expansion would make of it") {
    for (const std::string text :
         {"null", "~", "", " ", "${X} $${Y}", "a: b # c", "- x", "\"q\" \\ '", "1\n\t2\x7f", "한글 é", "yes", "1"}) {
        CAPTURE(text);
        Store store{.note = text, .hosts = {text, "x"}};
        Configuration configuration{std::nullopt, {}};
        configuration.root().section("store").read("note", store.note);
        configuration.root().section("store").read("hosts", store.hosts);

        const auto again = read(configuration.effective(), {});

        CHECK(again.problems.empty());
        CHECK(again.store.note == text);
        CHECK(again.store.hosts == std::vector<std::string>{text, "x"});
    }
}

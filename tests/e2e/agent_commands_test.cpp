// crawlerctl agents and audit, on a SQLite database of the test's own.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "e2e/daemon_under_test.hpp"
#include "support/databases.hpp"

using namespace crawler::test;

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

struct AgentsUnderTest {
    SqliteFile database;
    TempDir dir;

    Finished run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) const {
        arguments.insert(arguments.end(), {"--database", database.url()});
        return run_program(program("crawlerctl"),
                           {.arguments = std::move(arguments), .environment = std::move(environment)});
    }
    void execute(const std::string& statement) const { execute_sql(database.url(), statement); }
    void enroll_one() const {
        const auto file = dir.write("one.txt", "# one\n\nMozilla/5.0 (the only one)\n");
        REQUIRE(run({"agents", "import", file}).out == "1 added\n");
        execute("UPDATE user_agents SET id = 'ua-1'");
    }
    // A request so many seconds after the beginning of time, answered at once.
    void request(int second, const std::string& identity = "ua-1") const {
        const auto at = std::to_string(second) + "000000";
        execute(
            "INSERT INTO request_ledger (reservation, identity_id, reserved_at, lease_end, answered_at, outcome) "
            "VALUES ('r-" +
            identity + at + "', '" + identity + "', " + at + ", " + at + " + 60000000, " + at + ", 'SUCCEEDED')");
    }
};

// As far back as requests of 1970.
const std::vector<std::string> audit{"audit", "rate", "--since", "99999d"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST_CASE("crawlerctl agents import: the built-in fifty, once") {
    const AgentsUnderTest agents;

    CHECK(agents.run({"agents", "import"}).out == "50 added\n");
    CHECK(agents.run({"agents", "import", "--builtin"}).out == "0 added\n");

    const auto list = agents.run({"agents", "list"});
    CHECK(list.exit_code == 0);
    CHECK(std::ranges::count(list.out, '\n') == 51);
    CHECK(says(list.out, "AVAILABLE  100"));
}

TEST_CASE("crawlerctl agents import: a file with a bad line adds nobody") {
    const AgentsUnderTest agents;
    const auto bad = agents.dir.write("bad.txt", "Mozilla/5.0\nMozilla/\x01\n");

    const auto refused = agents.run({"agents", "import", bad});

    CHECK(refused.exit_code == 2);
    CHECK(says(refused.err, "must be printable ASCII"));
    CHECK(agents.run({"agents", "list", "--json"}).out == "[]\n");
}

TEST_CASE("crawlerctl agents: an administrator blocks, unblocks and is told what cannot be") {
    const AgentsUnderTest agents;
    agents.enroll_one();

    CHECK(agents.run({"agents", "block", "ua-1"}).out == "ua-1 is BLOCKED\n");
    CHECK(says(agents.run({"agents", "list", "--json"}).out, R"("status":"BLOCKED")"));
    CHECK(agents.run({"agents", "unblock", "ua-1"}).out == "ua-1 is AVAILABLE\n");
    const auto refused = agents.run({"agents", "recover", "ua-1", "nobody"});
    CHECK(refused.exit_code == 1);
    CHECK(says(refused.err, "ua-1 is AVAILABLE; cannot recover it"));
    CHECK(says(refused.err, "there is no identity nobody"));
    CHECK(agents.run({"db", "check"}).exit_code == 0);
}

TEST_CASE("crawlerctl agents rotate-keys: without good keys it says what is wrong") {
    const AgentsUnderTest agents;

    CHECK(says(agents.run({"agents", "rotate-keys"}).err, "CRAWLER_TOKEN_KEYS: token keys: there are none"));
    CHECK(agents.run({"agents", "rotate-keys"}).exit_code == 2);
    const auto done = agents.run({"agents", "rotate-keys"},
                                 {{"CRAWLER_TOKEN_KEYS", "k1:YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="}});
    CHECK(done.exit_code == 0);
    CHECK(done.out == "0 sealed anew with k1, 0 were already, 0 cannot be read with any of these keys\n");
}

TEST_CASE("crawlerctl audit rate: proves that the limit was kept, or says where it was not") {
    const AgentsUnderTest agents;
    for (const int second : {0, 20, 40, 60}) agents.request(second);
    const auto limit = with(audit, {"--window", "1m", "--limit", "3"});

    const auto kept = agents.run(limit);
    CHECK(kept.exit_code == 0);
    CHECK(says(kept.out, "KEPT"));
    CHECK(says(kept.out, "proven for 1 of 1 identities, 0 unproven, 0 broken for certain"));

    agents.request(41);
    const auto broken = agents.run(with(limit, {"--json"}));
    CHECK(broken.exit_code == 1);
    CHECK(says(broken.out, R"("verdict":"BROKEN")"));
    CHECK(says(broken.out, R"("mostCertain":4)"));
    CHECK(agents.run(with(limit, {"--spacing", "2s"})).exit_code == 1);
}

TEST_CASE("crawlerctl audit rate: what is not said on the command line is as the daemons' configuration has it") {
    const AgentsUnderTest agents;
    for (const int second : {0, 20, 40, 41}) agents.request(second);
    const auto file =
        agents.dir.write("worker.yaml", "database: {url: \"" + agents.database.url() +
                                            "\"}\npool: {limit: 3, window: 1m, token_keys: \"${NOBODY_KNOWS}\"}\n");
    const auto audited = [&](std::vector<std::string> more) {
        return run_program(program("crawlerctl"), {.arguments = with(with(audit, {"-c", file}), std::move(more))});
    };

    CHECK(audited({}).exit_code == 1);
    CHECK(audited({"--limit", "4"}).exit_code == 0);
    CHECK(agents.run(audit).exit_code == 0);
    CHECK(agents.run(audit, {{"CRAWLER__POOL__SPACING", "2s"}}).exit_code == 1);
}

TEST_CASE("crawlerctl audit rate: a span that is none is refused by name") {
    const AgentsUnderTest agents;

    const auto refused = agents.run({"audit", "rate", "--window", "an hour"});

    CHECK(refused.exit_code == 2);
    CHECK(says(refused.err, "--window is 'an hour'"));
}

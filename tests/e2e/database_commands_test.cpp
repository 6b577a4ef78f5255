// crawlerctl on a SQLite database of the test's own.
#include <catch2/catch_test_macros.hpp>

#include "e2e/daemon_under_test.hpp"
#include "support/databases.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

struct DatabaseUnderTest {
    TempDir dir;
    std::string url = "sqlite:" + (dir.path() / "crawler.db").string();

    Finished run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--database", url});
        return crawlerctl(std::move(arguments));
    }
    static Finished crawlerctl(std::vector<std::string> arguments,
                               std::map<std::string, std::string> environment = {}) {
        return run_program(program("crawlerctl"),
                           {.arguments = std::move(arguments), .environment = std::move(environment)});
    }
    bool exists() const { return std::filesystem::exists(dir.path() / "crawler.db"); }
};

// With a health that none can have.
std::string insert_identity(const std::string& id) {
    return "INSERT INTO user_agents (id, user_agent_string, status, health, throttled, token_failures, created_at, "
           "updated_at, "
           "revision, illness, wakes_at, session_at) VALUES ('" +
           id + "', '" + id + "', 'AVAILABLE', 101, 0, 0, 1, 1, 0, -1, 1, 1)";
}

}  // namespace

TEST_CASE("crawlerctl migrate: tells each statement, and finds nothing to do the next time") {
    const DatabaseUnderTest database;

    const auto first = database.run({"migrate"});
    const auto second = database.run({"migrate"});

    CHECK(first.exit_code == 0);
    CHECK(says(first.out, "0001_init: statement 1 of "));
    CHECK(says(first.out, "0001_init: applied\n"));
    CHECK(second.exit_code == 0);
    CHECK(says(second.out, "the schema has version "));
    CHECK_FALSE(says(second.out, "statement"));
}

TEST_CASE("crawlerctl migrate --status: lists the migrations, and fails while one is missing") {
    const DatabaseUnderTest database;

    const auto before = database.run({"migrate", "--status"});
    CHECK(before.exit_code == 1);
    CHECK(says(before.out, "0001_init"));
    CHECK(says(before.out, "missing"));
    CHECK_FALSE(database.exists());

    REQUIRE(database.run({"migrate"}).exit_code == 0);
    const auto after = database.run({"migrate", "--status"});
    CHECK(after.exit_code == 0);
    CHECK(says(after.out, "applied  "));
    CHECK_FALSE(says(after.out, "missing"));
}

TEST_CASE("crawlerctl migrate --dry-run: prints the statements and changes nothing") {
    const DatabaseUnderTest database;

    const auto before = database.run({"migrate", "--dry-run"});
    CHECK(before.exit_code == 0);
    CHECK(says(before.out, "CREATE TABLE IF NOT EXISTS sellers ("));
    CHECK_FALSE(database.exists());

    REQUIRE(database.run({"migrate"}).exit_code == 0);
    CHECK(database.run({"migrate", "--dry-run"}).out == "-- nothing to do\n");
}

TEST_CASE("crawlerctl migrate: the database may be that of a daemon's configuration, or of the environment") {
    const DatabaseUnderTest database;
    const auto file =
        database.dir.write("worker.yaml", "log:\n  level: info\ndatabase:\n  url: " + database.url + "\n");

    CHECK(DatabaseUnderTest::crawlerctl({"migrate", "-c", file}).exit_code == 0);
    CHECK(database.exists());

    const auto checked = DatabaseUnderTest::crawlerctl(
        {"db", "check"}, {{"CRAWLER__DATABASE__URL", database.url}, {"CRAWLER__LOG__LEVEL", "info"}});
    CHECK(checked.exit_code == 0);
}

TEST_CASE("crawlerctl migrate: what is wrong with the database is one clear line and exit code 2") {
    const auto none = DatabaseUnderTest::crawlerctl({"migrate"});
    CHECK(none.exit_code == 2);
    CHECK(says(none.err, "crawlerctl: no database: give --database URL"));

    const auto memory = DatabaseUnderTest::crawlerctl({"migrate", "--database", "memory://local"});
    CHECK(memory.exit_code == 2);
    CHECK(says(memory.err, "must begin with mysql:// or sqlite:"));

    const auto folder = DatabaseUnderTest::crawlerctl({"migrate", "--database", "sqlite:/nowhere/crawler.db"});
    CHECK(folder.exit_code == 2);
    CHECK(says(folder.err, "cannot open /nowhere/crawler.db"));

    const auto server =
        DatabaseUnderTest::crawlerctl({"db", "check", "--database", "mysql://u:secret@localhost/x?unix_socket=/none"});
    CHECK(server.exit_code == 2);
    CHECK(says(server.err, "no connection"));
    CHECK_FALSE(says(server.err, "secret"));
    for (const auto& failed : {none, memory, folder, server}) CHECK(std::ranges::count(failed.err, '\n') == 1);
}

TEST_CASE("crawlerctl db check: a database without a schema is told to be migrated first") {
    const DatabaseUnderTest database;

    const auto check = database.run({"db", "check"});

    CHECK(check.exit_code == 2);
    CHECK(says(check.err, "run `crawlerctl migrate` first"));
}

TEST_CASE("crawlerctl db check: says that there is no violation, or which row breaks which rule") {
    const DatabaseUnderTest database;
    REQUIRE(database.run({"migrate"}).exit_code == 0);

    const auto good = database.run({"db", "check"});
    CHECK(good.exit_code == 0);
    CHECK(says(good.out, "no violation of "));

    execute_sql(database.url, insert_identity("ua-1"));
    const auto bad = database.run({"db", "check"});
    CHECK(bad.exit_code == 1);
    CHECK(says(bad.out,
               "identity_health_out_of_range: user_agents ua-1 has a health that is not between 0 and 100 (health is "
               "101)\n"));
    CHECK(says(bad.out, "1 violation, of 1 of "));

    const auto json = database.run({"db", "check", "--json"});
    CHECK(json.exit_code == 1);
    CHECK(says(json.out, R"("rule":"identity_health_out_of_range","row":"user_agents ua-1")"));
}

TEST_CASE("crawlerctl db check: says where it stopped to print") {
    const DatabaseUnderTest database;
    REQUIRE(database.run({"migrate"}).exit_code == 0);
    for (const std::string id : {"ua-1", "ua-2"}) execute_sql(database.url, insert_identity(id));

    const auto check = database.run({"db", "check", "--most", "1"});

    CHECK(says(check.out, "1 violation, of 1 of "));
    CHECK(says(check.out, "there may be more of identity_health_out_of_range"));
}

TEST_CASE("crawlerctl db rules: lists what is checked, without a database") {
    const auto rules = DatabaseUnderTest::crawlerctl({"db", "rules"});

    CHECK(rules.exit_code == 0);
    CHECK(says(rules.out, "run_counters_wrong"));
    CHECK(
        says(DatabaseUnderTest::crawlerctl({"db", "rules", "--json"}).out, R"({"name":"task_unpublished","meaning":)"));
}

TEST_CASE("crawlerctl: every command that works on the database explains itself") {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"migrate"},
                                                    {"db"},
                                                    {"db", "check"},
                                                    {"db", "rules"},
                                                    {"queue"},
                                                    {"queue", "stats"},
                                                    {"queue", "peek"},
                                                    {"queue", "redrive"},
                                                    {"queue", "purge"}}) {
        auto arguments = command;
        arguments.push_back("--help");
        const auto help = DatabaseUnderTest::crawlerctl(arguments);
        CHECK(help.exit_code == 0);
        CHECK(says(help.out, "--help"));
    }
    CHECK(DatabaseUnderTest::crawlerctl({"db"}).exit_code == 2);
    CHECK(DatabaseUnderTest::crawlerctl({"migrate", "--dry-run", "--status"}).exit_code == 2);
}

TEST_CASE("database: no daemon starts on a schema that is older than it needs, and each says in one line what to do") {
    const DatabaseUnderTest database;
    for (const auto& name : daemons) {
        INFO(name);
        const auto refused = run_program(program(name), {.environment = {{"CRAWLER__DATABASE__URL", database.url},
                                                                         {"CRAWLER__HTTP__LISTEN", "127.0.0.1:0"}}});

        CHECK(refused.exit_code == 2);
        const auto needed = adapters::migration_status({.url = database.url}).back().version;
        CHECK(refused.err == name + ": database: the database has schema version 0, this program needs " +
                                 std::to_string(needed) + ": run `crawlerctl migrate` first\n");
    }
}

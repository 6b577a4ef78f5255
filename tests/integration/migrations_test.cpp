// Migrations on real databases: from nothing, again, at once, cut off, and when they do not fit.
#include <soci/soci.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_template_test_macros.hpp>
#include <numeric>
#include <set>
#include <thread>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/migrator.hpp"
#include "support/clocks.hpp"
#include "support/databases.hpp"

using namespace crawler;
using namespace crawler::test;
using adapters::DatabaseConfig;
using adapters::sql::Session;

namespace {

void quietly(int, std::string_view, std::size_t, std::size_t) {}

// A database of its own without any table; it leaves none behind, for whoever gets it next.
template <class Place>
class EmptyDatabase {
  public:
    EmptyDatabase() { drop_tables(); }
    ~EmptyDatabase() { drop_tables(); }
    EmptyDatabase(const EmptyDatabase&) = delete;
    EmptyDatabase& operator=(const EmptyDatabase&) = delete;

    DatabaseConfig config() const { return {.url = place_.url(), .min_connections = 1, .max_connections = 2}; }
    void migrate() const { adapters::migrate(config(), ManualClock(), quietly); }

    template <class Work>
    auto in_session(Work work) const {
        const auto dialect = adapters::sql::make_dialect(config());
        const auto connection = dialect->connect();
        Session session(*connection, *dialect, nothing_);
        return work(session);
    }
    // "table.column", all there are.
    std::vector<std::string> columns() const {
        return in_session([](Session& session) {
            std::vector<std::string> names;
            for (auto& row : session.select({session.dialect().list_columns()}, "")) names.push_back(row.text());
            std::ranges::sort(names);  // the dialects order underscores differently
            return names;
        });
    }
    // What a statement with one column of text answers, sorted.
    std::vector<std::string> lines_of(std::string_view statement) const {
        return in_session([&](Session& session) {
            std::vector<std::string> lines;
            for (auto& row : session.select({statement}, "")) lines.push_back(row.text());
            std::ranges::sort(lines);
            return lines;
        });
    }
    void drop_tables() const {
        std::set<std::string> tables;
        for (const auto& column : columns()) tables.insert(column.substr(0, column.find('.')));
        in_session([&](Session& session) {
            for (const auto& table : tables) session.execute("DROP TABLE " + table);
        });
    }
    void execute(const std::string& statement) const {
        in_session([&](Session& session) { session.execute(statement); });
    }

  private:
    Place place_;
    Session::Probe nothing_;
};

// Lines "table.column NOT NULL" and "table key 1 column", the first of a key, with UNIQUE where it is.
constexpr std::string_view mysql_structure =
    "line FROM (SELECT CONCAT(table_name, '.', column_name, ' NOT NULL') AS line FROM information_schema.columns "
    "WHERE table_schema = DATABASE() AND is_nullable = 'NO' UNION ALL SELECT CONCAT(table_name, ' ', index_name, ' ', "
    "seq_in_index, ' ', column_name, IF(non_unique OR index_name = 'PRIMARY', '', ' UNIQUE')) "
    "FROM information_schema.statistics WHERE table_schema = DATABASE()) structure";
constexpr std::string_view sqlite_structure =
    "line FROM (WITH owners AS (SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%') "
    "SELECT o.name || '.' || c.name || ' NOT NULL' AS line FROM owners o JOIN pragma_table_info(o.name) c "
    "WHERE c.\"notnull\" = 1 UNION ALL "
    "SELECT o.name || ' PRIMARY ' || c.pk || ' ' || c.name FROM owners o JOIN pragma_table_info(o.name) c "
    "WHERE c.pk > 0 UNION ALL "
    "SELECT o.name || ' ' || i.name || ' ' || (k.seqno + 1) || ' ' || k.name || CASE WHEN i.\"unique\" THEN ' UNIQUE' "
    "ELSE '' END FROM owners o JOIN pragma_index_list(o.name) i JOIN pragma_index_info(i.name) k "
    "WHERE i.origin <> 'pk') structure";

using Places = std::tuple<SqliteFile, MariaDbSchema>;

std::string refusal_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

struct CutOff : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Migrates until it would note the n-th statement as done; false where it came to its end before.
template <class Place>
bool migrate_until_note(const EmptyDatabase<Place>& database, int n) {
    auto config = database.config();
    config.before_statement = [left = n](std::string_view statement) mutable {
        if (statement.starts_with("UPDATE schema_migrations SET statements_done") && --left == 0)
            throw CutOff("cut off on purpose");
    };
    try {
        adapters::migrate(config, ManualClock(), quietly);
    } catch (const CutOff&) {
        return true;
    }
    return false;
}

}  // namespace

TEST_CASE("migrations: both dialects come to the same tables and columns", "[integration][migrations]") {
    const EmptyDatabase<SqliteFile> sqlite;
    const EmptyDatabase<MariaDbSchema> mariadb;
    sqlite.migrate();
    mariadb.migrate();

    CHECK(sqlite.columns().size() > 100);
    CHECK(sqlite.columns() == mariadb.columns());
}

TEST_CASE("migrations: both dialects come to the same primary keys, indexes and columns that may be null",
          "[integration][migrations]") {
    const EmptyDatabase<SqliteFile> sqlite;
    const EmptyDatabase<MariaDbSchema> mariadb;
    sqlite.migrate();
    mariadb.migrate();

    const auto of_sqlite = sqlite.lines_of(sqlite_structure);
    for (const std::string line :
         {"product_raw_data PRIMARY 2 kind", "crawled_raw.status NOT NULL", "crawled_raw raw_line 3 id",
          "user_agents user_agents_by_string 1 user_agent_string UNIQUE"}) {
        INFO(line);
        CHECK(std::ranges::count(of_sqlite, line) == 1);
    }
    CHECK(of_sqlite == mariadb.lines_of(mysql_structure));
}

TEST_CASE("migrations: who waits for another migrator waits longer than a daemon would for an answer",
          "[integration][migrations]") {
    const EmptyDatabase<MariaDbSchema> database;
    auto config = database.config();
    config.read_timeout = std::chrono::seconds{1};
    const auto dialect = adapters::sql::make_dialect(database.config());
    const auto other = dialect->connect();
    dialect->lock_migrations(*other);
    const auto waits_since = [&] {
        long long milliseconds = -1;
        soci::indicator there = soci::i_null;
        *other << "SELECT CAST(MAX(time_ms) AS SIGNED) FROM information_schema.processlist WHERE db = DATABASE() AND "
                  "info LIKE "
                  "'%GET_LOCK(CONCAT(''crawler-migrate/'', MD5(DATABASE()))%' AND id <> CONNECTION_ID()",
            soci::into(milliseconds, there);
        return milliseconds;
    };

    std::atomic<bool> ended = false;
    std::string refusal;
    {
        std::jthread migrator([&] {
            refusal = refusal_of([&] { adapters::migrate(config, ManualClock(), quietly); });
            ended = true;
        });
        while (!ended && waits_since() < 1500) std::this_thread::yield();
        CHECK_FALSE(ended);
        dialect->unlock_migrations(*other);
    }

    CHECK(refusal == "none");
    CHECK(adapters::migration_status(database.config()).back().applied_at);
}

TEST_CASE("migrations: both dialects have the same versions with the same names", "[integration][migrations]") {
    const auto mysql = adapters::sql::migrations_for("mysql");
    const auto sqlite = adapters::sql::migrations_for("sqlite");

    REQUIRE(mysql.size() == sqlite.size());
    for (std::size_t i = 0; i < mysql.size(); ++i) {
        CHECK(mysql[i].version == static_cast<int>(i) + 1);
        CHECK(mysql[i].version == sqlite[i].version);
        CHECK(mysql[i].name == sqlite[i].name);
    }
}

TEMPLATE_LIST_TEST_CASE("migrations: a second time changes nothing", "[integration][migrations]", Places) {
    const EmptyDatabase<TestType> database;
    database.migrate();
    const auto columns = database.columns();
    const auto status = adapters::migration_status(database.config());

    int progress = 0;
    adapters::migrate(database.config(), ManualClock(t0 + std::chrono::hours{1}), [&](auto&&...) { ++progress; });

    CHECK(progress == 0);
    CHECK(database.columns() == columns);
    CHECK(adapters::migration_status(database.config()).back().applied_at == status.back().applied_at);
}

TEMPLATE_LIST_TEST_CASE("migrations: of several that start at once one works, and all succeed",
                        "[integration][migrations]", Places) {
    const EmptyDatabase<TestType> database;
    std::atomic<int> applied = 0;
    std::vector<std::string> refusals(6, "none");
    {
        std::vector<std::jthread> migrators;
        for (auto& refusal : refusals) {
            migrators.emplace_back([&] {
                const auto count = [&](int, std::string_view, std::size_t done, std::size_t total) {
                    if (done == total) ++applied;
                };
                refusal = refusal_of([&] { adapters::migrate(database.config(), ManualClock(), count); });
            });
        }
    }

    CHECK(refusals == std::vector<std::string>(6, "none"));
    CHECK(applied == static_cast<int>(adapters::migration_status(database.config()).size()));
    for (const auto& state : adapters::migration_status(database.config())) CHECK(state.applied_at);
}

TEST_CASE("migrations: on MariaDB, one that was cut off, wherever, goes on where it stopped and ends the same",
          "[integration][migrations]") {
    const EmptyDatabase<MariaDbSchema> database;
    database.migrate();
    const auto whole = database.columns();

    // Each goes on from where the one before was cut off: behind a statement, before the note that it was done.
    database.drop_tables();
    int cuts = 0;
    for (bool was_cut = migrate_until_note(database, 1); was_cut; was_cut = migrate_until_note(database, 2)) {
        INFO("cut off " << ++cuts << " times");
        const auto status = adapters::migration_status(database.config());
        const auto noted = std::ranges::find_if(status, [](const auto& state) { return !state.applied_at; });
        REQUIRE(noted != status.end());
        REQUIRE(std::accumulate(status.begin(), status.end(), std::size_t{0}, [](std::size_t sum, const auto& state) {
                    return sum + state.statements_done;
                }) == static_cast<std::size_t>(cuts - 1));
    }

    CHECK(cuts > 40);
    CHECK(database.columns() == whole);
    CHECK(adapters::migration_status(database.config()).back().applied_at);
}

TEST_CASE("migrations: on SQLite, one that was cut off, wherever, leaves nothing behind", "[integration][migrations]") {
    const EmptyDatabase<SqliteFile> database;
    database.drop_tables();

    int cuts = 0;
    while (migrate_until_note(database, cuts + 1)) {
        INFO("cut off behind statement " << ++cuts);
        REQUIRE(database.columns().empty());
    }

    CHECK(cuts > 40);
    CHECK(adapters::migration_status(database.config()).back().applied_at);
}

TEMPLATE_LIST_TEST_CASE("migrations: a text that was changed since it was applied is refused",
                        "[integration][migrations]", Places) {
    const EmptyDatabase<TestType> database;
    database.migrate();
    database.execute("UPDATE schema_migrations SET checksum = 'another' WHERE version = 1");

    const std::string why =
        "migration 0001_init is not the one that was applied to this database: its text was changed since";
    CHECK(refusal_of([&] { database.migrate(); }) == why);
    CHECK(refusal_of([&] { (void)adapters::migration_status(database.config()); }) == why);
    CHECK(refusal_of([&] { (void)adapters::missing_statements(database.config()); }) == why);
}

TEMPLATE_LIST_TEST_CASE("migrations: a daemon refuses an older schema in one clear line", "[integration][migrations]",
                        Places) {
    const EmptyDatabase<TestType> database;
    const auto telemetry = adapters::make_memory_telemetry();
    const auto known = std::to_string(adapters::sql::migrations_for("sqlite").back().version);
    const auto why =
        "the database has schema version 0, this program needs " + known + ": run `crawlerctl migrate` first";

    CHECK(refusal_of([&] { (void)adapters::open_database(database.config(), *telemetry); }) == why);
    REQUIRE(migrate_until_note(database, 5));
    CHECK(refusal_of([&] { (void)adapters::open_database(database.config(), *telemetry); }) == why);

    database.migrate();
    CHECK(refusal_of([&] { (void)adapters::open_database(database.config(), *telemetry); }) == "none");
}

TEMPLATE_LIST_TEST_CASE("migrations: a newer schema is welcome: the old program runs on during an upgrade",
                        "[integration][migrations]", Places) {
    const EmptyDatabase<TestType> database;
    const auto telemetry = adapters::make_memory_telemetry();
    database.migrate();
    database.execute("INSERT INTO schema_migrations VALUES (99, '0099_later', 'x', 1, 1)");

    CHECK(refusal_of([&] { (void)adapters::open_database(database.config(), *telemetry); }) == "none");
    CHECK(refusal_of([&] { database.migrate(); }) == "none");
}

TEMPLATE_LIST_TEST_CASE("migrations: the statements that are missing are those that it then runs",
                        "[integration][migrations]", Places) {
    const EmptyDatabase<TestType> database;
    const auto all = adapters::missing_statements(database.config());
    CHECK(database.columns().empty());
    std::size_t statements = 0;
    for (const auto& state : adapters::migration_status(database.config())) statements += state.statements;
    CHECK(all.size() == statements);

    database.migrate();
    CHECK(adapters::missing_statements(database.config()).empty());
}

TEST_CASE("migrations: to look at a SQLite file that is not there makes none", "[integration][migrations]") {
    const TempDir dir;
    const DatabaseConfig config{.url = "sqlite:" + (dir.path() / "none.db").string()};

    CHECK(adapters::migration_status(config).front().statements_done == 0);
    CHECK_FALSE(adapters::missing_statements(config).empty());

    CHECK(std::filesystem::is_empty(dir.path()));
}

TEST_CASE("migrations: a text is cut into statements at semicolons that end a line, without comments",
          "[integration][migrations]") {
    using adapters::sql::statements_of;
    using Statements = std::vector<std::string>;

    CHECK(statements_of("") == Statements{});
    CHECK(statements_of("-- nothing;\n\n") == Statements{});
    CHECK(statements_of("CREATE a;\nCREATE b;\n") == Statements{"CREATE a", "CREATE b"});
    CHECK(statements_of("CREATE a (\n  -- why;\n  x INT\n);\n") == Statements{"CREATE a ( x INT )"});
    CHECK(statements_of("INSERT 'x;y';\r\nINSERT z") == Statements{"INSERT 'x;y'", "INSERT z"});
}

#include "adapters/sql/migrator.hpp"

#include <soci/soci.h>

#include <algorithm>

#include "adapters/sql/sql.hpp"
#include "codec/sha256.hpp"

namespace crawler::adapters::sql {
namespace {

constexpr std::string_view create_log =
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INT NOT NULL, name VARCHAR(100) NOT NULL, "
    "checksum VARCHAR(64) NOT NULL, statements_done INT NOT NULL, applied_at BIGINT, PRIMARY KEY (version))";
const Columns log_columns{"version", "name", "checksum", "statements_done", "applied_at"};

struct Logged {
    int version = 0;
    std::string checksum;
    int statements_done = 0;
    std::optional<TimePoint> applied_at;
};

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool has_log(Session& session) {
    const auto columns = session.select({session.dialect().list_columns()}, "");
    return std::ranges::any_of(columns, [](Row row) { return row.text() == "schema_migrations.version"; });
}

std::vector<Logged> read_log(Session& session) {
    std::vector<Logged> log;
    if (!has_log(session)) return log;
    for (auto& row : session.select(log_columns, "FROM schema_migrations ORDER BY version")) {
        Logged logged{.version = row.small_number()};
        (void)row.text();
        logged.checksum = row.text();
        logged.statements_done = row.small_number();
        logged.applied_at = row.optional_instant();
        log.push_back(std::move(logged));
    }
    return log;
}

std::string checksum_of(const Migration& migration) {
    return codec::sha256(migration.text).hex();
}

// All that is missing, one after the other, on one connection.
class Run {
  public:
    Run(Session& session, const ports::Clock& clock, const MigrationProgress& progress)
        : session_(session), clock_(clock), progress_(progress) {}

    void apply(const Migration& migration, const Logged* before) {
        const auto statements = statements_of(migration.text);
        auto done = before ? static_cast<std::size_t>(before->statements_done) : 0;
        if (!before) {
            session_.insert("schema_migrations", log_columns,
                            {{migration.version, migration.name, checksum_of(migration), 0, std::nullopt}});
        }
        for (; done < statements.size(); ++done) {
            progress_(migration.version, migration.name, done, statements.size());
            const bool may_be_done = before && done == static_cast<std::size_t>(before->statements_done);
            execute(statements[done], may_be_done);
            session_.execute("UPDATE schema_migrations SET statements_done = ? WHERE version = ?",
                             {static_cast<std::int64_t>(done + 1), migration.version});
        }
        session_.execute("UPDATE schema_migrations SET applied_at = ? WHERE version = ?",
                         {clock_.now(), migration.version});
        progress_(migration.version, migration.name, statements.size(), statements.size());
    }

  private:
    // MySQL commits a change of a table by itself: what was cut off before it was noted is done already, and only MariaDB knows how to
    // add a column where there is none.
    void execute(const std::string& statement, bool may_be_done) {
        try {
            session_.execute(statement);
        } catch (const soci::soci_error& error) {
            if (!may_be_done || session_.dialect().describe(error).trouble != Trouble::there) throw;
        }
    }

    Session& session_;
    const ports::Clock& clock_;
    const MigrationProgress& progress_;
};

const Logged* find(const std::vector<Logged>& log, int version) {
    const auto found = std::ranges::find(log, version, &Logged::version);
    return found == log.end() ? nullptr : &*found;
}

void check_unchanged(const Migration& migration, const Logged& logged) {
    if (logged.checksum == checksum_of(migration)) return;
    throw std::runtime_error("migration " + std::string(migration.name) +
                             " is not the one that was applied to this database: its text was changed since");
}

std::vector<MigrationState> states_of(const Dialect& dialect, const std::vector<Logged>& log) {
    std::vector<MigrationState> states;
    for (const auto& migration : migrations_for(dialect.name())) {
        const auto* logged = find(log, migration.version);
        if (logged) check_unchanged(migration, *logged);
        const auto total = statements_of(migration.text).size();
        states.push_back({migration.version, std::string(migration.name), total,
                          logged ? static_cast<std::size_t>(logged->statements_done) : 0,
                          logged ? logged->applied_at : std::nullopt});
    }
    return states;
}

std::vector<std::string> missing_of(const Dialect& dialect, const std::vector<Logged>& log) {
    std::vector<std::string> missing;
    for (const auto& migration : migrations_for(dialect.name())) {
        const auto* logged = find(log, migration.version);
        if (logged) check_unchanged(migration, *logged);
        if (logged && logged->applied_at) continue;
        const auto statements = statements_of(migration.text);
        missing.insert(missing.end(), statements.begin() + (logged ? logged->statements_done : 0), statements.end());
    }
    return missing;
}

// To wait for another migrator, or for a large table to be changed, takes longer than any statement of a daemon may. Who gives up
// leaves the server at work on what nobody notes.
DatabaseConfig with_patience(DatabaseConfig config) {
    config.read_timeout = std::chrono::hours{24};
    config.write_timeout = std::chrono::hours{24};
    return config;
}

// SOCI's and our own exceptions as the one line that a person wants to see.
template <class Work>
auto told_plainly(const Dialect& dialect, Work work) {
    try {
        return work();
    } catch (const soci::soci_error& error) {
        throw std::runtime_error(dialect.describe(error).what());
    }
}

}  // namespace

std::vector<Migration> migrations_for(std::string_view dialect) {
    auto all = embedded_migrations();
    std::erase_if(all, [&](const Migration& migration) { return migration.dialect != dialect; });
    std::ranges::sort(all, {}, &Migration::version);
    return all;
}

std::vector<std::string> statements_of(std::string_view text) {
    std::vector<std::string> statements;
    std::string statement;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with("--")) continue;
        const bool is_last = line.ends_with(';');
        statement.append(statement.empty() ? "" : " ").append(is_last ? line.substr(0, line.size() - 1) : line);
        if (is_last) statements.push_back(std::exchange(statement, {}));
    }
    if (!statement.empty()) statements.push_back(std::move(statement));
    return statements;
}

int known_schema_version(std::string_view dialect) {
    return migrations_for(dialect).back().version;
}

int schema_version(Session& session) {
    int version = 0;
    for (const auto& logged : read_log(session)) {
        if (logged.applied_at) version = std::max(version, logged.version);
    }
    return version;
}

void require_schema(Session& session) {
    const auto found = schema_version(session);
    const auto needed = known_schema_version(session.dialect().name());
    if (found >= needed) return;
    throw std::runtime_error("the database has schema version " + std::to_string(found) + ", this program needs " +
                             std::to_string(needed) + ": run `crawlerctl migrate` first");
}

}  // namespace crawler::adapters::sql

namespace crawler::adapters {

namespace {

// What of the log is there, changing nothing: not even a file is made.
template <class Look>
auto look_at_log(const DatabaseConfig& config, Look look) {
    const auto dialect = sql::make_dialect(config);
    return sql::told_plainly(*dialect, [&] {
        if (!dialect->is_there()) return look(*dialect, {});
        const auto connection = dialect->connect();
        sql::Session session(*connection, *dialect, config.before_statement);
        return look(*dialect, sql::read_log(session));
    });
}

}  // namespace

std::vector<MigrationState> migration_status(const DatabaseConfig& config) {
    return look_at_log(config, sql::states_of);
}

std::vector<std::string> missing_statements(const DatabaseConfig& config) {
    return look_at_log(config, sql::missing_of);
}

void migrate(const DatabaseConfig& config, const ports::Clock& clock, const MigrationProgress& progress) {
    const auto dialect = sql::make_dialect(sql::with_patience(config));
    sql::told_plainly(*dialect, [&] {
        const auto connection = dialect->connect();
        sql::Session session(*connection, *dialect, config.before_statement);
        dialect->lock_migrations(*connection);
        session.execute(sql::create_log);
        const auto log = sql::read_log(session);
        sql::Run run(session, clock, progress);
        for (const auto& migration : sql::migrations_for(dialect->name())) {
            const auto* logged = sql::find(log, migration.version);
            if (logged) sql::check_unchanged(migration, *logged);
            if (!logged || !logged->applied_at) run.apply(migration, logged);
        }
        dialect->unlock_migrations(*connection);
    });
}

}  // namespace crawler::adapters

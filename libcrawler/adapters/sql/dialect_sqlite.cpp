#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <filesystem>

#include "adapters/sql/dialect.hpp"
#include "adapters/sql/sql.hpp"

namespace crawler::adapters::sql {
namespace {

// The lower eight bits; SOCI's header hides the names of the library.
constexpr int busy = 5;
constexpr int locked = 6;
constexpr int io_error = 10;
constexpr int full = 13;
constexpr int cannot_open = 14;
constexpr int constraint = 19;

Trouble trouble_of(int code) {
    switch (code & 0xff) {
        case busy:
        case locked:
            return Trouble::locked;
        case io_error:
        case full:
        case cannot_open:
            return Trouble::lost;
        case constraint:
            return Trouble::taken;
        default:
            return Trouble::other;
    }
}

std::string path_of(const DatabaseConfig& config) {
    auto path = config.url.substr(config.url.find(':') + 1);
    if (path.starts_with("//"))
        throw std::invalid_argument(
            "the URL of a SQLite database has no host: sqlite:crawler.db or sqlite:/var/lib/crawler.db");
    if (path.empty() || path.find('"') != std::string::npos)
        throw std::invalid_argument("the URL of the database names no file, or one with a quotation mark");
    return path;
}

class SqliteDialect final : public Dialect {
  public:
    explicit SqliteDialect(const DatabaseConfig& config)
        : path_(path_of(config)),
          lock_milliseconds_(std::chrono::ceil<std::chrono::milliseconds>(config.lock_timeout).count()) {}

    std::string_view name() const override { return "sqlite"; }
    bool is_there() const override { return std::filesystem::exists(path_); }

    std::unique_ptr<soci::session> connect() const override {
        try {
            auto connection = std::make_unique<soci::session>(soci::sqlite3, "db=\"" + path_ + "\"");
            *connection << "PRAGMA busy_timeout = " + std::to_string(lock_milliseconds_);
            *connection << "PRAGMA journal_mode = WAL";
            *connection << "PRAGMA synchronous = FULL";  // what was committed survives a power cut
            return connection;
        } catch (const soci::soci_error& error) {
            throw DatabaseError(Trouble::lost, "cannot open " + path_ + ": " + error.get_error_message());
        }
    }

    DatabaseError describe(const soci::soci_error& error) const override {
        const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error);
        const auto code = sqlite ? sqlite->result() : 0;
        return {trouble_of(code), "error " + std::to_string(code) + ": " + error.get_error_message()};
    }

    // Takes the place to write at once: a transaction that began by reading could not get it later without losing what it read.
    std::string_view begin() const override { return "BEGIN IMMEDIATE"; }
    std::string_view lock_rows() const override { return ""; }
    std::string_view lock_free_rows() const override { return ""; }
    std::string_view by_key() const override { return " "; }
    std::string ascii(std::string_view text) const override { return std::string(text); }
    BulkInsert bulk_insert() const override { return BulkInsert::one_statement_many_times; }
    int most_connections() const override { return 4; }
    bool has_one_writer() const override { return true; }

    std::string_view clock() const override { return ""; }

    std::string_view list_columns() const override {
        return "t.name || '.' || c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c "
               "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name";
    }

    void lock_migrations(soci::session& connection) const override {
        connection << "PRAGMA busy_timeout = 300000";
        connection << "BEGIN IMMEDIATE";
    }
    // All that was done is one transaction here.
    void unlock_migrations(soci::session& connection) const override { connection << "COMMIT"; }

  private:
    std::string path_;
    std::int64_t lock_milliseconds_;
};

}  // namespace

std::unique_ptr<Dialect> make_sqlite_dialect(const DatabaseConfig& config) {
    return std::make_unique<SqliteDialect>(config);
}

}  // namespace crawler::adapters::sql

#include <soci/mysql/soci-mysql.h>
#include <soci/soci.h>

#include <algorithm>
#include <array>
#include <boost/url/parse.hpp>

#include "adapters/sql/dialect.hpp"
#include "adapters/sql/sql.hpp"

namespace crawler::adapters::sql {
namespace {

using std::chrono::ceil;
using std::chrono::seconds;

// Numbers of the server (1000 and up) and of the client library (2000 and up).
constexpr std::array locked{1205U, 1213U};
constexpr std::array taken{1062U};
constexpr std::array already_there{1050U, 1060U, 1061U};  // table, column, index
constexpr std::array refused{1048U, 1264U, 1366U, 1406U};
// Too many connections, shutdown, a connection that was killed, read only after a fail-over; cannot connect, gone away.
constexpr std::array lost{1040U, 1053U, 1152U, 1158U, 1159U, 1160U, 1161U, 1290U, 1836U,
                          1927U, 2002U, 2003U, 2006U, 2013U, 2014U, 2055U, 4031U};

template <std::size_t N>
bool is_one_of(const std::array<unsigned, N>& numbers, unsigned number) {
    return std::ranges::find(numbers, number) != numbers.end();
}

Trouble trouble_of(unsigned number) {
    if (is_one_of(locked, number)) return Trouble::locked;
    if (is_one_of(taken, number)) return Trouble::taken;
    if (is_one_of(already_there, number)) return Trouble::there;
    if (is_one_of(refused, number)) return Trouble::refused;
    if (is_one_of(lost, number)) return Trouble::lost;
    return Trouble::other;
}

std::string option(std::string_view key, std::string_view value) {
    std::string text(key);
    text += "='";
    for (const char c : value) {
        if (c == '\'' || c == '\\') text += '\\';
        text += c;
    }
    return text + "' ";
}

std::string connect_text(const DatabaseConfig& config) {
    const auto url = boost::urls::parse_uri(config.url);
    if (!url) throw std::invalid_argument("the URL of the database is not a URL");
    const std::string path = url->path();
    if (path.size() < 2) throw std::invalid_argument("the URL of the database names no database");

    const auto whole = [](Duration time) { return std::to_string(ceil<seconds>(time).count()); };
    auto text = option("host", url->host()) + option("db", path.substr(1)) + option("charset", "utf8mb4") +
                "connect_timeout=" + whole(config.connect_timeout) + " read_timeout=" + whole(config.read_timeout) +
                " write_timeout=" + whole(config.write_timeout) + " ";
    if (url->has_port()) text += "port=" + std::to_string(url->port_number()) + " ";
    if (!url->user().empty()) text += option("user", url->user());
    if (!url->password().empty()) text += option("password", url->password());
    for (const auto& param : url->params()) {
        constexpr std::array<std::string_view, 4> known{"ssl_ca", "ssl_cert", "ssl_key", "unix_socket"};
        if (std::ranges::find(known, param.key) == known.end())
            throw std::invalid_argument("the URL of the database has an unknown option: " + std::string(param.key));
        text += option(std::string(param.key), std::string(param.value));
    }
    return text;
}

class MySqlDialect final : public Dialect {
  public:
    explicit MySqlDialect(const DatabaseConfig& config)
        : connect_text_(connect_text(config)), lock_seconds_(ceil<seconds>(config.lock_timeout).count()) {}

    std::string_view name() const override { return "mysql"; }
    bool is_there() const override { return true; }  // or to connect fails

    std::unique_ptr<soci::session> connect() const override {
        try {
            auto connection = std::make_unique<soci::session>(soci::mysql, connect_text_);
            // Our words are compared as our columns are: to the letter. With another collation MariaDB sorts where an index would do.
            *connection << "SET NAMES utf8mb4 COLLATE utf8mb4_bin";
            *connection << "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED";
            // What a column cannot hold is an error, not cut off.
            *connection << "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";
            *connection << "SET SESSION innodb_lock_wait_timeout = " + std::to_string(lock_seconds_);
            return connection;
        } catch (const soci::soci_error& error) {
            throw DatabaseError(Trouble::lost, "no connection: " + error.get_error_message());
        }
    }

    DatabaseError describe(const soci::soci_error& error) const override {
        const auto* mysql = dynamic_cast<const soci::mysql_soci_error*>(&error);
        const auto number = mysql ? mysql->err_num_ : 0;
        return {trouble_of(number), "error " + std::to_string(number) + ": " + error.get_error_message()};
    }

    std::string_view begin() const override { return "START TRANSACTION"; }
    std::string_view lock_rows() const override { return "FOR UPDATE"; }
    std::string_view lock_free_rows() const override { return "FOR UPDATE SKIP LOCKED"; }
    std::string_view by_key() const override { return " FORCE INDEX (PRIMARY) "; }
    std::string ascii(std::string_view text) const override { return "CONVERT(" + std::string(text) + " USING ascii)"; }
    BulkInsert bulk_insert() const override { return BulkInsert::many_rows_a_statement; }
    int most_connections() const override { return 1000; }
    bool has_one_writer() const override { return false; }

    // Of the statement, not of the transaction: whoever waited for a lock asks afterwards.
    std::string_view clock() const override { return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))"; }

    std::string_view list_columns() const override {
        return "CONCAT(table_name, '.', column_name) FROM information_schema.columns "
               "WHERE table_schema = DATABASE() ORDER BY table_name, column_name";
    }

    // MySQL takes names of 64 characters, and a database may have one as long.
    void lock_migrations(soci::session& connection) const override {
        int got = 0;
        soci::indicator there = soci::i_null;
        connection << "SELECT GET_LOCK(CONCAT('crawler-migrate/', MD5(DATABASE())), 300)", soci::into(got, there);
        if (there != soci::i_ok || got != 1)
            throw DatabaseError(Trouble::locked, "another migration has been running for five minutes");
    }
    void unlock_migrations(soci::session& connection) const override {
        int freed = 0;
        soci::indicator there = soci::i_null;
        connection << "SELECT RELEASE_LOCK(CONCAT('crawler-migrate/', MD5(DATABASE())))", soci::into(freed, there);
    }

  private:
    std::string connect_text_;
    std::int64_t lock_seconds_;
};

}  // namespace

std::unique_ptr<Dialect> make_mysql_dialect(const DatabaseConfig& config) {
    return std::make_unique<MySqlDialect>(config);
}

}  // namespace crawler::adapters::sql

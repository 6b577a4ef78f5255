#include "support/databases.hpp"

#include <soci/mysql/soci-mysql.h>
#include <soci/soci.h>

#include <cstdlib>

#include "adapters/sql/dialect.hpp"
#include "support/clocks.hpp"

namespace crawler::test {
namespace {

// The suite's server, unless the environment names another one's folder, as the benchmarks do.
std::string socket_of_server() {
    const char* folder = std::getenv("CRAWLER_TEST_DATABASE");
    return std::string(folder ? folder : CRAWLER_TEST_DATABASE) + "/sock";
}

const std::string socket_path = socket_of_server();

std::string connect_text(const std::string& database) {
    return "user=root unix_socket='" + socket_path + "' charset=utf8mb4" + (database.empty() ? "" : " db=" + database);
}

// Creating tables is slow, emptying them is not.
void empty_tables(const std::string& database) {
    soci::session session(soci::mysql, connect_text(database));
    const soci::rowset<std::string> tables =
        (session.prepare << "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
                            "AND table_name <> 'schema_migrations'");
    std::vector<std::string> names(tables.begin(), tables.end());
    for (const auto& name : names) session << "DELETE FROM " + name;
}

}  // namespace

void migrate_quietly(const std::string& url) {
    const ManualClock clock;
    adapters::migrate({.url = url}, clock, [](int, std::string_view, std::size_t, std::size_t) {});
}

void execute_sql(const std::string& url, const std::string& statement) {
    const auto dialect = adapters::sql::make_dialect({.url = url});
    *dialect->connect() << statement;
}

SqliteFile::SqliteFile() : url_("sqlite:" + (dir_.path() / "crawler.db").string()) {
    migrate_quietly(url_);
}

struct MariaDbSchema::Lock {
    soci::session session{soci::mysql, connect_text("")};
};

MariaDbSchema::MariaDbSchema() : lock_(std::make_unique<Lock>()) {
    auto& session = lock_->session;
    for (int slot = 0;; ++slot) {
        const auto name = "crawler_test_" + std::to_string(slot);
        int got = 0;
        session << "SELECT GET_LOCK('" + name + "', 0)", soci::into(got);
        if (got != 1) continue;
        session << "CREATE DATABASE IF NOT EXISTS " + name;
        url_ = "mysql://root@localhost/" + name + "?unix_socket=" + socket_path;
        migrate_quietly(url_);
        empty_tables(name);
        return;
    }
}

MariaDbSchema::~MariaDbSchema() = default;

}  // namespace crawler::test

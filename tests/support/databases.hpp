// Databases of a test's own, empty and with the schema of now: a SQLite file, or one of a MariaDB server that CTest started for
// the suite (scripts/test-database).
#pragma once
#include <memory>
#include <string>

#include "adapters/sql/sql.hpp"
#include "support/temp_dir.hpp"

namespace crawler::test {

class SqliteFile {
  public:
    SqliteFile();
    const std::string& url() const { return url_; }

  private:
    TempDir dir_;
    std::string url_;
};

// While it is there, no other test gets the same database.
class MariaDbSchema {
  public:
    MariaDbSchema();
    ~MariaDbSchema();
    const std::string& url() const { return url_; }

  private:
    struct Lock;
    std::unique_ptr<Lock> lock_;
    std::string url_;
};

void migrate_quietly(const std::string& url);
// One statement by hand, past all stores.
void execute_sql(const std::string& url, const std::string& statement);

}  // namespace crawler::test

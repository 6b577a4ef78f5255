#include "adapters/sql/dialect.hpp"

#include <stdexcept>

#include "adapters/sql/sql.hpp"

namespace crawler::adapters::sql {

std::unique_ptr<Dialect> make_dialect(const DatabaseConfig& config) {
    const auto scheme = config.url.substr(0, config.url.find(':'));
    if (scheme == "mysql") return make_mysql_dialect(config);
    if (scheme == "sqlite") return make_sqlite_dialect(config);
    throw std::invalid_argument("the URL of the database must begin with mysql:// or sqlite:");
}

}  // namespace crawler::adapters::sql

// Where MySQL and SQLite differ. Everything else is one SQL for both.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/trouble.hpp"

namespace soci {
class session;
class soci_error;
}  // namespace soci

namespace crawler::adapters {
struct DatabaseConfig;
}

namespace crawler::adapters::sql {

enum class BulkInsert { many_rows_a_statement, one_statement_many_times };

class Dialect {
  public:
    virtual ~Dialect() = default;

    // The name of the folder of its migrations.
    virtual std::string_view name() const = 0;
    // False: there is nothing behind the URL yet, and to connect would make it.
    virtual bool is_there() const = 0;
    // A new connection, ready for work. Throws DatabaseError.
    virtual std::unique_ptr<soci::session> connect() const = 0;
    // What a failed statement means. The text of the answer never has values in it.
    virtual DatabaseError describe(const soci::soci_error& error) const = 0;

    // Begins a transaction that will write.
    virtual std::string_view begin() const = 0;
    // After a SELECT: its rows are ours until the transaction ends; those that another has are waited for, or passed over.
    virtual std::string_view lock_rows() const = 0;
    virtual std::string_view lock_free_rows() const = 0;
    // After the table's name, where rows are locked by a list of keys: whoever walked over the whole table instead, as a server does
    // that takes it for a small one, would wait for everybody else's rows.
    virtual std::string_view by_key() const = 0;
    // Text that is an id, as a column of ids holds it: an index on one is of use only where the character sets are the same.
    virtual std::string ascii(std::string_view text) const = 0;
    // Which way of inserting many rows is the quick one.
    virtual BulkInsert bulk_insert() const = 0;
    // More than these are of no use.
    virtual int most_connections() const = 0;
    // Its writers wait for each other, so those of one process had better queue up.
    virtual bool has_one_writer() const = 0;
    // The server's own clock in microseconds, as an expression; empty: it has none but the machine's.
    virtual std::string_view clock() const = 0;
    // Every column of every table, as "table.column", in order.
    virtual std::string_view list_columns() const = 0;
    // Keeps other migrators out until it is unlocked, or the connection is closed. Throws where that takes too long.
    virtual void lock_migrations(soci::session& connection) const = 0;
    virtual void unlock_migrations(soci::session& connection) const = 0;
};

// By the scheme of the URL: mysql or sqlite. Throws std::invalid_argument that says what is wrong with the URL.
std::unique_ptr<Dialect> make_dialect(const DatabaseConfig& config);
std::unique_ptr<Dialect> make_mysql_dialect(const DatabaseConfig& config);
std::unique_ptr<Dialect> make_sqlite_dialect(const DatabaseConfig& config);

}  // namespace crawler::adapters::sql

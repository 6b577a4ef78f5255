// One connection, as the stores see it: statements with values in, rows of text out. `?` stands for a value. Everything throws
// DatabaseError or what SOCI throws; SqlDatabase catches both.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/dialect.hpp"
#include "adapters/sql/value.hpp"

namespace crawler::adapters::sql {

// The columns of a table that a store reads and writes, in the order in which it does.
using Columns = std::vector<std::string_view>;

class Session {
  public:
    using Probe = std::function<void(std::string_view)>;
    Session(soci::session& connection, const Dialect& dialect, const Probe& probe)
        : connection_(connection), dialect_(dialect), probe_(probe) {}

    // How many rows it found (not: how many it made different).
    std::int64_t execute(std::string_view sql, const Values& values = {});
    // SELECT <columns> <rest>
    std::vector<Row> select(const Columns& columns, std::string_view rest, const Values& values = {});
    std::optional<Row> select_one(const Columns& columns, std::string_view rest, const Values& values = {});
    // One row with one number, as COUNT has it.
    std::int64_t number(std::string_view expression_and_rest, const Values& values = {});

    // INSERT INTO <table>, or REPLACE INTO, as many statements as is quick.
    void insert(std::string_view table, const Columns& columns, const std::vector<Values>& rows);
    void replace(std::string_view table, const Columns& columns, const std::vector<Values>& rows);

    const Dialect& dialect() const { return dialect_; }

  private:
    void write_rows(std::string_view verb, std::string_view table, const Columns& columns,
                    const std::vector<Values>& rows);
    soci::session& connection_;
    const Dialect& dialect_;
    const Probe& probe_;
};

// Whether rows that are read are ours until the transaction ends.
enum class ForUpdate { no, yes };

// "(?, ?, ?)" for so many values; there must be one at least.
std::string placeholders(std::size_t count);
// UPDATE <table> SET <column> = ?, ... WHERE <condition>
std::string update_text(std::string_view table, const Columns& columns, std::string_view condition);
std::string join(const Columns& columns);

}  // namespace crawler::adapters::sql

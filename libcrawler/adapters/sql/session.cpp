#include "adapters/sql/session.hpp"

#include <soci/soci.h>

#include <deque>

namespace crawler::adapters::sql {
namespace {

// SOCI knows values by name: `?` becomes :v1, :v2 and so on.
std::string with_names(std::string_view sql) {
    std::string named;
    named.reserve(sql.size() + 32);
    int number = 0;
    for (const char c : sql) {
        if (c == '?') {
            named.append(":v").append(std::to_string(++number));
        } else {
            named.push_back(c);
        }
    }
    return named;
}

// A value where SOCI can look at it until the statement is done. Its type is fixed when it is bound.
struct Bound {
    bool is_number = false;
    long long number = 0;
    std::string text;
    soci::indicator indicator = soci::i_null;

    void set(const Value& value) {
        indicator = value.is_null() ? soci::i_null : soci::i_ok;
        if (const auto* n = value.number()) number = *n;
        if (const auto* t = value.text()) text = *t;
    }
    void attach(soci::statement& statement) {
        if (is_number) {
            statement.exchange(soci::use(number, indicator));
        } else {
            statement.exchange(soci::use(text, indicator));
        }
    }
};

class Statement {
  public:
    Statement(soci::session& connection, const Values& values) : statement_(connection) {
        for (const auto& value : values) {
            auto& bound = bound_.emplace_back();
            bound.is_number = value.number() != nullptr;
            bound.set(value);
        }
    }
    // One statement for many rows: a column is numbers where no row has text in it.
    Statement(soci::session& connection, const std::vector<Values>& rows) : statement_(connection) {
        for (std::size_t column = 0; column < rows.front().size(); ++column) {
            auto& bound = bound_.emplace_back();
            bound.is_number = true;
            for (const auto& row : rows) bound.is_number = bound.is_number && row[column].text() == nullptr;
        }
    }

    void set(const Values& row) {
        for (std::size_t i = 0; i < row.size(); ++i) bound_[i].set(row[i]);
    }
    void prepare(std::string_view sql, std::size_t columns = 0) {
        cells_.resize(columns);
        indicators_.resize(columns);
        for (std::size_t i = 0; i < columns; ++i) statement_.exchange(soci::into(cells_[i], indicators_[i]));
        for (auto& bound : bound_) bound.attach(statement_);
        statement_.alloc();
        statement_.prepare(with_names(sql));
        statement_.define_and_bind();
    }
    std::int64_t execute() {
        statement_.execute(true);
        return statement_.get_affected_rows();
    }
    std::vector<Row> rows() {
        std::vector<Row> rows;
        for (bool there = statement_.execute(true); there; there = statement_.fetch()) {
            Row::Cells cells(cells_.size());
            for (std::size_t i = 0; i < cells_.size(); ++i) {
                if (indicators_[i] != soci::i_null) cells[i] = cells_[i];
            }
            rows.emplace_back(std::move(cells));
        }
        return rows;
    }

  private:
    std::deque<Bound> bound_;  // stays where it is: SOCI points into it
    std::vector<std::string> cells_;
    std::vector<soci::indicator> indicators_;
    soci::statement statement_;
};

// A statement of many rows stays below what servers take in one go, and below what SOCI is slow to bind.
constexpr std::size_t most_values = 4000;
constexpr std::size_t most_bytes = 1 << 20;

std::size_t bytes_of(const Values& row) {
    std::size_t bytes = 0;
    for (const auto& value : row) bytes += value.text() ? value.text()->size() : 8;
    return bytes;
}

}  // namespace

std::int64_t Session::execute(std::string_view sql, const Values& values) {
    if (probe_) probe_(sql);
    Statement statement(connection_, values);
    statement.prepare(sql);
    return statement.execute();
}

std::vector<Row> Session::select(const Columns& columns, std::string_view rest, const Values& values) {
    const auto sql = "SELECT " + join(columns) + " " + std::string(rest);
    if (probe_) probe_(sql);
    Statement statement(connection_, values);
    statement.prepare(sql, columns.size());
    return statement.rows();
}

std::optional<Row> Session::select_one(const Columns& columns, std::string_view rest, const Values& values) {
    auto rows = select(columns, rest, values);
    if (rows.empty()) return std::nullopt;
    return std::move(rows.front());
}

std::int64_t Session::number(std::string_view expression_and_rest, const Values& values) {
    return select_one({expression_and_rest}, "", values).value().optional_number().value_or(0);
}

void Session::insert(std::string_view table, const Columns& columns, const std::vector<Values>& rows) {
    write_rows("INSERT INTO ", table, columns, rows);
}

void Session::replace(std::string_view table, const Columns& columns, const std::vector<Values>& rows) {
    write_rows("REPLACE INTO ", table, columns, rows);
}

void Session::write_rows(std::string_view verb, std::string_view table, const Columns& columns,
                         const std::vector<Values>& rows) {
    if (rows.empty()) return;
    const auto head = std::string(verb) + std::string(table) + " (" + join(columns) + ") VALUES ";
    const auto one_row = placeholders(columns.size());
    if (dialect_.bulk_insert() == BulkInsert::one_statement_many_times) {
        if (probe_) probe_(head);
        Statement statement(connection_, rows);
        statement.prepare(head + one_row);
        for (const auto& row : rows) {
            statement.set(row);
            statement.execute();
        }
        return;
    }
    for (std::size_t next = 0; next < rows.size();) {
        auto sql = head;
        Values values;
        for (std::size_t bytes = 0; next < rows.size(); ++next) {
            bytes += bytes_of(rows[next]);
            if (!values.empty() && (values.size() + columns.size() > most_values || bytes > most_bytes)) break;
            sql.append(values.empty() ? "" : ", ").append(one_row);
            values.insert(values.end(), rows[next].begin(), rows[next].end());
        }
        execute(sql, values);
    }
}

std::string placeholders(std::size_t count) {
    std::string text = "(?";
    for (std::size_t i = 1; i < count; ++i) text += ", ?";
    return text + ")";
}

std::string update_text(std::string_view table, const Columns& columns, std::string_view condition) {
    auto text = "UPDATE " + std::string(table) + " SET ";
    for (const auto& column : columns) {
        if (&column != &columns.front()) text += ", ";
        text.append(column).append(" = ?");
    }
    return text + " WHERE " + std::string(condition);
}

std::string join(const Columns& columns) {
    std::string text;
    for (const auto& column : columns) text.append(text.empty() ? "" : ", ").append(column);
    return text;
}

}  // namespace crawler::adapters::sql

// Everything that is in a database, as text: two dumps that are equal are two databases that are.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "adapters/sql/database.hpp"

namespace crawler::test {

using TableDump = std::map<std::string, std::vector<std::string>>;

inline TableDump dump_tables(adapters::sql::Session& session) {
    std::map<std::string, std::vector<std::string>> columns;
    for (auto& row : session.select({session.dialect().list_columns()}, "")) {
        const auto name = row.text();
        const auto dot = name.find('.');
        columns[name.substr(0, dot)].push_back(name.substr(dot + 1));
    }
    TableDump dump;
    for (const auto& [table, names] : columns) {
        const adapters::sql::Columns wanted(names.begin(), names.end());
        auto& rows = dump[table];
        for (auto& row : session.select(wanted, "FROM " + table)) {
            std::string text;
            for (std::size_t i = 0; i < wanted.size(); ++i) text += row.optional_text().value_or("NULL") + "|";
            rows.push_back(text);
        }
        std::ranges::sort(rows);
    }
    return dump;
}

}  // namespace crawler::test

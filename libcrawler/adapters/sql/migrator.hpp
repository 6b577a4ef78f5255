// Brings a database to the schema that this program knows. Migrations go forward only; each is a file of statements, embedded in
// the binary, with the same number in every dialect. MySQL cannot take back a CREATE TABLE, so how far a migration came is noted
// after every statement. Who is cut off between a statement and its note runs that statement again, so every statement of a migration
// for MySQL must bear to be repeated.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/session.hpp"

namespace crawler::adapters::sql {

struct Migration {
    std::string_view dialect;
    int version = 0;
    std::string_view name;
    std::string_view text;
};
std::vector<Migration> embedded_migrations();
// Those of one dialect, in order.
std::vector<Migration> migrations_for(std::string_view dialect);

// Without comments and empty ones. A statement ends with a semicolon at the end of a line.
std::vector<std::string> statements_of(std::string_view text);

// The last migration that is wholly applied; 0 where none is.
int schema_version(Session& session);
int known_schema_version(std::string_view dialect);
// Throws std::runtime_error, with one line for the operator, where the database is behind what this program needs. One that is
// ahead is welcome: during an upgrade the old program runs on the new schema.
void require_schema(Session& session);

}  // namespace crawler::adapters::sql

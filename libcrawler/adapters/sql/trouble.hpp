// What can go wrong with a database, by what must happen next. Thrown inside this adapter only: SqlDatabase turns it into a
// Result at its door.
#pragma once
#include <stdexcept>
#include <string>

#include "domain/enum_names.hpp"

namespace crawler::adapters::sql {

enum class Trouble {
    locked,   // a deadlock, or a lock that was not to be had in time: the same transaction may pass now
    lost,     // the connection broke, or there is none
    taken,    // a key is there already
    there,    // a table, a column or an index is there already
    refused,  // a value that the column cannot hold
    corrupt,  // a row that the program cannot read
    other,
};
constexpr auto names(Trouble) {
    return std::to_array<EnumName<Trouble>>({{Trouble::locked, "LOCKED"},
                                             {Trouble::lost, "LOST"},
                                             {Trouble::taken, "TAKEN"},
                                             {Trouble::there, "THERE"},
                                             {Trouble::refused, "REFUSED"},
                                             {Trouble::corrupt, "CORRUPT"},
                                             {Trouble::other, "OTHER"}});
}

struct DatabaseError : std::runtime_error {
    DatabaseError(Trouble kind, const std::string& text) : std::runtime_error(text), trouble(kind) {}
    Trouble trouble;
};

}  // namespace crawler::adapters::sql

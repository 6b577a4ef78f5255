#include "adapters/sql/value.hpp"

#include <charconv>

#include "adapters/sql/trouble.hpp"

namespace crawler::adapters::sql {

std::optional<std::string> Row::optional_text() {
    return std::move(cells_.at(next_++));
}

std::optional<std::string> Row::drop_last() {
    auto cell = std::move(cells_.back());
    cells_.pop_back();
    return cell;
}

std::string Row::text() {
    auto cell = optional_text();
    if (!cell) unreadable("it is null");
    return *std::move(cell);
}

std::optional<std::int64_t> Row::optional_number() {
    const auto cell = optional_text();
    if (!cell) return std::nullopt;
    std::int64_t number = 0;
    const auto* end = cell->data() + cell->size();
    const auto read = std::from_chars(cell->data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end) unreadable("'" + *cell + "' is no whole number");
    return number;
}

std::int64_t Row::number() {
    const auto number = optional_number();
    if (!number) unreadable("it is null");
    return *number;
}

std::optional<TimePoint> Row::optional_instant() {
    const auto number = optional_number();
    if (!number) return std::nullopt;
    return TimePoint{Duration{*number}};
}

void Row::unreadable(const std::string& why) const {
    throw DatabaseError(Trouble::corrupt, "column " + std::to_string(next_) + " of a row: " + why);
}

}  // namespace crawler::adapters::sql

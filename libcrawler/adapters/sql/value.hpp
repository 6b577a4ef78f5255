// What goes into a statement and what comes out of a row. The stores speak of times, ids and enums; the database knows
// whole numbers, text and nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domain/digest.hpp"
#include "domain/ids.hpp"
#include "domain/seller.hpp"
#include "domain/time.hpp"

namespace crawler::adapters::sql {

// NOLINTBEGIN(google-explicit-constructor): a value is whatever the store has at hand
class Value {
  public:
    Value(std::nullopt_t) {}
    Value(std::int64_t number) : content_(number) {}
    Value(int number) : content_(std::int64_t{number}) {}
    Value(bool flag) : content_(std::int64_t{flag ? 1 : 0}) {}
    Value(std::string text) : content_(std::move(text)) {}
    Value(std::string_view text) : content_(std::string(text)) {}
    Value(const char* text) : content_(std::string(text)) {}
    Value(TimePoint time) : content_(std::int64_t{time.time_since_epoch().count()}) {}
    Value(const SellerId& seller) : content_(seller.value()) {}
    Value(const Digest& digest) : content_(digest.hex()) {}
    template <class Tag>
    Value(const Id<Tag>& id) : content_(id.value) {}
    template <NamedEnum E>
    Value(E value) : Value(to_string(value)) {}
    template <class T>
    Value(const std::optional<T>& value) {
        if (value) content_ = Value(*value).content_;
    }

    bool is_null() const { return content_.index() == 0; }
    const std::int64_t* number() const { return std::get_if<std::int64_t>(&content_); }
    const std::string* text() const { return std::get_if<std::string>(&content_); }

  private:
    std::variant<std::monostate, std::int64_t, std::string> content_;
};
// NOLINTEND(google-explicit-constructor)
using Values = std::vector<Value>;

// One row of an answer, read from left to right: each call takes the next column. What does not fit (a word that no enum
// has, a null where there must be something) is a DatabaseError that names the column.
class Row {
  public:
    using Cells = std::vector<std::optional<std::string>>;
    explicit Row(Cells cells) : cells_(std::move(cells)) {}

    std::string text();
    std::optional<std::string> optional_text();
    std::int64_t number();
    std::optional<std::int64_t> optional_number();
    int small_number() { return static_cast<int>(number()); }
    bool flag() { return number() != 0; }
    TimePoint instant() { return TimePoint{Duration{number()}}; }
    std::optional<TimePoint> optional_instant();
    SellerId seller() { return checked(SellerId::parse(text())); }
    Digest digest() { return checked(Digest::parse(text())); }
    template <class I>
    I id() {
        return I{text()};
    }
    template <NamedEnum E>
    E word() {
        const auto name = text();
        const auto value = parse<E>(name);
        if (!value) unreadable("'" + name + "' is no word for it");
        return *value;
    }
    template <NamedEnum E>
    std::optional<E> optional_word() {
        if (!cells_.at(next_)) return ++next_, std::nullopt;
        return word<E>();
    }
    std::string first() const { return cells_.front().value_or(""); }
    // Cuts off the last column.
    std::optional<std::string> drop_last();
    // What a type of the domain makes of the column just read.
    template <class T>
    T checked(Result<T> result) const {
        if (!result) unreadable(result.error().detail);
        return *std::move(result);
    }

  private:
    [[noreturn]] void unreadable(const std::string& why) const;
    Cells cells_;
    std::size_t next_ = 0;
};

}  // namespace crawler::adapters::sql

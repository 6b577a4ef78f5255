// Result<T>: a value, or the reason why there is none. Everything that can fail on a good day returns one; nothing throws
// across a port.
#pragma once
#include <cassert>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "domain/enum_names.hpp"

namespace crawler {

// Chosen by what the caller does next, not by what went wrong inside.
enum class Errc {
    not_found,     // there is no such thing
    conflict,      // somebody else was here first: the state is not the one that was read
    invalid,       // can never succeed as asked
    rate_limited,  // the other side wants us slower
    blocked,       // the other side refuses this identity
    timeout,       // no answer in time; it may have happened
    unavailable,   // did not happen, the other side is down or unreachable
};
constexpr auto names(Errc) {
    return std::to_array<EnumName<Errc>>({{Errc::not_found, "NOT_FOUND"},
                                          {Errc::conflict, "CONFLICT"},
                                          {Errc::invalid, "INVALID"},
                                          {Errc::rate_limited, "RATE_LIMITED"},
                                          {Errc::blocked, "BLOCKED"},
                                          {Errc::timeout, "TIMEOUT"},
                                          {Errc::unavailable, "UNAVAILABLE"}});
}

// True where the same call may succeed later without anybody changing anything.
constexpr bool is_retryable(Errc code) {
    return code == Errc::rate_limited || code == Errc::blocked || code == Errc::timeout || code == Errc::unavailable;
}

struct Error {
    Errc code{};
    std::string detail;
    std::optional<std::chrono::microseconds> retry_after =
        std::nullopt;  // of rate_limited and unavailable: how long the other side asked us to wait

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T = void>
class [[nodiscard]] Result {
  public:
    Result(T value) : outcome_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : outcome_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return outcome_.index() == 0; }

    T& operator*() & { return value(); }
    const T& operator*() const& { return const_cast<Result*>(this)->value(); }
    T&& operator*() && { return std::move(value()); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &const_cast<Result*>(this)->value(); }

    const Error& error() const {
        assert(outcome_.index() == 1);
        return *std::get_if<1>(&outcome_);
    }

  private:
    T& value() {
        assert(outcome_.index() == 0);
        return *std::get_if<0>(&outcome_);
    }

    std::variant<T, Error> outcome_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}

    explicit operator bool() const { return !failed_; }
    const Error& error() const {
        assert(failed_);
        return error_;
    }

  private:
    Error error_;
    bool failed_ = false;
};

}  // namespace crawler

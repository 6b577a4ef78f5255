// Two pieces of work at once; the first to end, well or badly, decides and the other is cancelled and waited for.
// (Asio's own `a || b` waits for the first *success*, which would hide a failure behind a timer.)
#pragma once
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <exception>
#include <optional>
#include <type_traits>
#include <variant>

#include "coro/async.hpp"

namespace crawler::coro {

// void has no values; this stands in for the one it would have.
template <class T>
using Valued = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

namespace detail {

template <class T>
struct Outcome {
    std::exception_ptr error;
    std::optional<Valued<T>> value;
};

template <class T>
Async<Outcome<T>> settle(Async<T> work) {
    Outcome<T> outcome;
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(work);
            outcome.value.emplace();
        } else {
            outcome.value.emplace(co_await std::move(work));
        }
    } catch (...) {
        outcome.error = std::current_exception();
    }
    co_return outcome;
}

template <class T>
Valued<T> unwrap(Outcome<T> outcome) {
    if (outcome.error) std::rethrow_exception(outcome.error);
    return std::move(*outcome.value);
}

}  // namespace detail

template <class A, class B>
Async<std::variant<Valued<A>, Valued<B>>> first_of(Async<A> a, Async<B> b) {
    using namespace boost::asio::experimental::awaitable_operators;
    using Winner = std::variant<Valued<A>, Valued<B>>;
    auto both = detail::settle(std::move(a)) || detail::settle(std::move(b));
    auto first = co_await std::move(both);
    if (first.index() == 0) co_return Winner(std::in_place_index<0>, detail::unwrap<A>(std::get<0>(std::move(first))));
    co_return Winner(std::in_place_index<1>, detail::unwrap<B>(std::get<1>(std::move(first))));
}

}  // namespace crawler::coro

#include "coro/together.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <exception>

namespace crawler::coro {

Async<> together(Async<> a, Async<> b) {
    using namespace boost::asio::experimental::awaitable_operators;
    std::exception_ptr failure;
    try {
        auto both = std::move(a) && std::move(b);
        co_await std::move(both);
    } catch (const boost::asio::multiple_exceptions& e) {
        failure = e.first_exception();  // the other one is the cancellation that this one caused
    }
    if (failure) std::rethrow_exception(failure);
}

Async<> together(std::vector<Async<>> works) {
    if (works.empty()) co_return;
    auto all = std::move(works.front());
    for (std::size_t i = 1; i < works.size(); ++i) all = together(std::move(all), std::move(works[i]));
    co_await std::move(all);
}

}  // namespace crawler::coro

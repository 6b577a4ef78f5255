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

}  // namespace crawler::coro

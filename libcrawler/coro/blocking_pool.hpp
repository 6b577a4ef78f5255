// Threads for drivers that block. Everything else of ours runs on the one I/O thread.
#pragma once
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>

#include "coro/race.hpp"
#include "coro/virtual_time.hpp"

namespace crawler::coro {

class BlockingPool {
  public:
    explicit BlockingPool(std::size_t threads) : threads_(threads) {}
    // Waits for calls that have begun.
    ~BlockingPool() { threads_.join(); }
    BlockingPool(const BlockingPool&) = delete;
    BlockingPool& operator=(const BlockingPool&) = delete;

    // call() on a thread of the pool; its value, or its exception, on the caller's executor. Not cancellable on purpose: a call that
    // has begun finishes and its result is delivered; a cancelled caller is cut at its next await.
    template <class Call>
    Async<std::invoke_result_t<Call&>> run(Call call) {
        using Value = std::invoke_result_t<Call&>;
        // Both live in this coroutine's frame, which stays until the call has completed.
        std::exception_ptr error;
        std::optional<Valued<Value>> value;
        auto on_thread = [&call, &error, &value] {
            try {
                if constexpr (std::is_void_v<Value>) {
                    call();
                    value.emplace();
                } else {
                    value.emplace(call());
                }
            } catch (...) {
                error = std::current_exception();
            }
        };
        auto executor = co_await boost::asio::this_coro::executor;
        const VirtualTime::StandStill hold(
            VirtualTime::of(boost::asio::query(executor, boost::asio::execution::context)));
        co_await post_and_return(on_thread);
        if (error) std::rethrow_exception(error);
        if constexpr (!std::is_void_v<Value>) co_return std::move(*value);
    }

  private:
    template <class Function>
    Async<> post_and_return(Function& function) {
        auto initiate = [this, &function](auto handler) {
            const auto home = boost::asio::get_associated_executor(handler);
            auto on_thread = [&function, home, work = boost::asio::make_work_guard(home),
                              handler = std::move(handler)]() mutable {
                function();
                boost::asio::post(home, std::move(handler));
            };
            boost::asio::post(threads_, std::move(on_thread));
        };
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(initiate,
                                                                                           boost::asio::use_awaitable);
    }

    boost::asio::thread_pool threads_;
};

}  // namespace crawler::coro

// Threads for calls of the SDK, which block. Unlike those of a BlockingPool they can be cut, because a long poll would hold up a stop:
// whoever is cancelled tells the SDK so and goes on when it has let go, within a second. Private to the adapter.
#pragma once
#include <atomic>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <optional>

#include "coro/async.hpp"
#include "coro/virtual_time.hpp"

namespace crawler::adapters::aws {

// True as soon as nobody wants the answer any more.
using Cut = std::atomic<bool>;

class SdkThreads {
  public:
    explicit SdkThreads(std::size_t threads) : threads_(threads) {}
    ~SdkThreads() { threads_.join(); }
    SdkThreads(const SdkThreads&) = delete;
    SdkThreads& operator=(const SdkThreads&) = delete;

    // call(cut) on one of the threads; its value, or its exception, on the caller's executor.
    template <class Call>
    Async<std::invoke_result_t<Call&, const Cut&>> run(Call call) {
        using Value = std::invoke_result_t<Call&, const Cut&>;
        // All of it lives in this coroutine's frame, which stays until the call has ended.
        Cut cut = false;
        std::exception_ptr error;
        std::optional<Value> value;
        auto on_thread = [&call, &cut, &error, &value] {
            try {
                value.emplace(call(cut));
            } catch (const std::exception&) {
                error = std::current_exception();
            }
        };
        auto executor = co_await boost::asio::this_coro::executor;
        const coro::VirtualTime::StandStill hold(
            coro::VirtualTime::of(boost::asio::query(executor, boost::asio::execution::context)));
        co_await post_and_return(on_thread, cut);
        if (cut) throw boost::system::system_error(boost::asio::error::operation_aborted);
        if (error) std::rethrow_exception(error);
        co_return std::move(*value);
    }

  private:
    template <class Function>
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): run waits for it
    Async<> post_and_return(Function& function, Cut& cut) {
        auto initiate = [this, &function, &cut](auto handler) {
            const auto home = boost::asio::get_associated_executor(handler);
            auto slot = boost::asio::get_associated_cancellation_slot(handler);
            if (slot.is_connected()) slot.assign([&cut](boost::asio::cancellation_type) { cut = true; });
            auto on_thread = [&function, home, slot, work = boost::asio::make_work_guard(home),
                              handler = std::move(handler)]() mutable {
                function();
                auto at_home = [slot, handler = std::move(handler)]() mutable {
                    if (slot.is_connected()) slot.clear();  // `cut` is about to be gone
                    std::move(handler)();
                };
                boost::asio::post(home, std::move(at_home));
            };
            boost::asio::post(threads_, std::move(on_thread));
        };
        co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(initiate,
                                                                                           boost::asio::use_awaitable);
    }

    boost::asio::thread_pool threads_;
};

}  // namespace crawler::adapters::aws

// The client's open connections: how many there may be, and those that wait for another request. Private to the client.
#pragma once
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "adapters/http/connection.hpp"
#include "adapters/http/origin.hpp"
#include "coro/event.hpp"

namespace crawler::adapters {

class ConnectionPool {
  public:
    struct Limits {
        std::size_t open = 0;  // at once, those that wait included
        std::size_t idle_per_origin = 0;
        std::chrono::nanoseconds idle_lifetime{};
    };
    using Steady = std::chrono::steady_clock::time_point;
    using Now = std::function<Steady()>;

    ConnectionPool(const boost::asio::any_io_executor& executor, Limits limits, Now now)
        : limits_(limits), now_(std::move(now)), freed_(executor) {}

    // The right to have one connection open; it ends with its holder. The pool outlives them all.
    class Place {
      public:
        explicit Place(ConnectionPool* pool) : pool_(pool) { ++pool_->open_; }
        ~Place() { leave(); }
        Place(Place&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(pool_, other.pool_);
            return *this;
        }

      private:
        void leave();
        ConnectionPool* pool_;
    };
    struct Held {
        Place place;
        std::unique_ptr<Connection> connection;  // none: there is room for one
    };

    // A connection to that origin which waits for a request, or room for a new one: the longest idle one of others makes it, or it is
    // waited for.
    Async<Held> take(Origin origin);
    // It waits for the next request from now on. Where enough of them do already, the one that has waited longest is closed.
    void keep(Origin origin, Held held);

    std::size_t open() const { return open_; }
    std::size_t idle() const { return idle_.size(); }

  private:
    struct Idle {
        Origin origin;
        Steady since;
        Held held;
    };
    void close_expired();

    Limits limits_;
    Now now_;
    std::size_t open_ = 0;
    coro::Event freed_;
    std::vector<Idle> idle_;  // oldest first; its places speak to the members above when they go
};

}  // namespace crawler::adapters

#include "adapters/http/connection_pool.hpp"

#include <algorithm>

namespace crawler::adapters {

void ConnectionPool::Place::leave() {
    if (!pool_) return;
    --pool_->open_;
    pool_->freed_.notify_all();
}

Async<ConnectionPool::Held> ConnectionPool::take(Origin origin) {
    for (;;) {
        close_expired();
        // The youngest first: it is the least likely to have been given up by the other side.
        const auto found = std::ranges::find(idle_.rbegin(), idle_.rend(), origin, &Idle::origin);
        if (found != idle_.rend()) {
            auto held = std::move(found->held);
            idle_.erase(std::next(found).base());
            if (held.connection->is_quiet()) co_return held;
            continue;
        }
        if (open_ >= limits_.open && !idle_.empty()) idle_.erase(idle_.begin());
        if (open_ < limits_.open) co_return Held{Place(this), nullptr};
        co_await freed_.wait();
    }
}

void ConnectionPool::keep(Origin origin, Held held) {
    const auto is_same = [&](const Idle& idle) { return idle.origin == origin; };
    const auto same = static_cast<std::size_t>(std::ranges::count_if(idle_, is_same));
    if (limits_.idle_per_origin == 0) return;
    if (same >= limits_.idle_per_origin) idle_.erase(std::ranges::find_if(idle_, is_same));
    idle_.push_back({std::move(origin), now_(), std::move(held)});
    freed_.notify_all();
}

void ConnectionPool::close_expired() {
    const auto oldest = now_() - limits_.idle_lifetime;
    std::erase_if(idle_, [oldest](const Idle& idle) { return idle.since <= oldest; });
}

}  // namespace crawler::adapters

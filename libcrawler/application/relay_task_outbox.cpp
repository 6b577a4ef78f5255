#include "application/relay_task_outbox.hpp"

#include <algorithm>
#include <utility>

namespace crawler::application {

Async<Result<std::size_t>> RelayTaskOutbox::run_once() {
    const auto allowed = co_await allowance();
    if (!allowed) co_return allowed.error();
    if (*allowed == 0) co_return std::size_t{0};

    auto claimed = co_await p_.outbox.claim(*allowed, p_.clock.now(), settings_.outbox.lease);
    if (!claimed) co_return claimed.error();
    auto& entries = *claimed;
    if (entries.empty()) co_return std::size_t{0};

    const auto sent = co_await send(entries);

    ports::TasksPublished event;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& entry = entries[i];
        const auto moved =
            sent[i] ? entry.mark_sent() : entry.mark_failed(sent[i].error(), settings_.outbox.retry, p_.clock.now());
        if (!moved) co_return moved.error();
        ++(sent[i] ? event.sent : entry.state().status == OutboxStatus::dead ? event.dead : event.retried);
    }

    const auto count = entries.size();
    const auto settled = co_await p_.outbox.settle(std::move(entries), p_.clock.now());
    if (!settled) co_return settled.error();
    if (*settled < count) p_.telemetry.emit(ports::ClaimsLost{ports::Loop::task_outbox, count - *settled});
    p_.telemetry.emit(event);
    co_return count;
}

// What the budget can serve soon, less what waits for it in the queue already. While the breaker is open that is nothing.
Async<Result<int>> RelayTaskOutbox::allowance() {
    const auto pool = co_await p_.identities.look(settings_.horizon);
    if (!pool) co_return pool.error();
    tell(*pool);
    const auto depth = co_await p_.queue.depth();
    if (!depth) co_return depth.error();
    const auto servable = pool->breaker == BreakerStatus::open ? 0 : pool->servable;
    const auto left = std::clamp<std::int64_t>(servable - depth->waiting, 0, settings_.outbox.batch);
    tell_if_changed(left == 0, servable, depth->waiting);
    co_return static_cast<int>(left);
}

void RelayTaskOutbox::tell(const ports::PoolView& pool) {
    const auto& ids = pool.identities;
    p_.telemetry.emit(ports::PoolObserved{.total = ids.total,
                                          .available = ids.available,
                                          .suspended = ids.suspended,
                                          .blocked = ids.blocked,
                                          .health_min = ids.health_min,
                                          .health_average = static_cast<int>(ids.health_average()),
                                          .budget_left = ids.budget_left,
                                          .left_this_hour = pool.left_this_hour,
                                          .paused = pool.breaker != BreakerStatus::closed});
}

void RelayTaskOutbox::tell_if_changed(bool held, std::int64_t servable, std::int64_t waiting) {
    if (std::exchange(is_held_back_, held) == held) return;
    p_.telemetry.emit(ports::PublishingHeldBack{held, servable, waiting});
}

// One result per entry; where the whole send failed, each has that failure.
Async<std::vector<Result<>>> RelayTaskOutbox::send(std::vector<OutboxEntry> entries) {
    std::vector<ports::OutgoingMessage> messages;
    messages.reserve(entries.size());
    for (const auto& entry : entries)
        messages.push_back({entry.state().payload, entry.state().group, entry.state().idempotency_key});

    auto sent = co_await p_.queue.send(std::move(messages));
    if (sent) co_return std::move(*sent);
    co_return std::vector<Result<>>(entries.size(), Result<>(sent.error()));
}

}  // namespace crawler::application

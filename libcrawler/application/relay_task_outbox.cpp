#include "application/relay_task_outbox.hpp"

namespace crawler::application {

Async<Result<std::size_t>> RelayTaskOutbox::run_once() {
    auto claimed = co_await p_.outbox.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    auto& entries = *claimed;
    if (entries.empty()) co_return std::size_t{0};

    const auto sent = co_await send(entries);

    ports::TasksPublished event;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& entry = entries[i];
        const auto moved =
            sent[i] ? entry.mark_sent() : entry.mark_failed(sent[i].error(), settings_.retry, p_.clock.now());
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

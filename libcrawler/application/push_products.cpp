#include "application/push_products.hpp"

namespace crawler::application {

Async<Result<std::size_t>> PushProducts::run_once() {
    auto claimed = co_await p_.outbox.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    const auto count = claimed->size();
    for (auto& entry : *claimed) {
        const auto settled = co_await push(std::move(entry));
        if (!settled) co_return settled.error();
    }
    co_return count;
}

// The call comes first and outside any transaction; told twice under one key is told once.
Async<Result<>> PushProducts::push(OutboxEntry entry) {
    const auto pushed = co_await p_.server.push(entry);
    const auto moved = pushed ? entry.mark_sent() : entry.mark_failed(pushed.error(), settings_.retry, p_.clock.now());
    if (!moved) co_return moved.error();

    const auto& state = entry.state();
    const ports::Event event = pushed ? ports::Event{ports::ProductPushed{state.id, state.subject}}
                                      : ports::Event{ports::ProductPushFailed{state.id, state.subject, pushed.error(),
                                                                              state.status == OutboxStatus::dead}};
    std::vector<OutboxEntry> batch;
    batch.push_back(std::move(entry));
    const auto settled = co_await p_.outbox.settle(std::move(batch), p_.clock.now());
    if (!settled) co_return settled.error();
    if (*settled == 0) p_.telemetry.emit(ports::ClaimsLost{ports::Loop::product_outbox, 1});
    p_.telemetry.emit(event);
    co_return Result<>{};
}

}  // namespace crawler::application

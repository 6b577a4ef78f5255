#include "application/push_products.hpp"

#include <utility>

namespace crawler::application {

Async<Result<std::size_t>> PushProducts::run_once() {
    const auto last_start = p_.clock.now() + settings_.outbox.lease - settings_.reserve;
    auto claimed = co_await p_.outbox.claim(settings_.outbox.batch, p_.clock.now(), settings_.outbox.lease);
    if (!claimed) co_return claimed.error();
    Pushed pushed;
    for (auto& entry : *claimed) {
        if (p_.clock.now() >= last_start || is_down(pushed)) {
            if (const auto untried = entry.release(); !untried) co_return untried.error();
            pushed.entries.push_back(std::move(entry));
        } else {
            const auto noted = co_await push(std::move(entry), pushed);
            if (!noted) co_return noted.error();
        }
        if (std::ssize(pushed.entries) < settings_.settle_batch) continue;
        Pushed batch{.unheard_in_a_row = pushed.unheard_in_a_row};
        std::swap(batch, pushed);
        const auto settled = co_await settle(std::move(batch));
        if (!settled) co_return settled.error();
    }
    const bool gave_up = is_down(pushed);
    const auto settled = co_await settle(std::move(pushed));
    if (!settled) co_return settled.error();
    if (gave_up) co_return Error{Errc::unavailable, "the product server takes in nothing"};
    co_return claimed->size();
}

bool PushProducts::is_down(const Pushed& pushed) const {
    return pushed.unheard_in_a_row >= settings_.most_unheard;
}

// Outside any transaction; told twice under one key is told once. That a push fails is an outcome like any other.
Async<Result<>> PushProducts::push(OutboxEntry entry, Pushed& pushed) {
    const auto answer = co_await p_.server.push(entry);
    const auto moved =
        answer ? entry.mark_sent() : entry.mark_failed(answer.error(), settings_.outbox.retry, p_.clock.now());
    if (!moved) co_return moved.error();

    const auto& state = entry.state();
    const bool was_unheard = !answer && is_retryable(answer.error().code);
    pushed.unheard_in_a_row = was_unheard ? pushed.unheard_in_a_row + 1 : 0;
    if (answer) {
        pushed.events.emplace_back(ports::ProductPushed{state.id, state.subject});
    } else {
        const bool is_final = state.status == OutboxStatus::dead;
        pushed.events.emplace_back(ports::ProductPushFailed{state.id, state.subject, answer.error(), is_final});
    }
    pushed.entries.push_back(std::move(entry));
    co_return Result<>{};
}

Async<Result<>> PushProducts::settle(Pushed pushed) {
    if (pushed.entries.empty()) co_return Result<>{};
    const auto count = pushed.entries.size();
    const auto settled = co_await p_.outbox.settle(std::move(pushed.entries), p_.clock.now());
    if (!settled) co_return settled.error();
    if (*settled < count) p_.telemetry.emit(ports::ClaimsLost{ports::Loop::product_outbox, count - *settled});
    for (const auto& event : pushed.events) p_.telemetry.emit(event);
    co_return Result<>{};
}

}  // namespace crawler::application

#include "application/relay_scheduler_outbox.hpp"

#include "codec/payload.hpp"

namespace crawler::application {
namespace {

// The type as the payload says it; of one that cannot be read, nothing was done.
bool removes(const OutboxEntry& order) {
    const auto payload = codec::read_schedule_payload(order.state().payload);
    return payload && payload->type == SchedulerOutboxType::schedule_deleted;
}

ports::Event event_of(const OutboxEntry& order, const Result<>& done) {
    const auto& state = order.state();
    if (done) {
        const bool removed = removes(order);
        return ports::RulesChanged{.put = removed ? 0U : 1U, .removed = removed ? 1U : 0U};
    }
    if (state.status != OutboxStatus::dead) return ports::RulesChanged{.retried = 1};
    const auto seller = SellerId::parse(state.subject);
    return ports::ScheduleFailed{state.subject, seller ? rule_name(*seller) : std::string(), done.error()};
}

}  // namespace

Async<Result<std::size_t>> RelaySchedulerOutbox::run_once() {
    // No order is begun in the second half of the lease: it could be carried out after a younger one that another replica was given
    // meanwhile.
    const auto last_start = p_.clock.now() + settings_.lease / 2;
    auto claimed = co_await p_.outbox.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    std::vector<OutboxEntry> late;
    for (auto& order : *claimed) {
        if (p_.clock.now() >= last_start) {
            if (const auto released = order.release(); !released) co_return released.error();
            late.push_back(std::move(order));
            continue;
        }
        const auto settled = co_await carry_out(std::move(order));
        if (!settled) co_return settled.error();
    }
    if (late.empty()) co_return claimed->size();
    const auto settled = co_await p_.outbox.settle(std::move(late), p_.clock.now());
    if (!settled) co_return settled.error();
    co_return claimed->size();
}

// The rule is changed first and outside any transaction; changing it twice to the same is changing it once.
Async<Result<>> RelaySchedulerOutbox::carry_out(OutboxEntry order) {
    const auto done = co_await change_rule(order.state().payload);
    const auto moved = done ? order.mark_sent() : order.mark_failed(done.error(), settings_.retry, p_.clock.now());
    if (!moved) co_return moved.error();

    const auto event = event_of(order, done);
    std::vector<OutboxEntry> batch;
    batch.push_back(std::move(order));
    const auto settled = co_await p_.outbox.settle(std::move(batch), p_.clock.now());
    if (!settled) co_return settled.error();
    if (*settled == 0) {
        p_.telemetry.emit(ports::ClaimsLost{ports::Loop::scheduler_outbox, 1});
    } else {
        p_.telemetry.emit(event);
    }
    co_return Result<>{};
}

Async<Result<>> RelaySchedulerOutbox::change_rule(std::string payload) {
    auto order = codec::read_schedule_payload(payload);
    if (!order) co_return order.error();
    if (order->type == SchedulerOutboxType::schedule_deleted) co_return co_await p_.rules.remove(order->rule_name);

    auto seller = SellerId::parse(order->seller);
    if (!seller) co_return seller.error();
    ScheduleRule rule{.name = std::move(order->rule_name),
                      .expression = std::move(order->schedule_expression),
                      .input = trigger_input(*seller)};
    co_return co_await p_.rules.put(std::move(rule));
}

}  // namespace crawler::application

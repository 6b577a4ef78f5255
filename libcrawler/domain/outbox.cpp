#include "domain/outbox.hpp"

namespace crawler {

OutboxEntry OutboxEntry::create(Content content, TimePoint now, Duration wait) {
    return OutboxEntry(State{.id = std::move(content.id),
                             .subject = content.subject,
                             .group = content.group.empty() ? content.subject : std::move(content.group),
                             .lane = std::move(content.lane),
                             .payload = std::move(content.payload),
                             .idempotency_key = std::move(content.idempotency_key),
                             .due_at = now + wait,
                             .created_at = now});
}

bool OutboxEntry::is_claimable(TimePoint now) const {
    return static_cast<bool>(may(OutboxVerb::claim, now));
}

Result<> OutboxEntry::claim(TimePoint now, Duration lease) {
    if (auto allowed = may(OutboxVerb::claim, now); !allowed) return allowed;
    if (auto moved = move(OutboxVerb::claim, OutboxStatus::processing); !moved) return moved;
    state_.lease_until = now + lease;
    ++state_.attempt;
    return {};
}

Result<> OutboxEntry::mark_sent() {
    return move(OutboxVerb::mark_sent, OutboxStatus::sent);
}

Result<> OutboxEntry::mark_failed(const Error& why, const RetryPolicy& policy, TimePoint now) {
    const auto asked = why.retry_after.value_or(Duration{});
    const auto wait =
        is_retryable(why.code) ? policy.next_wait(state_.retry_count, state_.id.value, asked) : std::nullopt;
    const auto to = wait ? OutboxStatus::failed : OutboxStatus::dead;
    if (auto moved = move(OutboxVerb::mark_failed, to); !moved) return moved;
    state_.error_message = std::string(to_string(why.code)) + ": " + why.detail;
    if (wait) {
        ++state_.retry_count;
        state_.due_at = now + *wait;
    }
    return {};
}

Result<> OutboxEntry::release() {
    return move(OutboxVerb::release, OutboxStatus::pending);
}

Result<> OutboxEntry::redrive(TimePoint now) {
    if (auto moved = move(OutboxVerb::redrive, OutboxStatus::pending); !moved) return moved;
    state_.retry_count = 0;
    state_.due_at = now;
    return {};
}

// The part of a refusal that does not depend on where the verb leads: the state, and the time for what must wait.
Result<> OutboxEntry::may(OutboxVerb verb, TimePoint now) const {
    auto refused = outbox_table.refusal(state_.status, verb, state_.id.value);
    if (!outbox_table.allows(state_.status, verb)) return refused;
    const bool is_claimed = state_.status == OutboxStatus::processing;
    if (is_claimed ? state_.lease_until <= now : state_.due_at <= now) return {};
    refused.detail += is_claimed ? ": its lease runs until " + to_rfc3339(*state_.lease_until)
                                 : ": it is due at " + to_rfc3339(state_.due_at);
    return refused;
}

Result<> OutboxEntry::move(OutboxVerb verb, OutboxStatus to) {
    if (auto moved = outbox_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.lease_until.reset();
    return {};
}

}  // namespace crawler

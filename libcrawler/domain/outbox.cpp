#include "domain/outbox.hpp"

namespace crawler {

OutboxEntry OutboxEntry::create(OutboxId id, std::string subject, std::string payload, std::string idempotency_key,
                                TimePoint now, Duration wait) {
    return OutboxEntry(State{.id = std::move(id),
                             .subject = std::move(subject),
                             .payload = std::move(payload),
                             .idempotency_key = std::move(idempotency_key),
                             .due_at = now + wait,
                             .created_at = now});
}

bool OutboxEntry::is_claimable(TimePoint now) const {
    if (state_.status == OutboxStatus::pending) return state_.due_at <= now;
    return state_.status == OutboxStatus::processing && state_.lease_until <= now;
}

Result<> OutboxEntry::claim(TimePoint now, Duration lease) {
    if (!is_claimable(now)) return wrong_state("claim");
    state_.status = OutboxStatus::processing;
    state_.lease_until = now + lease;
    ++state_.attempt;
    return {};
}

Result<> OutboxEntry::mark_sent() {
    if (state_.status != OutboxStatus::processing) return wrong_state("mark as sent");
    state_.status = OutboxStatus::sent;
    state_.lease_until.reset();
    return {};
}

Result<> OutboxEntry::mark_failed(const Error& why, const RetryPolicy& policy, TimePoint now) {
    if (state_.status != OutboxStatus::processing) return wrong_state("mark as failed");
    const auto wait = is_retryable(why.code) ? policy.next_wait(state_.retry_count) : std::nullopt;
    state_.status = wait ? OutboxStatus::pending : OutboxStatus::dead;
    state_.lease_until.reset();
    state_.error_message = std::string(to_string(why.code)) + ": " + why.detail;
    if (wait) {
        ++state_.retry_count;
        state_.due_at = now + *wait;
    }
    return {};
}

Error OutboxEntry::wrong_state(const char* verb) const {
    return {Errc::conflict, "outbox entry " + state_.id.value + " is " + std::string(to_string(state_.status)) +
                                "; cannot " + verb + " it"};
}

}  // namespace crawler

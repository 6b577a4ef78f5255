#include "domain/crawled_raw.hpp"

namespace crawler {

bool CrawledRaw::is_claimable(TimePoint now) const {
    const bool held = state_.lease_until && *state_.lease_until > now;
    const bool early = state_.due_at && *state_.due_at > now;
    return raw_table.allows(state_.status, RawVerb::claim) && !held && !early;
}

Result<> CrawledRaw::claim(TimePoint now, Duration lease) {
    if (!is_claimable(now)) {
        auto refused = raw_table.refusal(state_.status, RawVerb::claim, state_.id.value);
        if (raw_table.allows(state_.status, RawVerb::claim)) refused.detail += ": held by another, or not due yet";
        return refused;
    }
    if (state_.lease_until) ++state_.lost_count;
    state_.lease_until = now + lease;
    ++state_.attempt;
    return {};
}

Result<> CrawledRaw::mark_processed() {
    return settle(RawVerb::process, RawStatus::processed, {});
}

Result<> CrawledRaw::mark_failed(const Error& why, const RetryPolicy& policy, TimePoint now) {
    const auto wait = policy.next_wait(state_.retry_count, state_.id.value);
    auto reason = std::string(to_string(why.code)) + ": " + why.detail;
    if (auto settled = settle(RawVerb::fail, wait ? RawStatus::failed : RawStatus::quarantined, std::move(reason));
        !settled)
        return settled;
    if (wait) {
        ++state_.retry_count;
        state_.due_at = now + *wait;
    }
    return {};
}

Result<> CrawledRaw::quarantine(std::string reason) {
    return settle(RawVerb::quarantine, RawStatus::quarantined, std::move(reason));
}

Result<> CrawledRaw::replay() {
    if (auto moved = raw_table.move(state_.status, RawVerb::replay, RawStatus::pending, state_.id.value); !moved)
        return moved;
    state_.retry_count = 0;
    state_.lost_count = 0;
    state_.due_at.reset();
    state_.lease_until.reset();
    return {};
}

Result<> CrawledRaw::settle(RawVerb verb, RawStatus to, std::string reason) {
    if (raw_table.allows(state_.status, verb) && !state_.lease_until) {
        auto refused = raw_table.refusal(state_.status, verb, state_.id.value);
        refused.detail += ": it is not claimed";
        return refused;
    }
    if (auto moved = raw_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.due_at.reset();
    state_.lease_until.reset();
    state_.reason = std::move(reason);
    return {};
}

}  // namespace crawler

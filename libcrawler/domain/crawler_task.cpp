#include "domain/crawler_task.hpp"

#include <cassert>

namespace crawler {
namespace {

// The same request may succeed later, at the price of a retry.
bool may_pass(ErrorClass why) {
    return why == ErrorClass::throttled || why == ErrorClass::transient || why == ErrorClass::auth;
}

}  // namespace

CrawlerTask CrawlerTask::create(TaskId id, ExecutionId execution, SellerId seller, RequestUrl request_url,
                                TimePoint now) {
    return CrawlerTask(State{.id = std::move(id),
                             .execution = std::move(execution),
                             .seller = std::move(seller),
                             .request_url = std::move(request_url),
                             .created_at = now,
                             .updated_at = now});
}

Result<> CrawlerTask::publish(TimePoint now) {
    if (auto moved = move(TaskVerb::publish, TaskStatus::published, now); !moved) return moved;
    state_.published_at = now;
    return {};
}

Result<> CrawlerTask::start(TimePoint now, Duration lease) {
    if (auto moved = move(TaskVerb::start, TaskStatus::in_progress, now); !moved) return moved;
    ++state_.attempt;
    state_.rescue_count = 0;
    state_.started_at = now;
    state_.lease_until = now + lease;
    return {};
}

Result<> CrawlerTask::complete(TimePoint now, CompletedAs as) {
    if (as == CompletedAs::gone && !asks_about_item(type())) {
        if (auto allowed = may(TaskVerb::complete, now); !allowed) return allowed;
        return Error{Errc::invalid, "CrawlerTask " + state_.id.value + " is a " + std::string(to_string(type())) +
                                        "; only an item can be gone"};
    }
    if (auto moved = move(TaskVerb::complete, TaskStatus::completed, now); !moved) return moved;
    state_.completed_as = as;
    state_.error_class.reset();
    state_.error_message.clear();
    return {};
}

Result<std::optional<Duration>> CrawlerTask::fail(ErrorClass why, std::string message, const RetryPolicy& policy,
                                                  TimePoint now, Duration retry_after) {
    if (auto allowed = may(TaskVerb::fail, now); !allowed) return allowed.error();
    if (why == ErrorClass::no_capacity)
        return Error{Errc::invalid, "CrawlerTask " + state_.id.value + " had no capacity; postpone it"};
    if (why == ErrorClass::gone && asks_about_item(type()))
        return Error{Errc::invalid, "the item of CrawlerTask " + state_.id.value + " is gone; complete it as that"};

    const auto wait = may_pass(why) ? policy.next_wait(state_.retry_count, state_.id.value, retry_after) : std::nullopt;
    return end_attempt(TaskVerb::fail, why, std::move(message), wait, now);
}

Result<std::optional<Duration>> CrawlerTask::fail(const Error& why, const RetryPolicy& policy, TimePoint now,
                                                  Duration retry_after) {
    return fail(class_of(why.code), std::string(to_string(why.code)) + ": " + why.detail, policy, now, retry_after);
}

Result<> CrawlerTask::postpone(TimePoint now) {
    return move(TaskVerb::postpone, TaskStatus::retry, now);
}

Result<std::optional<Duration>> CrawlerTask::abandon(const RetryPolicy& policy, TimePoint now) {
    if (auto free = may(TaskVerb::abandon, now); !free) return free.error();
    auto message = "attempt " + std::to_string(state_.attempt) + " ended with its lease, without an outcome";
    const auto wait = policy.next_wait(state_.retry_count, state_.id.value);
    return end_attempt(TaskVerb::abandon, ErrorClass::transient, std::move(message), wait, now);
}

Result<bool> CrawlerTask::republish(const RescuePolicy& policy, TimePoint now) {
    const bool again = state_.rescue_count < policy.max_republish;
    if (auto moved = move(TaskVerb::republish, again ? state_.status : TaskStatus::failed, now); !moved)
        return moved.error();
    if (again) {
        ++state_.rescue_count;
    } else {
        state_.error_class = ErrorClass::transient;
        state_.error_message =
            "published again " + std::to_string(state_.rescue_count) + " times by rescue, and never started";
    }
    return again;
}

Result<> CrawlerTask::retry(TimePoint now) {
    if (auto moved = move(TaskVerb::retry, TaskStatus::retry, now); !moved) return moved;
    state_.retry_count = 0;
    state_.rescue_count = 0;
    return {};
}

OutboxEntry CrawlerTask::publication(OutboxId id, TimePoint now, Duration wait) {
    assert(awaits_publication() || state_.status == TaskStatus::published);
    const auto& task = state_.id.value;
    auto key = "outbox-" + task + "-" + std::to_string(++state_.publications);
    return OutboxEntry::create({.id = std::move(id),
                                .subject = task,
                                .payload = task,
                                .idempotency_key = std::move(key),
                                .lane = state_.seller.value(),
                                .group = state_.request_url.message_group()},
                               now, wait);
}

std::optional<TimePoint> CrawlerTask::busy_until(TimePoint now) const {
    if (state_.status != TaskStatus::in_progress || state_.lease_until <= now) return std::nullopt;
    return state_.lease_until;
}

// The part of a refusal that does not depend on where the verb leads: the state and, for who takes over, the lease.
Result<> CrawlerTask::may(TaskVerb verb, TimePoint now) const {
    auto refused = task_table.refusal(state_.status, verb, state_.id.value);
    if (!task_table.allows(state_.status, verb)) return refused;
    const auto busy = verb == TaskVerb::abandon ? busy_until(now) : std::nullopt;
    if (!busy) return {};
    refused.detail += ": its lease runs until " + to_rfc3339(*busy);
    return refused;
}

Result<> CrawlerTask::move(TaskVerb verb, TaskStatus to, TimePoint now) {
    if (auto moved = task_table.move(state_.status, verb, to, state_.id.value); !moved) return moved;
    state_.updated_at = now;
    state_.lease_until.reset();
    state_.completed_at = is_terminal() ? std::optional(now) : std::nullopt;
    return {};
}

Result<std::optional<Duration>> CrawlerTask::end_attempt(TaskVerb verb, ErrorClass why, std::string message,
                                                         std::optional<Duration> wait, TimePoint now) {
    if (auto moved = move(verb, wait ? TaskStatus::retry : TaskStatus::failed, now); !moved) return moved.error();
    state_.error_class = why;
    state_.error_message = std::move(message);
    if (wait) ++state_.retry_count;
    return wait;
}

}  // namespace crawler

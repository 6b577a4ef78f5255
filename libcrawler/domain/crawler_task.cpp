#include "domain/crawler_task.hpp"

#include <algorithm>

namespace crawler {
namespace {

struct Transition {
    TaskStatus from;
    TaskStatus to;
};

// Every transition there is; what is not here is an error.
constexpr Transition transitions[] = {
    {TaskStatus::waiting, TaskStatus::published},     {TaskStatus::retry, TaskStatus::published},
    {TaskStatus::published, TaskStatus::in_progress}, {TaskStatus::in_progress, TaskStatus::completed},
    {TaskStatus::in_progress, TaskStatus::retry},     {TaskStatus::in_progress, TaskStatus::failed},
};

}  // namespace

CrawlerTask CrawlerTask::create(TaskId id, ExecutionId execution, SellerId seller, TaskType type,
                                std::string request_url, TimePoint now) {
    return CrawlerTask(State{.id = std::move(id),
                             .execution = std::move(execution),
                             .seller = std::move(seller),
                             .type = type,
                             .request_url = std::move(request_url),
                             .created_at = now,
                             .updated_at = now});
}

Result<> CrawlerTask::publish(TimePoint now) {
    return move(TaskStatus::published, "publish", now);
}

Result<> CrawlerTask::start(TimePoint now, Duration lease) {
    const bool abandoned = state_.status == TaskStatus::in_progress && !busy_until(now);
    if (abandoned) {
        state_.updated_at = now;
    } else if (auto moved = move(TaskStatus::in_progress, "start", now); !moved) {
        return moved;
    }
    ++state_.attempt;
    state_.lease_until = now + lease;
    return {};
}

std::optional<TimePoint> CrawlerTask::busy_until(TimePoint now) const {
    if (state_.status != TaskStatus::in_progress || state_.lease_until <= now) return std::nullopt;
    return state_.lease_until;
}

Result<> CrawlerTask::complete(TimePoint now) {
    return move(TaskStatus::completed, "complete", now);
}

Result<std::optional<Duration>> CrawlerTask::fail(const Error& why, const RetryPolicy& policy, TimePoint now) {
    const auto wait = is_retryable(why.code) ? policy.next_wait(state_.retry_count) : std::nullopt;
    if (auto moved = move(wait ? TaskStatus::retry : TaskStatus::failed, "fail", now); !moved) return moved.error();
    state_.error_message = std::string(to_string(why.code)) + ": " + why.detail;
    if (wait) ++state_.retry_count;
    return wait;
}

Result<> CrawlerTask::move(TaskStatus to, const char* verb, TimePoint now) {
    const auto allowed =
        std::ranges::any_of(transitions, [&](const Transition& t) { return t.from == state_.status && t.to == to; });
    if (!allowed)
        return Error{Errc::conflict, "task " + state_.id.value + " is " + std::string(to_string(state_.status)) +
                                         "; cannot " + verb + " it"};
    state_.status = to;
    state_.updated_at = now;
    state_.lease_until.reset();
    return {};
}

}  // namespace crawler

// One request to the marketplace that has to be made, and how far it got.
#pragma once
#include <optional>
#include <string>

#include "domain/ids.hpp"
#include "domain/retry_policy.hpp"
#include "domain/seller.hpp"

namespace crawler {

enum class TaskType { minishop, search, product_detail, product_option };
constexpr auto names(TaskType) {
    return std::to_array<EnumName<TaskType>>({{TaskType::minishop, "MINISHOP"},
                                              {TaskType::search, "SEARCH"},
                                              {TaskType::product_detail, "PRODUCT_DETAIL"},
                                              {TaskType::product_option, "PRODUCT_OPTION"}});
}

enum class TaskStatus { waiting, published, in_progress, completed, failed, retry };
constexpr auto names(TaskStatus) {
    return std::to_array<EnumName<TaskStatus>>({{TaskStatus::waiting, "WAITING"},
                                                {TaskStatus::published, "PUBLISHED"},
                                                {TaskStatus::in_progress, "IN_PROGRESS"},
                                                {TaskStatus::completed, "COMPLETED"},
                                                {TaskStatus::failed, "FAILED"},
                                                {TaskStatus::retry, "RETRY"}});
}

class CrawlerTask {
  public:
    struct State {
        TaskId id;
        ExecutionId execution;
        SellerId seller;
        TaskType type = TaskType::minishop;
        std::string request_url;  // path and query; the host is configuration
        TaskStatus status = TaskStatus::waiting;
        int attempt = 0;  // counts starts; fences off a worker whose lease was given to another
        int retry_count = 0;
        std::optional<TimePoint> lease_until;
        std::string error_message;
        TimePoint created_at;
        TimePoint updated_at;
        std::int64_t revision = 0;
    };

    static CrawlerTask create(TaskId id, ExecutionId execution, SellerId seller, TaskType type, std::string request_url,
                              TimePoint now);
    static CrawlerTask restore(State state) { return CrawlerTask(std::move(state)); }

    // Each verb either happens or says which state it found.
    Result<> publish(TimePoint now);  // WAITING, RETRY -> PUBLISHED
    // PUBLISHED -> IN_PROGRESS, under a lease; also from IN_PROGRESS once the lease of whoever had it is over.
    Result<> start(TimePoint now, Duration lease);
    Result<> complete(TimePoint now);  // IN_PROGRESS -> COMPLETED
    // IN_PROGRESS -> RETRY with the wait before the next attempt, or FAILED and no wait.
    Result<std::optional<Duration>> fail(const Error& why, const RetryPolicy& policy, TimePoint now);

    // WAITING or RETRY: a message about it came before it was noted as PUBLISHED.
    bool awaits_publication() const {
        return state_.status == TaskStatus::waiting || state_.status == TaskStatus::retry;
    }
    // IN_PROGRESS under a lease that is not over: somebody is at it until then.
    std::optional<TimePoint> busy_until(TimePoint now) const;
    bool is_terminal() const { return state_.status == TaskStatus::completed || state_.status == TaskStatus::failed; }
    const State& state() const { return state_; }

  private:
    explicit CrawlerTask(State state) : state_(std::move(state)) {}
    Result<> move(TaskStatus to, const char* verb, TimePoint now);
    State state_;
};

}  // namespace crawler

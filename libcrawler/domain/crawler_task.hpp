// One request to the marketplace that has to be made, and how far it got.
#pragma once
#include <optional>
#include <string>

#include "domain/error_class.hpp"
#include "domain/outbox.hpp"
#include "domain/request_url.hpp"
#include "domain/retry_policy.hpp"
#include "domain/task_table.hpp"

namespace crawler {

enum class CompletedAs { fetched, gone };
constexpr auto names(CompletedAs) {
    return std::to_array<EnumName<CompletedAs>>({{CompletedAs::fetched, "FETCHED"}, {CompletedAs::gone, "GONE"}});
}

struct RescuePolicy {
    int max_republish = 3;  // of one task, between two starts
};

class CrawlerTask {
  public:
    struct State {
        TaskId id;
        ExecutionId execution;
        SellerId seller;
        RequestUrl request_url;  // knows the type of the task, too
        TaskStatus status = TaskStatus::waiting;
        int attempt = 0;       // counts starts; fences off a worker whose lease was given to another
        int retry_count = 0;   // failures that did not end it, since it was created or an operator revived it
        int rescue_count = 0;  // publications by rescue since the last start: a start proves that messages get through
        int publications = 0;  // outbox entries made for it, each with a key of its own
        std::optional<TimePoint> lease_until;
        std::optional<CompletedAs> completed_as;
        std::optional<ErrorClass> error_class;  // of the last failure, until the next outcome
        std::string error_message;
        TimePoint created_at;
        std::optional<TimePoint> published_at;  // the last time
        std::optional<TimePoint> started_at;    // the last time
        std::optional<TimePoint> completed_at;  // when it came to its end, COMPLETED or FAILED
        TimePoint updated_at;
        std::int64_t revision = 0;

        friend bool operator==(const State&, const State&) = default;
    };

    static CrawlerTask create(TaskId id, ExecutionId execution, SellerId seller, RequestUrl request_url, TimePoint now);
    static CrawlerTask restore(State state) { return CrawlerTask(std::move(state)); }

    // Each verb either happens as task_table says, or is a conflict that names the state it found and changes nothing.
    Result<> publish(TimePoint now);
    Result<> start(TimePoint now, Duration lease);
    // invalid: only an item can be gone.
    Result<> complete(TimePoint now, CompletedAs as = CompletedAs::fetched);
    // The wait before the next attempt, no shorter than the marketplace asked for in `retry_after`; none: it has FAILED.
    // invalid: what is no failure. Without capacity it is postponed, an item that is gone completes it.
    Result<std::optional<Duration>> fail(ErrorClass why, std::string message, const RetryPolicy& policy, TimePoint now,
                                         Duration retry_after = {});
    Result<std::optional<Duration>> fail(const Error& why, const RetryPolicy& policy, TimePoint now,
                                         Duration retry_after = {});
    Result<> postpone(TimePoint now);  // there was no capacity: nothing was asked, no retry is burned

    // Who had it is gone: as fail, with its wait, so that work which kills its worker comes to an end. Conflict while the lease runs.
    Result<std::optional<Duration>> abandon(const RetryPolicy& policy, TimePoint now);
    // Its message or outbox entry is lost. True: it needs another publication; false: it had enough of them, and FAILED.
    Result<bool> republish(const RescuePolicy& policy, TimePoint now);
    // An operator revives it, with all its retries. It needs a publication.
    Result<> retry(TimePoint now);

    // The entry that will publish it, due after `wait`; to be stored with the task, in one transaction. Only for one that
    // is WAITING, RETRY or PUBLISHED.
    OutboxEntry publication(OutboxId id, TimePoint now, Duration wait = {});

    // WAITING or RETRY: a message about it came before it was noted as PUBLISHED.
    bool awaits_publication() const {
        return state_.status == TaskStatus::waiting || state_.status == TaskStatus::retry;
    }
    // IN_PROGRESS under a lease that is not over: somebody is at it until then.
    std::optional<TimePoint> busy_until(TimePoint now) const;
    bool is_terminal() const { return state_.status == TaskStatus::completed || state_.status == TaskStatus::failed; }
    TaskType type() const { return state_.request_url.type(); }
    const State& state() const { return state_; }

  private:
    explicit CrawlerTask(State state) : state_(std::move(state)) {}
    Result<> may(TaskVerb verb, TimePoint now) const;
    Result<> move(TaskVerb verb, TaskStatus to, TimePoint now);
    Result<std::optional<Duration>> end_attempt(TaskVerb verb, ErrorClass why, std::string message,
                                                std::optional<Duration> wait, TimePoint now);
    State state_;
};

}  // namespace crawler

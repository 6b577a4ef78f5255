// One message that must leave the database: written in the transaction that caused it, sent by a relay, kept until it is sent
// or dead. The same entry serves the task, the scheduler and the product outbox.
#pragma once
#include <optional>
#include <string>

#include "domain/ids.hpp"
#include "domain/result.hpp"
#include "domain/retry_policy.hpp"

namespace crawler {

enum class OutboxStatus { pending, processing, sent, dead };
constexpr auto names(OutboxStatus) {
    return std::to_array<EnumName<OutboxStatus>>({{OutboxStatus::pending, "PENDING"},
                                                  {OutboxStatus::processing, "PROCESSING"},
                                                  {OutboxStatus::sent, "SENT"},
                                                  {OutboxStatus::dead, "DEAD"}});
}

class OutboxEntry {
  public:
    struct State {
        OutboxId id;
        std::string
            subject;  // what it is about: a task id, a seller id, an item number; entries of one subject keep their order
        std::string payload;
        std::string idempotency_key;
        OutboxStatus status = OutboxStatus::pending;
        int attempt = 0;  // counts claims; fences off a relay whose lease is over
        int retry_count = 0;
        TimePoint due_at;
        std::optional<TimePoint> lease_until;
        std::string error_message;
        TimePoint created_at;
    };

    static OutboxEntry create(OutboxId id, std::string subject, std::string payload, std::string idempotency_key,
                              TimePoint now, Duration wait = {});  // due after `wait`
    static OutboxEntry restore(State state) { return OutboxEntry(std::move(state)); }

    // PENDING and due, or PROCESSING with its lease over: may be claimed.
    bool is_claimable(TimePoint now) const;
    Result<> claim(TimePoint now, Duration lease);  // -> PROCESSING
    Result<> mark_sent();                           // PROCESSING -> SENT
    Result<> mark_failed(const Error& why, const RetryPolicy& policy,
                         TimePoint now);  // PROCESSING -> PENDING later, or DEAD

    const State& state() const { return state_; }

  private:
    explicit OutboxEntry(State state) : state_(std::move(state)) {}
    Error wrong_state(const char* verb) const;
    State state_;
};

}  // namespace crawler

// One message that must leave the database: written in the transaction that caused it, sent by a relay, kept until it is sent
// or dead. The same entry serves the task, the scheduler and the product outbox.
#pragma once
#include <optional>
#include <string>

#include "domain/ids.hpp"
#include "domain/retry_policy.hpp"
#include "domain/state_table.hpp"

namespace crawler {

enum class OutboxStatus { pending, processing, sent, failed, dead };
constexpr auto names(OutboxStatus) {
    return std::to_array<EnumName<OutboxStatus>>({{OutboxStatus::pending, "PENDING"},
                                                  {OutboxStatus::processing, "PROCESSING"},
                                                  {OutboxStatus::sent, "SENT"},
                                                  {OutboxStatus::failed, "FAILED"},
                                                  {OutboxStatus::dead, "DEAD"}});
}

enum class OutboxVerb { claim, mark_sent, mark_failed, release, redrive };
constexpr auto names(OutboxVerb) {
    return std::to_array<EnumName<OutboxVerb>>({{OutboxVerb::claim, "claim"},
                                                {OutboxVerb::mark_sent, "mark as sent"},
                                                {OutboxVerb::mark_failed, "mark as failed"},
                                                {OutboxVerb::release, "release"},
                                                {OutboxVerb::redrive, "redrive"}});
}

inline constexpr StateTable outbox_table{
    "OutboxEntry", OutboxStatus::pending,
    std::to_array<Transition<OutboxStatus, OutboxVerb>>({
        {OutboxStatus::pending, OutboxVerb::claim, OutboxStatus::processing, "due"},
        {OutboxStatus::failed, OutboxVerb::claim, OutboxStatus::processing, "due"},
        {OutboxStatus::processing, OutboxVerb::claim, OutboxStatus::processing, "lease over"},
        {OutboxStatus::processing, OutboxVerb::mark_sent, OutboxStatus::sent},
        {OutboxStatus::processing, OutboxVerb::mark_failed, OutboxStatus::failed, "retries left"},
        {OutboxStatus::processing, OutboxVerb::mark_failed, OutboxStatus::dead,
         "retries spent, or it can never be sent"},
        {OutboxStatus::processing, OutboxVerb::release, OutboxStatus::pending},
        {OutboxStatus::dead, OutboxVerb::redrive, OutboxStatus::pending},
    })};

class OutboxEntry {
  public:
    struct State {
        OutboxId id;
        std::string subject;  // what it is about: a task, a seller, an item; entries of one subject keep their order
        std::string group;    // what whoever receives it handles one at a time
        std::string lane;     // what claims are fair between: the seller
        std::string payload;
        std::string idempotency_key;  // the same however often it is sent
        OutboxStatus status = OutboxStatus::pending;
        int attempt = 0;      // counts claims; fences off a relay whose lease is over
        int retry_count = 0;  // failures that did not kill it, since it was written or redriven
        TimePoint due_at;
        std::optional<TimePoint> lease_until;
        std::string error_message;
        TimePoint created_at;

        friend bool operator==(const State&, const State&) = default;
    };

    struct Content {
        OutboxId id;
        std::string subject;
        std::string payload;
        std::string idempotency_key;
        std::string lane = {};
        std::string group = {};  // where it has none of its own, the subject
    };
    static OutboxEntry create(Content content, TimePoint now, Duration wait = {});  // due after `wait`
    static OutboxEntry restore(State state) { return OutboxEntry(std::move(state)); }

    // May be claimed: PENDING or FAILED and due, or PROCESSING with its lease over.
    bool is_claimable(TimePoint now) const;

    // Each verb either happens as outbox_table says, or is a conflict that names the state it found and changes nothing.
    Result<> claim(TimePoint now, Duration lease);  // burns no retry
    Result<> mark_sent();
    // Due again after the back-off, and not before the other side wants it.
    Result<> mark_failed(const Error& why, const RetryPolicy& policy, TimePoint now);
    Result<> release();               // who claimed it did not get to it; burns no retry
    Result<> redrive(TimePoint now);  // an operator sends a dead one again, with all its retries

    const State& state() const { return state_; }

  private:
    explicit OutboxEntry(State state) : state_(std::move(state)) {}
    Result<> may(OutboxVerb verb, TimePoint now) const;
    Result<> move(OutboxVerb verb, OutboxStatus to);
    State state_;
};

}  // namespace crawler

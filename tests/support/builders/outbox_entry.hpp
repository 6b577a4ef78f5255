// Outbox entries for tests: an_entry("o-1", "t-1").claimed().build(), or as an argument without build().
#pragma once
#include <string>

#include "domain/outbox.hpp"
#include "support/t0.hpp"

namespace crawler::test {

class OutboxEntryBuilder {
  public:
    OutboxEntryBuilder(const std::string& id, const std::string& subject, TimePoint created)
        : state_(OutboxEntry::create({OutboxId{id}, subject, "payload of " + id, "key-" + id}, created).state()) {}

    OutboxEntryBuilder with_group(std::string group) {
        state_.group = std::move(group);
        return *this;
    }
    OutboxEntryBuilder in_lane(std::string lane) {
        state_.lane = std::move(lane);
        return *this;
    }
    OutboxEntryBuilder retries(int count) {
        state_.retry_count = count;
        return *this;
    }
    OutboxEntryBuilder due(TimePoint time) {
        state_.due_at = time;
        return *this;
    }
    OutboxEntryBuilder claimed() { return in(OutboxStatus::processing); }
    // As if it had come there at its creation; PROCESSING under a lease of a minute.
    OutboxEntryBuilder in(OutboxStatus status) {
        state_.status = status;
        state_.attempt = status == OutboxStatus::pending ? 0 : 1;
        if (status == OutboxStatus::processing) state_.lease_until = state_.created_at + std::chrono::minutes{1};
        return *this;
    }

    OutboxEntry build() const { return OutboxEntry::restore(state_); }
    operator OutboxEntry() const { return build(); }

  private:
    OutboxEntry::State state_;
};

inline OutboxEntryBuilder an_entry(const std::string& id = "o-1", const std::string& subject = "t-1",
                                   TimePoint created = t0) {
    return {id, subject, created};
}

}  // namespace crawler::test

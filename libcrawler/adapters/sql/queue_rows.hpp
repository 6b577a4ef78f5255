// The messages of the embedded queues as rows, for everybody who puts some in line or takes some out: the queue, its desk and the
// scheduler. What is in line is what has a time in visible_at; of a group that is its head alone, the oldest message there is of it.
// Whoever adds to a group, or takes its head away, has locked that head; the unique index on heads sees to groups that have none.
#pragma once
#include "adapters/sql/database.hpp"
#include "ports/message_queue.hpp"

namespace crawler::adapters::sql {

inline constexpr auto deduplication_interval = std::chrono::minutes{5};

struct NewMessage {
    std::string body;
    std::string group;
    TimePoint sent_at;
};

// Behind what is there, in this order.
void append_messages(Session& session, const std::string& queue, const std::vector<NewMessage>& messages,
                     TimePoint now);
// The same without those that were sent in the last five minutes.
void send_messages(Session& session, const std::string& queue, const std::vector<ports::OutgoingMessage>& messages,
                   TimePoint now);
// The head of this group has gone: the next is in line from now on. False where there is none.
bool promote_next(Session& session, const std::string& queue, const std::string& group, TimePoint now);
// By key, few at a time.
void delete_rows(Session& session, std::string_view table, const Values& sequence_numbers);

ports::QueueDepth depth_of(Session& session, const std::string& queue, TimePoint now);

// A transaction that puts messages in line. Two that begin a group, or use a deduplication id, at the same moment: the second fails on
// the key, and finds on another look what the first has written.
template <class Body>
Async<std::invoke_result_t<Body&, Session&>> transact_in_line(SqlDatabase& database, Body body) {
    constexpr int most_looks = 10;
    for (int look = 1;; ++look) {
        auto answer = co_await database.transact(body);
        if (answer || answer.error().code != Errc::conflict) co_return answer;
        if (look == most_looks) co_return Error{Errc::unavailable, answer.error().detail};
    }
}

}  // namespace crawler::adapters::sql

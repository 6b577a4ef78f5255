// Messages in the JSON of SQS: how they are sent and in which requests, what a receive brought, and what became of the entries of a batch.
#pragma once
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <span>

#include "adapters/aws/account.hpp"
#include "ports/queue_desk.hpp"

namespace crawler::adapters::aws {

inline constexpr std::size_t largest_message = 262'144;  // bytes, and so much for all of a batch

bool is_fifo(std::string_view queue);

// What SQS takes as a group or a deduplication id; of another text its digest.
std::string key_of(const std::string& text);

// invalid: SQS would take it from nobody.
Result<> check(const ports::OutgoingMessage& message);

// One request each, as indexes into `messages`: at most ten, at most so many bytes. Where several may be under way, messages of one
// group are all in the requests of one lane, in order.
using Batch = std::vector<std::size_t>;
std::vector<std::vector<Batch>> lanes_of(const std::vector<ports::OutgoingMessage>& messages,
                                         std::span<const std::size_t> indexes, std::size_t at_once);

// To a queue that keeps no order, without group and deduplication id. One that has none gets its own, `fresh`.
boost::json::object send_entry(const ports::OutgoingMessage& message, std::size_t id, bool fifo,
                               const std::string& fresh);

struct Received {
    std::string receipt;
    ports::StoredMessage message;
};
// unavailable: the answer is not what SQS would say.
Result<std::vector<Received>> received_in(const boost::json::object& answer);

// One per entry, by Id 0 to count - 1; unavailable for those that the answer does not mention.
std::vector<Result<>> outcomes_in(const boost::json::object& answer, std::size_t count);

}  // namespace crawler::adapters::aws

#include "adapters/aws/sqs_messages.hpp"

#include <algorithm>
#include <charconv>

#include "adapters/aws/batches.hpp"
#include "codec/sha256.hpp"
#include "domain/stable_hash.hpp"

namespace crawler::adapters::aws {
namespace {

namespace json = boost::json;

// Letters, digits and ASCII punctuation.
bool is_key_character(char c) {
    return c > ' ' && c <= '~';
}

std::optional<std::int64_t> number_in(const std::string& text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<Received> received_from(const json::value& value) {
    const auto* object = value.if_object();
    if (!object || !object->contains("Body")) return std::nullopt;
    const auto* attributes = object->if_contains("Attributes");
    const json::object none;
    const auto& known = attributes && attributes->is_object() ? attributes->get_object() : none;

    Received received{.receipt = text_at(*object, "ReceiptHandle"), .message = {}};
    auto& message = received.message;
    message.message_id = text_at(*object, "MessageId");
    message.body = text_at(*object, "Body");
    message.group = text_at(known, "MessageGroupId");
    message.receive_count = static_cast<int>(number_in(text_at(known, "ApproximateReceiveCount")).value_or(1));
    message.sent_at = TimePoint{std::chrono::milliseconds{number_in(text_at(known, "SentTimestamp")).value_or(0)}};
    if (received.receipt.empty() || message.message_id.empty()) return std::nullopt;
    return received;
}

Error error_in(const json::object& failed) {
    const auto* is_ours = failed.if_contains("SenderFault");
    const int status = is_ours && is_ours->is_bool() && !is_ours->get_bool() ? 500 : 400;
    auto type = text_at(failed, "Code");
    if (const auto dot = type.rfind('.'); dot != std::string::npos) type.erase(0, dot + 1);
    const auto message = text_at(failed, "Message");
    return {code_of(type, message, status), "sqs: " + type + (message.empty() ? "" : ": " + message)};
}

void settle(std::vector<Result<>>& outcomes, const json::array* entries, bool succeeded) {
    if (!entries) return;
    for (const auto& entry : *entries) {
        const auto* object = entry.if_object();
        const auto id = object ? number_in(text_at(*object, "Id")) : std::nullopt;
        if (!id || *id < 0 || *id >= std::ssize(outcomes)) continue;
        outcomes[static_cast<std::size_t>(*id)] = succeeded ? Result<>{} : Result<>(error_in(*object));
    }
}

}  // namespace

bool is_fifo(std::string_view queue) {
    return queue.ends_with(".fifo");
}

std::string key_of(const std::string& text) {
    return std::ranges::all_of(text, is_key_character) ? text : codec::sha256(text).hex();
}

Result<> check(const ports::OutgoingMessage& message) {
    if (const auto good = ports::check_keys(message); !good) return good;
    if (message.body.empty()) return Error{Errc::invalid, "SQS takes no message without a body"};
    if (message.body.size() <= largest_message) return {};
    return Error{Errc::invalid, "a message of " + std::to_string(message.body.size()) + " bytes; SQS takes " +
                                    std::to_string(largest_message) + " at most"};
}

std::vector<std::vector<Batch>> lanes_of(const std::vector<ports::OutgoingMessage>& messages,
                                         std::span<const std::size_t> indexes, std::size_t at_once) {
    const auto least_requests = (indexes.size() + most_in_batch - 1) / most_in_batch;
    std::vector<std::vector<Batch>> lanes(
        std::clamp<std::size_t>(least_requests, 1, std::max<std::size_t>(at_once, 1)));
    std::vector<std::size_t> sizes(lanes.size(), 0);  // of the latest request of each
    std::size_t turn = 0;
    for (const auto index : indexes) {
        const auto& message = messages[index];
        const auto at =
            message.group.empty() ? turn++ / most_in_batch % lanes.size() : stable_hash(message.group) % lanes.size();
        auto& lane = lanes[at];
        if (lane.empty() || lane.back().size() == most_in_batch || sizes[at] + message.body.size() > largest_message) {
            lane.emplace_back();
            sizes[at] = 0;
        }
        lane.back().push_back(index);
        sizes[at] += message.body.size();
    }
    std::erase_if(lanes, [](const auto& lane) { return lane.empty(); });
    return lanes;
}

json::object send_entry(const ports::OutgoingMessage& message, std::size_t id, bool fifo, const std::string& fresh) {
    json::object entry{{"Id", std::to_string(id)}, {"MessageBody", message.body}};
    if (!fifo) return entry;
    entry["MessageGroupId"] = message.group.empty() ? fresh : key_of(message.group);
    entry["MessageDeduplicationId"] = message.deduplication_id.empty() ? fresh : key_of(message.deduplication_id);
    return entry;
}

Result<std::vector<Received>> received_in(const json::object& answer) {
    std::vector<Received> all;
    const auto* messages = list_at(answer, "Messages");
    if (!messages) return all;
    for (const auto& message : *messages) {
        auto one = received_from(message);
        if (!one)
            return Error{Errc::unavailable, "sqs ReceiveMessage: the answer has a message without id, receipt or body"};
        all.push_back(std::move(*one));
    }
    return all;
}

std::vector<Result<>> outcomes_in(const json::object& answer, std::size_t count) {
    std::vector<Result<>> outcomes(count,
                                   Result<>(Error{Errc::unavailable, "sqs: the answer does not mention this entry"}));
    settle(outcomes, list_at(answer, "Successful"), true);
    settle(outcomes, list_at(answer, "Failed"), false);
    return outcomes;
}

}  // namespace crawler::adapters::aws

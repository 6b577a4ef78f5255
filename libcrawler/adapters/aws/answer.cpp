#include "adapters/aws/answer.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/system/error_code.hpp>
#include <initializer_list>

#include "ports/retry_after.hpp"

namespace crawler::adapters::aws {
namespace {

namespace json = boost::json;

constexpr std::size_t kept_words = 500;  // of what cannot be read
constexpr Duration longest_asked_wait = std::chrono::minutes{1};

struct Meaning {
    Errc code;
    std::initializer_list<std::string_view> types;
};

const std::initializer_list<Meaning>& meanings() {
    static const std::initializer_list<Meaning> all{
        {Errc::rate_limited,
         {"Throttling", "ThrottlingException", "ThrottledException", "RequestThrottled", "RequestThrottledException",
          "TooManyRequestsException", "RequestLimitExceeded", "BandwidthLimitExceeded", "SlowDown",
          "PriorRequestNotComplete", "KmsThrottled", "OverLimit", "LimitExceededException",
          "ConcurrentModificationException"}},
        {Errc::blocked,
         {"AccessDenied",
          "AccessDeniedException",
          "UnrecognizedClientException",
          "InvalidClientTokenId",
          "InvalidAccessKeyId",
          "IncompleteSignature",
          "IncompleteSignatureException",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "SignatureDoesNotMatch",
          "InvalidSignatureException",
          "AuthFailure",
          "NotAuthorized",
          "OptInRequired",
          "ExpiredToken",
          "ExpiredTokenException",
          "RequestExpired",
          "RequestTimeTooSkewed",
          "InvalidSecurity",
          "KmsAccessDenied",
          "InvalidIdentityToken",
          "ExpiredIdentityToken"}},
        {Errc::not_found, {"QueueDoesNotExist", "NonExistentQueue", "ResourceNotFoundException"}},
        {Errc::conflict,
         {"ReceiptHandleIsInvalid", "MessageNotInflight", "PurgeQueueInProgress", "InvalidReceiptHandle"}},
        {Errc::unavailable,
         {"InternalError", "InternalFailure", "InternalException", "InternalServerError", "ServiceUnavailable",
          "ServiceUnavailableException", "IDPCommunicationError"}},
    };
    return all;
}

bool is_one_of(std::string_view type, std::initializer_list<std::string_view> types) {
    return std::ranges::find(types, type) != types.end();
}

// com.amazonaws.sqs#QueueDoesNotExist, AWS.SimpleQueueService.NonExistentQueue, ThrottlingException:http://...: the last name.
std::string bare(std::string_view type) {
    type = type.substr(0, type.find_first_of(":;"));
    if (const auto hash = type.rfind('#'); hash != std::string_view::npos) type.remove_prefix(hash + 1);
    if (const auto dot = type.rfind('.'); dot != std::string_view::npos) type.remove_prefix(dot + 1);
    return std::string(type);
}

std::string first_of(std::initializer_list<std::string> texts) {
    for (const auto& text : texts) {
        if (!text.empty()) return text;
    }
    return {};
}

}  // namespace

Errc code_of(std::string_view type, std::string_view message, int status) {
    for (const auto& meaning : meanings()) {
        if (is_one_of(type, meaning.types)) return meaning.code;
    }
    // SQS says of a receipt that is over only that a parameter is wrong.
    const bool is_of_receipt =
        message.find("ReceiptHandle") != message.npos || message.find("receipt handle") != message.npos;
    if (is_one_of(type, {"InvalidParameterValue", "InvalidParameterValueException"}) && is_of_receipt)
        return Errc::conflict;
    if (status == 429) return Errc::rate_limited;
    if (status == 408 || status >= 500) return Errc::unavailable;
    if (status == 401 || status == 403) return Errc::blocked;
    return Errc::invalid;
}

Refusal refusal_of(const ports::HttpResponse& answer) {
    Refusal refusal{.type = {}, .message = {}, .status = answer.status};
    if (const auto body = object_of(answer.body)) {
        const auto header = ports::find_header(answer.headers, "x-amzn-errortype").value_or("");
        refusal.type = bare(first_of({text_at(*body, "__type"), text_at(*body, "code"), std::string(header)}));
        refusal.message = first_of({text_at(*body, "message"), text_at(*body, "Message")});
    } else {
        refusal.type = bare(xml_text(answer.body, "Code"));
        refusal.message = xml_text(answer.body, "Message");
    }
    if (refusal.type.empty() && refusal.message.empty()) refusal.message = answer.body.substr(0, kept_words);
    refusal.code = code_of(refusal.type, refusal.message, answer.status);
    refusal.may_be_the_clock =
        is_one_of(refusal.type, {"RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
                                 "InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure"});
    refusal.may_be_the_credentials = is_one_of(
        refusal.type, {"ExpiredToken", "ExpiredTokenException", "UnrecognizedClientException", "InvalidClientTokenId"});
    refusal.date = ports::date_of(answer);
    refusal.asked_wait = ports::retry_after(answer, longest_asked_wait);
    return refusal;
}

Refusal unanswered(const Error& error) {
    return {.type = {}, .message = error.detail, .status = 0, .code = error.code};
}

Error Refusal::as_error(const std::string& call) const {
    auto text = call + ": ";
    if (!type.empty()) text += type + ": ";
    text += message.empty() ? "HTTP " + std::to_string(status) : message;
    return {code, std::move(text), asked_wait};
}

Result<json::object> object_of(const std::string& body) {
    boost::system::error_code error;
    auto value = json::parse(body, error);
    if (!error && value.is_object()) return std::move(value.as_object());
    return Error{Errc::unavailable, "the answer is not JSON: " + body.substr(0, kept_words)};
}

std::string text_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    const auto* text = value ? value->if_string() : nullptr;
    return text ? std::string(*text) : std::string();
}

const json::array* list_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value ? value->if_array() : nullptr;
}

std::string xml_text(std::string_view xml, std::string_view name) {
    const auto open = "<" + std::string(name) + ">";
    const auto begin = xml.find(open);
    if (begin == std::string_view::npos) return {};
    const auto text = xml.substr(begin + open.size());
    const auto end = text.find("</");
    return end == std::string_view::npos ? std::string() : std::string(text.substr(0, end));
}

}  // namespace crawler::adapters::aws

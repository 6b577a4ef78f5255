// What an answer of AWS comes to: a JSON object, or a refusal with the name that AWS gave it.
#pragma once
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "domain/result.hpp"
#include "domain/time.hpp"
#include "ports/http.hpp"

namespace crawler::adapters::aws {

struct Refusal {
    std::string type;     // QueueDoesNotExist; empty where AWS named none
    std::string message;  // its words
    int status = 0;       // of the answer; 0: there was none, or none that can be read

    Errc code = Errc::unavailable;
    bool may_be_the_clock = false;                 // worth a look at the answer's Date
    bool may_be_the_credentials = false;           // worth a fetch of new ones
    std::optional<TimePoint> date = std::nullopt;  // the other side's clock
    std::optional<Duration> asked_wait = std::nullopt;

    // "sqs ReceiveMessage: QueueDoesNotExist: The specified queue does not exist."
    Error as_error(const std::string& call) const;
};

// The port's word for what AWS calls `type`, with the status where that says nothing.
Errc code_of(std::string_view type, std::string_view message, int status);

Refusal refusal_of(const ports::HttpResponse& answer);
Refusal unanswered(const Error& error);

// The object of a successful answer. unavailable: it is none; whoever answered is not AWS, or was cut off.
Result<boost::json::object> object_of(const std::string& body);

// Members of a JSON object that AWS wrote; empty where there is none of that kind.
std::string text_at(const boost::json::object& object, std::string_view key);
const boost::json::array* list_at(const boost::json::object& object, std::string_view key);
// Of the first element of that name, for answers in XML.
std::string xml_text(std::string_view xml, std::string_view name);

}  // namespace crawler::adapters::aws

// What the server says by itself, and the way between Beast's messages and ours. Private to the server.
#pragma once
#include <algorithm>
#include <boost/beast/http.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "adapters/http/wire.hpp"
#include "ports/http.hpp"

namespace crawler::adapters {

namespace http = boost::beast::http;

// An answer the server gives by itself.
struct Failure {
    int status;
    const char* code;
    const char* message;
};
inline constexpr Failure malformed{400, "BAD_REQUEST", "The request is not well-formed HTTP."};
inline constexpr Failure too_slow{408, "REQUEST_TIMEOUT", "The request did not arrive in time."};
inline constexpr Failure body_too_large{413, "PAYLOAD_TOO_LARGE", "The body of the request is too large."};
inline constexpr Failure header_too_large{431, "HEADER_TOO_LARGE", "The header of the request is too large."};
inline constexpr Failure internal_error{500, "INTERNAL_ERROR", "The request could not be answered."};
inline constexpr Failure unknown_coding{501, "NOT_IMPLEMENTED", "Only the transfer coding 'chunked' is understood."};
inline constexpr Failure too_busy{503, "TOO_MANY_CONNECTIONS", "The server has no free connection."};

inline ports::HttpResponse to_response(const Failure& failure) {
    ports::HttpResponse response;
    response.status = failure.status;
    response.headers.push_back({"Content-Type", "application/json"});
    if (failure.status == too_busy.status) response.headers.push_back({"Retry-After", "1"});
    response.body = std::string(R"({"errorCode":")") + failure.code + R"(","message":")" + failure.message + "\"}";
    return response;
}

// A request; or the failure to answer before hanging up; or neither, where the client has gone.
struct Received {
    std::optional<ports::HttpRequest> request;
    const Failure* failure = nullptr;
    unsigned version = 11;
    bool keep_alive = false;
};

// What the client hears where reading ended so.
inline Received failed(const boost::system::error_code& error) {
    static const auto& protocol = make_error_code(http::error::end_of_stream).category();
    Received received;
    if (error == http::error::header_limit) {
        received.failure = &header_too_large;
    } else if (error == http::error::body_limit || error == http::error::buffer_overflow) {
        received.failure = &body_too_large;
    } else if (error.category() == protocol && error != http::error::end_of_stream) {
        received.failure = &malformed;
    }
    return received;
}

// Anything else must come percent-encoded (RFC 3986), and would not be text that we could answer with.
inline bool is_plain(std::string_view target) {
    return std::ranges::all_of(target, [](char c) { return c > ' ' && c < 127; });
}

inline Received to_request(http::request<http::string_body> message) {
    Received received;
    received.version = message.version();
    received.keep_alive = message.keep_alive();
    const auto codings = message.count(http::field::transfer_encoding);
    const bool chunked = boost::beast::iequals(message[http::field::transfer_encoding], "chunked");
    const bool names_host =
        message.version() == 10 || (message.version() == 11 && message.count(http::field::host) == 1);
    if (codings > 1 || (codings == 1 && !chunked)) {
        received.failure = &unknown_coding;  // read otherwise, its body would pass for the next request
    } else if (!names_host || !is_plain(message.target())) {
        received.failure = &malformed;
    } else {
        auto& request = received.request.emplace();
        request.method = message.method_string();
        request.url = message.target();
        for (const auto& field : message) request.headers.push_back({field.name_string(), field.value()});
        request.body = std::move(message.body());
    }
    return received;
}

// Throws where a handler's answer cannot be sent as it is.
inline void require_sendable(const ports::HttpResponse& response) {
    if (response.status < 200 || response.status > 599) throw std::invalid_argument("an answer of no HTTP status");
    for (const auto& header : response.headers) {
        if (!is_sendable(header)) throw std::invalid_argument("an answer with a malformed header");
    }
}

inline http::response<http::string_body> to_message(ports::HttpResponse response, unsigned version, bool keep_alive,
                                                    bool head) {
    http::response<http::string_body> message;
    message.version(version);
    message.result(static_cast<unsigned>(response.status));
    for (const auto& header : response.headers) {
        if (!is_framing(header)) message.insert(header.name, header.value);
    }
    message.set(http::field::server, "crawler");
    message.set("X-Content-Type-Options", "nosniff");
    message.keep_alive(keep_alive);
    if (response.status == 204 || response.status == 304) return message;
    message.body() = std::move(response.body);
    message.prepare_payload();
    if (head) message.body().clear();  // the length stays: it is the one GET would have
    return message;
}

}  // namespace crawler::adapters

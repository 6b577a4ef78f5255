// What client and server both hold against the wire. Private to this folder.
#pragma once
#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/system/system_error.hpp>
#include <string_view>

#include "ports/http.hpp"

namespace crawler::adapters {

// A method or a header name (RFC 9110, "token").
inline bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    const auto fits = [marks](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               marks.find(c) != marks.npos;
    };
    return !text.empty() && std::ranges::all_of(text, fits);
}

// A value with a line break would end the header and begin another one of somebody else's choosing.
inline bool is_sendable(const ports::HttpHeader& header) {
    constexpr std::string_view breaks{"\r\n\0", 3};
    return is_token(header.name) && header.value.find_first_of(breaks) == std::string::npos;
}

// Where a message ends is decided by its body alone, never by whoever wrote the headers.
inline bool is_framing(const ports::HttpHeader& header) {
    using boost::beast::iequals;
    return iequals(header.name, "Content-Length") || iequals(header.name, "Transfer-Encoding") ||
           iequals(header.name, "Connection");
}

inline void pass_on_cancellation(const boost::system::error_code& error) {
    if (error == boost::asio::error::operation_aborted) throw boost::system::system_error(error);
}

}  // namespace crawler::adapters

// What the client may ask, and the way between Beast's messages and ours. Private to the client.
#pragma once
#include <boost/beast/http.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <string>

#include "adapters/http/origin.hpp"
#include "adapters/http/wire.hpp"
#include "domain/result.hpp"
#include "ports/http.hpp"

namespace crawler::adapters {

namespace http = boost::beast::http;

// A request, ready to be sent.
struct Call {
    Origin origin;
    http::request<http::string_body> message;
    bool is_repeatable = false;  // twice is as good as once
};

inline bool is_repeatable(const ports::HttpRequest& request) {
    if (request.once) return false;
    const auto& method = request.method;
    return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
           ports::find_header(request.headers, "Idempotency-Key").has_value();
}

inline Result<Origin> origin_of(const boost::urls::url_view& url) {
    const bool secure = url.scheme_id() == boost::urls::scheme::https;
    if (!secure && url.scheme_id() != boost::urls::scheme::http) {
        return Error{Errc::invalid, "a URL that is neither http nor https"};
    }
    if (url.host().empty()) return Error{Errc::invalid, "a URL without a host"};
    // A decoded host may hold anything, even a NUL, where lookup and certificate would each see a name of their own.
    if (std::string(url.encoded_host()).find('%') != std::string::npos) {
        return Error{Errc::invalid, "a URL with an encoded host"};
    }
    if (url.has_userinfo()) return Error{Errc::invalid, url.host() + ": a URL with a user in it"};
    if (url.has_port() && !url.port().empty() && url.port_number() == 0) {
        return Error{Errc::invalid, url.host() + ": a URL with an impossible port"};
    }
    Origin origin{secure, url.host_address(), secure ? "443" : "80"};
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::ranges::transform(origin.host, origin.host.begin(), small);
    if (url.port_number() != 0) origin.port = std::to_string(url.port_number());
    return origin;
}

// invalid where it is nothing we may ask. How an answer is packed on its way is the client's business alone.
inline Result<Call> to_call(ports::HttpRequest request, bool keep_alive) {
    const auto url = boost::urls::parse_uri(request.url);
    if (!url) return Error{Errc::invalid, "not an absolute URL"};
    auto origin = origin_of(*url);
    if (!origin) return origin.error();
    if (!is_token(request.method) || request.method == "CONNECT") {
        return Error{Errc::invalid, origin->name() + ": not a method we may ask with"};
    }

    http::request<http::string_body> message;
    message.version(11);
    message.method_string(request.method);
    const std::string target(url->encoded_target());
    message.target(target.starts_with('/') ? target : "/" + target);
    message.set(http::field::host, std::string(url->encoded_host_and_port()));
    for (const auto& header : request.headers) {
        if (!is_sendable(header)) return Error{Errc::invalid, origin->name() + ": a malformed header"};
        if (boost::beast::iequals(header.name, "Host")) message.erase(http::field::host);
        if (!is_framing(header)) message.insert(header.name, header.value);
    }
    message.set(http::field::accept_encoding, "gzip");
    const bool repeatable = is_repeatable(request);
    message.body() = std::move(request.body);
    message.prepare_payload();
    message.keep_alive(keep_alive);
    return Call{std::move(*origin), std::move(message), repeatable};
}

inline ports::HttpResponse to_response(http::response<http::string_body> message) {
    ports::HttpResponse response;
    response.status = static_cast<int>(message.result_int());
    for (const auto& field : message) response.headers.push_back({field.name_string(), field.value()});
    response.body = std::move(message.body());
    return response;
}

}  // namespace crawler::adapters

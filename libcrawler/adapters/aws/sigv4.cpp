#include "adapters/aws/sigv4.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "codec/sha256.hpp"
#include "domain/percent_encoding.hpp"

namespace crawler::adapters::aws {
namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view terminator = "aws4_request";

struct UrlParts {
    std::string_view host;
    std::string_view path;
    std::string_view query;
};

UrlParts parts_of(std::string_view url) {
    const auto scheme = url.find("://");
    const auto rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
    const auto end_of_host = std::min(rest.find_first_of("/?"), rest.size());
    const auto query = std::min(rest.find('?'), rest.size());
    return {rest.substr(0, end_of_host), rest.substr(end_of_host, query - end_of_host),
            rest.substr(std::min(query + 1, rest.size()))};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const auto at = text.find(separator);
        pieces.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return pieces;
        text.remove_prefix(at + 1);
    }
}

// Without empty segments, . and .. ; what was encoded already is encoded once more, as every service but S3 wants it.
std::string canonical_path(std::string_view path) {
    std::vector<std::string_view> kept;
    for (const auto segment : split(path, '/')) {
        if (segment == ".." && !kept.empty()) kept.pop_back();
        if (!segment.empty() && segment != "." && segment != "..") kept.push_back(segment);
    }
    std::string text;
    for (const auto segment : kept) text += "/" + percent_encode(segment);
    if (kept.empty() || path.ends_with('/')) text += '/';
    return text;
}

std::string canonical_query(std::string_view query) {
    const auto encoded = [](std::string_view text) {
        return percent_encode(percent_decode(text).value_or(std::string(text)));
    };
    std::vector<std::pair<std::string, std::string>> parameters;
    for (const auto parameter : split(query, '&')) {
        if (parameter.empty()) continue;
        const auto equals = std::min(parameter.find('='), parameter.size());
        parameters.emplace_back(encoded(parameter.substr(0, equals)),
                                encoded(parameter.substr(std::min(equals + 1, parameter.size()))));
    }
    std::ranges::sort(parameters);
    std::string text;
    for (const auto& [name, value] : parameters) {
        if (!text.empty()) text += '&';
        text.append(name).append("=").append(value);
    }
    return text;
}

// Without space around it, and with one space where there were several.
std::string trimmed(std::string_view value) {
    std::string text;
    for (const char c : value) {
        const bool is_space = c == ' ' || c == '\t';
        if (!is_space) {
            text += c;
        } else if (!text.empty() && text.back() != ' ') {
            text += ' ';
        }
    }
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

std::string lower(std::string text) {
    for (auto& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

// By name; the values of one name in the order they came.
std::map<std::string, std::string> canonical_headers(const ports::HttpRequest& request) {
    std::map<std::string, std::string> headers;
    for (const auto& header : request.headers) {
        auto& value = headers[lower(header.name)];
        if (!value.empty()) value += ',';
        value += trimmed(header.value);
    }
    headers.try_emplace("host", parts_of(request.url).host);
    return headers;
}

std::string signed_headers(const ports::HttpRequest& request) {
    std::string names;
    for (const auto& [name, value] : canonical_headers(request)) names += (names.empty() ? "" : ";") + name;
    return names;
}

// 20150830T123600Z
std::string compact(TimePoint time) {
    const auto text = to_rfc3339(time);
    std::string digits;
    for (const char c : text.substr(0, text.find('.'))) {
        if (c != '-' && c != ':') digits += c;
    }
    return digits + "Z";
}

std::string scope_text(const SigningScope& scope) {
    return compact(scope.now).substr(0, 8) + "/" + scope.region + "/" + scope.service + "/" + std::string(terminator);
}

std::string hmac(std::string_view key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
         text.size(), digest.data(), &size);
    return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 0xFU];
    }
    return text;
}

}  // namespace

std::string canonical_request(const ports::HttpRequest& request) {
    const auto url = parts_of(request.url);
    auto text = request.method + "\n" + canonical_path(url.path) + "\n" + canonical_query(url.query) + "\n";
    for (const auto& [name, value] : canonical_headers(request))
        text.append(name).append(":").append(value).append("\n");
    return text + "\n" + signed_headers(request) + "\n" + codec::sha256(request.body).hex();
}

std::string string_to_sign(const std::string& canonical_request, const SigningScope& scope) {
    return std::string(algorithm) + "\n" + compact(scope.now) + "\n" + scope_text(scope) + "\n" +
           codec::sha256(canonical_request).hex();
}

std::string signature(const std::string& string_to_sign, const Secret& secret_key, const SigningScope& scope) {
    const auto of_day = hmac("AWS4" + secret_key.reveal(), compact(scope.now).substr(0, 8));
    const auto of_service = hmac(hmac(of_day, scope.region), scope.service);
    return hex(hmac(hmac(of_service, terminator), string_to_sign));
}

void sign(ports::HttpRequest& request, const Credentials& credentials, const SigningScope& scope, BodyDigest digest) {
    request.headers.push_back({"X-Amz-Date", compact(scope.now)});
    if (!credentials.session_token.empty())
        request.headers.push_back({"X-Amz-Security-Token", credentials.session_token.reveal()});
    if (digest == BodyDigest::as_header)
        request.headers.push_back({"X-Amz-Content-Sha256", codec::sha256(request.body).hex()});

    const auto proof = signature(string_to_sign(canonical_request(request), scope), credentials.secret_key, scope);
    request.headers.push_back({"Authorization", std::string(algorithm) + " Credential=" + credentials.access_key + "/" +
                                                    scope_text(scope) + ", SignedHeaders=" + signed_headers(request) +
                                                    ", Signature=" + proof});
}

}  // namespace crawler::adapters::aws

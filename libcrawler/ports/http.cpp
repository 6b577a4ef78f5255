#include "ports/http.hpp"

#include <algorithm>

namespace crawler::ports {
namespace {

// HTTP names are ASCII; the process's locale has no say.
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::optional<std::string_view> find_header(const std::vector<HttpHeader>& headers, std::string_view name) {
    for (const auto& header : headers) {
        if (std::ranges::equal(header.name, name, {}, lower, lower)) return header.value;
    }
    return std::nullopt;
}

}  // namespace crawler::ports

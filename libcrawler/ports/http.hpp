// An HTTP request and its answer, as client and server see them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler::ports {

struct HttpHeader {
    std::string name;
    std::string value;
};

struct HttpRequest {
    std::string method = "GET";
    std::string url;  // client: absolute; server: path and query as received
    std::vector<HttpHeader> headers;
    std::string body;
    bool once =
        false;  // client: the other side counts, so it is not sent again on its own account, whatever the method
};

struct HttpResponse {
    int status = 200;
    std::vector<HttpHeader> headers;
    std::string body;
};

// The value of the first header of that name, whatever its case.
std::optional<std::string_view> find_header(const std::vector<HttpHeader>& headers, std::string_view name);

}  // namespace crawler::ports

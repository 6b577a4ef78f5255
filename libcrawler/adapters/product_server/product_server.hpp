// The external product server over REST: one request per event, with the outbox entry's payload as its body.
#pragma once
#include <memory>
#include <string>

#include "domain/secret.hpp"
#include "domain/time.hpp"
#include "ports/http_client.hpp"
#include "ports/product_server.hpp"

namespace crawler::adapters {

struct ProductRoute {
    std::string method;
    std::string path;  // {itemNo} stands for the item
};

struct ProductServerConfig {
    std::string base_url;  // http or https, a host, and a path where there is one
    ProductRoute created{"POST", "/products/{itemNo}"};
    ProductRoute updated{"PUT", "/products/{itemNo}"};
    ProductRoute deleted{"DELETE", "/products/{itemNo}"};
    std::string auth_header = "Authorization";
    Secret auth_value;                                     // all of it, "Bearer ..."; none: nothing is sent
    std::string current_version_key = "currentVersion";    // in the body of a 409: what version the server has
    std::size_t kept_body = 2'000;                         // bytes of a refusal that are kept
    Duration longest_retry_after = std::chrono::hours{1};  // what a Retry-After is believed up to
};

// 2xx is done, and so is a 409 that names our version or a later one: what we tell is there, or is history. 408, 425, 429 and 5xx may be
// tried again. Everything else is invalid, with the server's words.
// The client should be its own: connect 3 s, read 5 s. It must outlive this. Throws std::runtime_error where the base URL or a route
// is none.
std::unique_ptr<ports::ProductServer> make_rest_product_server(ProductServerConfig config, ports::HttpClient& http);

}  // namespace crawler::adapters

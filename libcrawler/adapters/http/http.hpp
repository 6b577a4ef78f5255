// HTTP over Boost.Beast: the server every daemon answers its probes and its API with, and the client it asks others
// with.
#pragma once
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/time.hpp"
#include "ports/http_client.hpp"
#include "ports/http_server.hpp"

namespace crawler::adapters {

// An answer that does not reach its client as it should, for a simulator of bad networks. The connection ends with it where something
// was left out.
struct BadDelivery {
    std::size_t body_bytes = std::numeric_limits<std::size_t>::max();  // no more than so many are sent
    std::size_t piece = 0;                                             // so many bytes at a time; 0: all at once
    Duration pause{0};                                                 // after every piece
    bool reset = false;  // nothing is sent, and the client sees a connection that was reset
};

struct HttpServerConfig {
    std::string host = "0.0.0.0";
    std::uint16_t port = 8080;  // 0: any free one; port() says which
    std::size_t max_connections = 256;
    std::size_t max_header = 16'384;
    std::size_t max_body = 1'048'576;
    // A limit that is passed is noticed within a quarter of the shortest of the three.
    Duration read_timeout = std::chrono::seconds{10};   // from the first byte of a request to its last
    Duration write_timeout = std::chrono::seconds{10};  // for a whole answer
    Duration idle_timeout = std::chrono::seconds{60};   // between requests
    Duration drain = std::chrono::seconds{5};           // after stop, for answers in progress
    // Hears what a handler threw (its client was told only of an internal error), and when accepting begins to fail.
    std::function<void(std::exception_ptr)> on_error;
    // Asked before every answer of the handler; may change it. Nothing: it is sent as it should be.
    std::function<std::optional<BadDelivery>(ports::HttpResponse&)> spoil;
};

// Binds at once. Throws std::runtime_error naming the address and the reason where it cannot.
std::unique_ptr<ports::HttpServer> open_http_server(const HttpServerConfig& config, boost::asio::io_context& io);

// Connections are kept for the next request to the same origin. One that was closed while it was idle is replaced unnoticed, once, where
// asking again does no harm: GET, HEAD, PUT, DELETE, or with an Idempotency-Key; and not where a request says `once`. Redirects are answers like any other. Answers packed with
// gzip are unpacked; the limit of the body holds before and after.
struct HttpClientConfig {
    Duration connect_timeout = std::chrono::seconds{3};  // name lookup, TCP and TLS together
    Duration read_timeout = std::chrono::seconds{10};    // the longest silence while an answer is awaited
    Duration total_timeout = std::chrono::seconds{20};   // for all of it, the wait for a free connection included
    std::size_t max_body = 8'388'608;
    std::size_t max_connections = 128;     // open at once, idle ones included
    std::size_t max_idle_per_origin = 16;  // 0: every request has a connection of its own
    Duration idle_lifetime = std::chrono::seconds{30};
    std::vector<std::string> allowed_hosts;  // names, exactly; none: any
    bool allow_private_addresses = false;    // loopback, private and other networks that are not public
    std::string ca_file;                     // PEM certificates to trust besides the system's
};

// Throws std::runtime_error where the certificates to trust cannot be read. The client must outlive its requests.
std::unique_ptr<ports::HttpClient> make_http_client(HttpClientConfig config, boost::asio::io_context& io);

}  // namespace crawler::adapters

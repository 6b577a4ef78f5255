// Answers over HTTP.
#pragma once
#include <cstdint>
#include <functional>
#include <stop_token>

#include "coro/async.hpp"
#include "ports/http.hpp"

namespace crawler::ports {

using HttpHandler = std::function<Async<HttpResponse>(HttpRequest)>;

class HttpServer {
  public:
    virtual ~HttpServer() = default;

    // Answers until stop; then finishes the answers it is at and returns. The address was bound when the server was made.
    virtual Async<> serve(HttpHandler handler, std::stop_token stop) = 0;
    virtual std::uint16_t port() const = 0;
};

}  // namespace crawler::ports

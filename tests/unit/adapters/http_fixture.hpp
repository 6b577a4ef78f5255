// A server and whoever talks to it, on one io_context over loopback. Used by the tests of adapters/http.
#pragma once
#include <optional>
#include <stop_token>
#include <string>

#include "adapters/http/http.hpp"
#include "support/run.hpp"

namespace crawler::test {

inline adapters::HttpServerConfig on_loopback() {
    adapters::HttpServerConfig config;
    config.host = "127.0.0.1";
    config.port = 0;
    return config;
}

// One that may ask ourselves.
inline std::unique_ptr<ports::HttpClient> local_client(adapters::HttpClientConfig config, boost::asio::io_context& io) {
    config.allow_private_addresses = true;
    return adapters::make_http_client(std::move(config), io);
}

inline ports::HttpRequest get(std::string url) {
    ports::HttpRequest request;
    request.url = std::move(url);
    return request;
}

inline ports::HttpResponse text(std::string body) {
    ports::HttpResponse response;
    response.body = std::move(body);
    return response;
}

inline Async<ports::HttpResponse> hello(ports::HttpRequest) {
    co_return text("hello");
}

// Requests the stop when the coroutine that owns it ends, however it ends.
struct StopAtEnd {
    std::stop_source stop;
    ~StopAtEnd() { stop.request_stop(); }
};

template <class T>
Async<T> and_stop(Async<T> work, std::stop_source stop) {
    const StopAtEnd at_end{stop};
    co_return co_await std::move(work);
}

// One server. during(work) runs it beside `work` and stops it when that has ended.
struct Loopback {
    explicit Loopback(ports::HttpHandler answer = hello, adapters::HttpServerConfig config = on_loopback())
        : server(adapters::open_http_server(config, io)), handler(std::move(answer)) {}

    std::string url(const std::string& target) const {
        return "http://127.0.0.1:" + std::to_string(server->port()) + target;
    }

    template <class T>
    T during(Async<T> work) {
        Ended<void> served;
        start(io, server->serve(handler, stop.get_token()), served);
        Ended<T> ended;
        start(io, and_stop(std::move(work), stop), ended);
        io.run();
        served.get();
        return ended.get();
    }

    boost::asio::io_context io{1};
    std::unique_ptr<ports::HttpServer> server;
    ports::HttpHandler handler;
    std::stop_source stop;
};

using Answer =
    std::optional<Result<ports::HttpResponse>>;  // an optional, because what a coroutine gives must have a default

inline Async<Answer> ask(ports::HttpClient& client, ports::HttpRequest request) {
    co_return co_await client.send(std::move(request));
}

}  // namespace crawler::test

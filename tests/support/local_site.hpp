// A server on loopback and a client that may ask it, for as many questions as a test has.
#pragma once
#include <functional>
#include <stop_token>

#include "adapters/http/http.hpp"
#include "support/run.hpp"

namespace crawler::test {

class LocalSite {
  public:
    using Spoil = std::function<std::optional<adapters::BadDelivery>(ports::HttpResponse&)>;
    explicit LocalSite(ports::HttpHandler handler, Spoil spoil = {}, adapters::HttpClientConfig asking = {})
        : handler_(std::move(handler)) {
        adapters::HttpServerConfig config;
        config.host = "127.0.0.1";
        config.port = 0;
        config.spoil = std::move(spoil);
        config.on_error = [](const std::exception_ptr& error) { std::rethrow_exception(error); };
        server_ = adapters::open_http_server(config, io_);
        asking.allow_private_addresses = true;
        client_ = adapters::make_http_client(std::move(asking), io_);
        start(io_, server_->serve(handler_, stop_.get_token()), served_);
    }
    ~LocalSite() {
        stop_.request_stop();
        io_.run();
    }
    LocalSite(const LocalSite&) = delete;
    LocalSite& operator=(const LocalSite&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    ports::HttpClient& client() { return *client_; }

    template <class T>
    T run(Async<T> work) {
        Ended<T> ended;
        start(io_, std::move(work), ended);
        while (!ended.done) io_.run_one();
        return ended.get();
    }

  private:
    boost::asio::io_context io_{1};
    std::stop_source stop_;
    ports::HttpHandler handler_;
    std::unique_ptr<ports::HttpServer> server_;
    std::unique_ptr<ports::HttpClient> client_;
    Ended<void> served_;
};

}  // namespace crawler::test

// Somebody on loopback who answers for AWS as the test wants it, on a thread of his own.
#pragma once
#include <functional>
#include <stop_token>
#include <thread>

#include "adapters/http/http.hpp"
#include "support/run.hpp"

namespace crawler::test {

class Impostor {
  public:
    using Answer = std::function<ports::HttpResponse(const ports::HttpRequest&)>;
    using Spoil = std::function<std::optional<adapters::BadDelivery>(ports::HttpResponse&)>;

    explicit Impostor(Answer answer, Spoil spoil = {}) : answer_(std::move(answer)) {
        adapters::HttpServerConfig config;
        config.host = "127.0.0.1";
        config.port = 0;
        config.drain = Duration{0};
        config.spoil = std::move(spoil);
        server_ = adapters::open_http_server(config, io_);
        thread_ = std::thread([this] { test::run(io_, server_->serve(handler_, stop_.get_token())); });
    }
    ~Impostor() {
        boost::asio::post(io_, [this] { stop_.request_stop(); });
        thread_.join();
    }
    Impostor(const Impostor&) = delete;
    Impostor& operator=(const Impostor&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    int asked() const { return asked_; }

  private:
    Async<ports::HttpResponse> answer(ports::HttpRequest request) {
        ++asked_;
        co_return answer_(request);
    }

    boost::asio::io_context io_{1};
    std::stop_source stop_;
    Answer answer_;
    std::atomic<int> asked_ = 0;
    ports::HttpHandler handler_ = [this](ports::HttpRequest request) { return answer(std::move(request)); };
    std::unique_ptr<ports::HttpServer> server_;
    std::thread thread_;
};

// How AWS refuses.
inline ports::HttpResponse refusal(int status, const std::string& type, const std::string& message = "no") {
    return {.status = status,
            .headers = {{"Content-Type", "application/x-amz-json-1.0"}},
            .body = R"({"__type":")" + type + R"(","message":")" + message + R"("})"};
}

}  // namespace crawler::test

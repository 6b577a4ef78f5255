// A server below HTTP that says what a script says, connection after connection, and remembers who came.
#pragma once
#include <vector>

#include "coro/event.hpp"
#include "unit/adapters/http_wire.hpp"

namespace crawler::test {

inline std::string answer_of(const std::string& body, const std::string& headers = "") {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

// For each connection, in the order they come, an answer to each of its requests; after its last it is closed, and a request
// that finds no more connections in the script is not answered.
class Door {
  public:
    using Script = std::vector<std::vector<std::string>>;
    explicit Door(Script script) : script_(std::move(script)) {}

    std::string url(const std::string& target = "/") const {
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + target;
    }

    template <class T>
    T during(Async<T> work) {
        Ended<void> served;
        start(io, serve(), served);
        auto value = test::run(io, then_close(std::move(work)));
        served.get();
        return value;
    }

    // Returns when the server has closed that many connections.
    Async<> closed(std::size_t connections) {
        while (closed_ < connections) co_await changed_.wait();
    }

    boost::asio::io_context io{1};
    std::vector<std::vector<std::string>> heard;  // by connection: its requests, headers and all

  private:
    static constexpr auto on_error = boost::asio::use_awaitable;

    Async<> serve() {
        for (const auto& answers : script_) {
            boost::system::error_code closed;
            socket_ = co_await acceptor_.async_accept(boost::asio::redirect_error(on_error, closed));
            if (closed) co_return;
            heard.emplace_back();
            co_await converse(&answers);
            socket_.close();
            ++closed_;
            changed_.notify_all();
        }
    }

    Async<> converse(const std::vector<std::string>* answers) {
        for (const auto& answer : *answers) {
            std::string request;
            boost::system::error_code gone;
            while (!gone && request.find("\r\n\r\n") == std::string::npos) {
                char more[4096];
                const auto n = co_await socket_.async_read_some(boost::asio::buffer(more),
                                                                boost::asio::redirect_error(on_error, gone));
                request.append(more, n);
            }
            if (gone) co_return;
            heard.back().push_back(std::move(request));
            co_await boost::asio::async_write(socket_, boost::asio::buffer(answer),
                                              boost::asio::redirect_error(on_error, gone));
        }
    }

    template <class T>
    Async<T> then_close(Async<T> work) {
        auto value = co_await std::move(work);
        acceptor_.close();
        socket_.close();
        co_return value;
    }

    Script script_;
    tcp::acceptor acceptor_{io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    tcp::socket socket_{io};  // of the connection that it speaks with
    coro::Event changed_{io.get_executor()};
    std::size_t closed_ = 0;
};

}  // namespace crawler::test

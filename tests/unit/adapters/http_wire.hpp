// Talks to a server below HTTP, to say what no client of ours would.
#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <string>

#include "unit/adapters/http_fixture.hpp"

namespace crawler::test {

using boost::asio::ip::tcp;

// A client below HTTP.
class Wire {
  public:
    Wire(boost::asio::io_context& io, std::uint16_t port) : socket_(io) {
        socket_.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
    }

    Async<> say(std::string words) {
        boost::system::error_code ignored;  // the server may have hung up already; what it said is what counts
        co_await boost::asio::async_write(socket_, boost::asio::buffer(words),
                                          boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }

    // Everything up to and including `end`, or up to the end of the connection.
    Async<std::string> hear(std::string end) {
        boost::system::error_code error;
        while (!error && heard_.find(end) == std::string::npos) {
            char more[4096];
            const auto n = co_await socket_.async_read_some(
                boost::asio::buffer(more), boost::asio::redirect_error(boost::asio::use_awaitable, error));
            heard_.append(more, n);
        }
        const auto found = heard_.find(end);
        const auto length = found == std::string::npos ? heard_.size() : found + end.size();
        const auto words = heard_.substr(0, length);
        heard_.erase(0, length);
        co_return words;
    }

    Async<std::string> hear_all() { return hear("\1 never said"); }
    void close() { socket_.close(); }

  private:
    tcp::socket socket_;
    std::string heard_;
};

// Says these words on a new connection and gives back everything the server says until it hangs up.
inline Async<std::string> exchange(Loopback& site, std::string words) {
    Wire wire(site.io, site.server->port());
    co_await wire.say(std::move(words));
    co_return co_await wire.hear_all();
}

}  // namespace crawler::test

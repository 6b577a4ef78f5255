// The least that a server of one answer could be: one thread, keep-alive, and the bytes of a file for whatever is asked. What the
// simulator's speed is measured against, in the same run.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

asio::awaitable<void> converse(tcp::socket socket, const std::string* body) {
    socket.set_option(tcp::no_delay(true));
    boost::beast::flat_buffer buffer;
    boost::system::error_code error;
    while (!error) {
        http::request<http::string_body> request;
        co_await http::async_read(socket, buffer, request, asio::redirect_error(asio::use_awaitable, error));
        if (error) break;
        http::response<http::string_body> response(http::status::ok, 11);
        response.set(http::field::content_type, "application/json;charset=UTF-8");
        response.body() = *body;
        response.prepare_payload();
        co_await http::async_write(socket, response, asio::redirect_error(asio::use_awaitable, error));
    }
}

asio::awaitable<void> accept_all(tcp::acceptor* acceptor, const std::string* body) {
    for (;;) {
        auto socket = co_await acceptor->async_accept(asio::use_awaitable);
        asio::co_spawn(acceptor->get_executor(), converse(std::move(socket), body), asio::detached);
    }
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): where it cannot listen there is nothing to measure
int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: bench_plain_server FILE\n", stderr);
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(file), {}};
    asio::io_context io{1};
    tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::printf("listening on http://127.0.0.1:%d\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    asio::co_spawn(io, accept_all(&acceptor, &body), asio::detached);
    io.run();
}

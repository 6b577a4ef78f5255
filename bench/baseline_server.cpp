// The least that a daemon could be: one io_context, one Beast connection after the other, always 200. What our daemons' start and
// memory are measured against, in the same run.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>

// NOLINTNEXTLINE(bugprone-exception-escape): where it cannot listen there is nothing to measure
int main() {
    namespace http = boost::beast::http;
    using boost::asio::ip::tcp;
    boost::asio::io_context io{1};
    tcp::acceptor acceptor(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    std::printf("{\"event\":\"service_started\",\"port\":%d}\n", acceptor.local_endpoint().port());
    std::fflush(stdout);
    for (;;) {
        tcp::socket socket = acceptor.accept();
        boost::system::error_code error;
        boost::beast::flat_buffer buffer;
        http::request<http::string_body> request;
        http::read(socket, buffer, request, error);
        if (error) continue;
        http::response<http::string_body> response(http::status::ok, 11);
        response.keep_alive(false);
        response.body() = "ok\n";
        response.prepare_payload();
        http::write(socket, response, error);
    }
}

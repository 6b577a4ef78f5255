#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "unit/adapters/http_wire.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

adapters::HttpServerConfig narrow() {
    auto config = on_loopback();
    config.max_header = 1024;
    config.max_body = 2048;
    return config;
}

Async<ports::HttpResponse> echo(ports::HttpRequest request) {
    co_return text(request.body);
}

std::string post(const std::string& headers, const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + headers + "\r\n" + body;
}

std::string many_headers(std::size_t n) {
    std::string lines;
    for (std::size_t i = 0; i < n; ++i) lines += "X-" + std::to_string(i) + ": value\r\n";
    return lines;
}

std::string chunked(std::size_t chunks, const std::string& chunk_line, const std::string& chunk) {
    std::string body;
    for (std::size_t i = 0; i < chunks; ++i) body += chunk_line + "\r\n" + chunk + "\r\n";
    return body + "0\r\n\r\n";
}

}  // namespace

TEST_CASE("http limits: one header that is too long is answered 431") {
    Loopback site(echo, narrow());

    const auto heard = site.during(exchange(site, post("X-Long: " + std::string(2000, 'x') + "\r\n", "")));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 431 "));
    CHECK_THAT(heard, ContainsSubstring("HEADER_TOO_LARGE"));
    CHECK_THAT(heard, ContainsSubstring("Connection: close\r\n"));
}

TEST_CASE("http limits: short headers that are too long together are answered 431") {
    Loopback site(echo, narrow());

    const auto heard = site.during(exchange(site, post(many_headers(5000), "")));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 431 "));
}

TEST_CASE("http limits: a body announced too large is answered 413 before it is read") {
    Loopback site(echo, narrow());

    const auto heard = site.during(exchange(site, post("Content-Length: 2049\r\n", "")));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 413 "));
}

TEST_CASE("http limits: the answer to a body that is too large arrives though the client goes on sending") {
    Loopback site(echo, narrow());
    const std::string body(4'000'000, 'x');

    const auto heard = site.during(exchange(site, post("Content-Length: 4000000\r\n", body)));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 413 "));
}

TEST_CASE("http limits: a chunked body is too large by what it adds up to") {
    Loopback site(echo, narrow());

    const auto words = post("Transfer-Encoding: chunked\r\n", chunked(5, "200", std::string(512, 'x')));
    const auto heard = site.during(exchange(site, words));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 413 "));
}

TEST_CASE("http limits: a chunk's extension cannot grow without end") {
    Loopback site(echo, narrow());

    const auto words = post("Transfer-Encoding: chunked\r\n", "1;" + std::string(1'000'000, 'x'));
    const auto heard = site.during(exchange(site, words));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 4"));
}

TEST_CASE("http limits: a body of exactly the limit passes") {
    Loopback site(echo, narrow());
    const std::string body(2048, 'x');

    const auto whole = site.during(exchange(site, post("Content-Length: 2048\r\n", body)));

    CHECK_THAT(whole, StartsWith("HTTP/1.1 200 "));
    CHECK_THAT(whole, EndsWith("\r\n\r\n" + body));
}

TEST_CASE("http limits: a chunked body of exactly the limit passes") {
    Loopback site(echo, narrow());

    const auto words = post("Transfer-Encoding: chunked\r\n", chunked(4, "200", std::string(512, 'x')));
    const auto heard = site.during(exchange(site, words));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 200 "));
    CHECK_THAT(heard, EndsWith("\r\n\r\n" + std::string(2048, 'x')));
}

TEST_CASE("http limits: a client that waits for leave to send its body gets it") {
    Loopback site(echo);

    auto ask_first = [](Loopback* at) -> Async<std::string> {
        Wire wire(at->io, at->server->port());
        co_await wire.say(post("Content-Length: 4\r\nExpect: 100-continue\r\n", ""));
        const auto leave = co_await wire.hear("\r\n\r\n");
        co_await wire.say("body");
        const auto answer = co_await wire.hear_all();
        co_return leave + answer;
    };
    const auto heard = site.during(ask_first(&site));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"));
    CHECK_THAT(heard, EndsWith("\r\n\r\nbody"));
}

TEST_CASE("http limits: a request that stays unfinished is answered 408") {
    auto config = on_loopback();
    config.read_timeout = 30ms;
    Loopback site(echo, config);
    const auto begun = GENERATE(std::string("GET / HT"), post("Content-Length: 10\r\n", "half"));

    const auto heard = site.during(exchange(site, begun));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 408 "));
}

TEST_CASE("http limits: a connection that asks nothing is closed without a word") {
    auto config = on_loopback();
    config.idle_timeout = 30ms;
    Loopback site(echo, config);

    const auto heard = site.during(exchange(site, ""));

    CHECK(heard.empty());
}

TEST_CASE("http limits: what is not HTTP is answered 400 and the connection closed") {
    Loopback site(echo);
    const auto nonsense =
        GENERATE(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15),
                 std::string("nonsense\r\n\r\n"), std::string("GET / HTTP/9.9\r\nHost: h\r\n\r\n"),
                 std::string("GET  HTTP/1.1\r\nHost: h\r\n\r\n"), std::string("GET / HTTP/1.1\r\nHost h\r\n\r\n"),
                 std::string("GET / HTTP/1.1\r\n\r\n"), std::string("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
                 post("Content-Length: -1\r\n", ""), post("Content-Length: 1\r\nContent-Length: 2\r\n", "xx"),
                 post("Content-Length: 99999999999999999999999\r\n", ""),
                 post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"),
                 post("Transfer-Encoding: chunked\r\n", "zz\r\nxx\r\n0\r\n\r\n"));

    const auto heard = site.during(exchange(site, nonsense));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 400 "));
    CHECK_THAT(heard, ContainsSubstring("Connection: close\r\n"));
}

TEST_CASE("http limits: a transfer coding we cannot undo is refused, not taken for the next request") {
    Loopback site(echo);
    const auto coding = GENERATE(std::string("gzip"), std::string("gzip, chunked"), std::string("chunked, identity"),
                                 std::string("\r\nTransfer-Encoding: chunked"));

    const auto heard = site.during(exchange(site, post("Transfer-Encoding: " + coding + "\r\n", "0\r\n\r\n")));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 501 "));
    CHECK(heard.find("HTTP/1.1", 1) == std::string::npos);
}

TEST_CASE("http limits: a connection over the limit hears 503, and is welcome when another has gone") {
    auto config = on_loopback();
    config.max_connections = 1;
    Loopback site(hello, config);

    auto crowd = [](Loopback* at) -> Async<std::string> {
        Wire first(at->io, at->server->port());
        co_await first.say("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
        co_await first.hear("hello");
        const auto refused = co_await exchange(*at, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        first.close();
        std::string welcome;  // the server needs a moment to see that the first has gone
        while (!welcome.starts_with("HTTP/1.1 200 ")) {
            welcome = co_await exchange(*at, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        }
        co_return refused;
    };
    const auto heard = site.during(crowd(&site));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 503 "));
    CHECK_THAT(heard, ContainsSubstring("Retry-After: 1\r\n"));
}

TEST_CASE(
    "http limits: without file handles the server rests between attempts, and answers when there are some again") {
    Loopback site;
    coro::VirtualTime time(site.io);
    Ended<void> served;
    start(site.io, site.server->serve(site.handler, site.stop.get_token()), served);
    Wire wire(site.io, site.server->port());
    std::vector<int> hoard;
    for (int handle = ::dup(0); handle >= 0; handle = ::dup(0)) hoard.push_back(handle);

    time.advance(1s);  // would never return if accepting were tried without rest

    for (const int handle : hoard) ::close(handle);
    Ended<std::string> heard;
    auto ask = [](Wire* on) -> Async<std::string> {
        co_await on->say("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        co_return co_await on->hear_all();
    };
    start(site.io, ask(&wire), heard);
    while (!heard.done) time.advance(10ms);
    site.stop.request_stop();
    while (!served.done) time.advance(10ms);
    CHECK_THAT(heard.get(), EndsWith("\r\n\r\nhello"));
}

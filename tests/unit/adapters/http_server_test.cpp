#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "coro/event.hpp"
#include "unit/adapters/http_wire.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;

namespace {

const std::string last = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
const std::string another = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

Async<ports::HttpResponse> path_as_body(ports::HttpRequest request) {
    co_return text(request.url);
}

Async<ports::HttpResponse> throws_on_bad(ports::HttpRequest request) {
    if (request.url == "/bad") throw std::logic_error("secret reason");
    co_return text("good");
}

Async<ports::HttpResponse> two_headers_in_one(ports::HttpRequest) {
    auto response = text("body");
    response.headers.push_back({"X-A", "1\r\nX-B: 2"});
    co_return response;
}

Async<ports::HttpResponse> no_content(ports::HttpRequest) {
    auto response = text("not for this status");
    response.status = 204;
    co_return response;
}

// A handler that answers when it is let go.
struct Held {
    explicit Held(boost::asio::io_context& io) : begun(io.get_executor()), let_go(io.get_executor()) {}

    Async<ports::HttpResponse> answer(ports::HttpRequest) {
        busy = true;
        begun.notify_all();
        while (held) co_await let_go.wait();
        co_return text("at last");
    }
    Async<> until_busy() {
        while (!busy) co_await begun.wait();
    }
    void release() {
        held = false;
        let_go.notify_all();
    }

    coro::Event begun;
    coro::Event let_go;
    bool busy = false;
    bool held = true;
};

ports::HttpHandler handler_of(Held& held) {
    return [&held](ports::HttpRequest request) { return held.answer(std::move(request)); };
}

}  // namespace

TEST_CASE("http server: pipelined requests on one connection are answered in order") {
    Loopback site(path_as_body);

    const auto heard = site.during(exchange(site,
                                            "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
                                            "GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));

    const auto first = heard.find("\r\n\r\n/1HTTP/1.1 200 OK");
    CHECK(first != std::string::npos);
    CHECK_THAT(heard, EndsWith("\r\n\r\n/2"));
}

TEST_CASE("http server: HEAD has the length of GET and no body") {
    Loopback site;

    const auto heard = site.during(exchange(site, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));

    CHECK_THAT(heard, ContainsSubstring("Content-Length: 5\r\n"));
    CHECK_THAT(heard, EndsWith("\r\n\r\n"));
}

TEST_CASE("http server: an HTTP/1.0 client needs no Host and gets its connection closed") {
    Loopback site;

    const auto heard = site.during(exchange(site, "GET / HTTP/1.0\r\n\r\n"));

    CHECK_THAT(heard, StartsWith("HTTP/1.0 200 OK\r\n"));
    CHECK_THAT(heard, EndsWith("\r\n\r\nhello"));
}

TEST_CASE("http server: answers forbid guessing their type and say who answers") {
    Loopback site;

    const auto heard = site.during(exchange(site, last));

    CHECK_THAT(heard, ContainsSubstring("X-Content-Type-Options: nosniff\r\n"));
    CHECK_THAT(heard, ContainsSubstring("Server: crawler\r\n"));
}

TEST_CASE("http server: an answer without content has neither body nor length") {
    Loopback site(no_content);

    const auto heard = site.during(exchange(site, last));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 204 No Content\r\n"));
    CHECK_THAT(heard, !ContainsSubstring("Content-Length"));
    CHECK_THAT(heard, EndsWith("\r\n\r\n"));
}

TEST_CASE("http server: what a handler throws is a 500 without the reason, and the connection lives on") {
    auto config = on_loopback();
    std::size_t errors = 0;
    config.on_error = [&errors](const std::exception_ptr&) { ++errors; };
    Loopback site(throws_on_bad, config);

    const auto heard = site.during(exchange(site, "GET /bad HTTP/1.1\r\nHost: h\r\n\r\n" + last));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
    CHECK_THAT(heard, ContainsSubstring(R"({"errorCode":"INTERNAL_ERROR",)"));
    CHECK_THAT(heard, !ContainsSubstring("secret reason"));
    CHECK_THAT(heard, EndsWith("\r\n\r\ngood"));
    CHECK(errors == 1);
}

TEST_CASE("http server: a header that would smuggle in another is not sent") {
    Loopback site(two_headers_in_one);

    const auto heard = site.during(exchange(site, last));

    CHECK_THAT(heard, StartsWith("HTTP/1.1 500 "));
    CHECK_THAT(heard, !ContainsSubstring("X-B"));
}

TEST_CASE("http server: an answer in progress is finished after the stop, and the connection then closed") {
    Loopback site;
    Held held(site.io);
    site.handler = handler_of(held);

    auto stop_meanwhile = [](Loopback* at, Held* handler) -> Async<std::string> {
        Wire wire(at->io, at->server->port());
        co_await wire.say(another);
        co_await handler->until_busy();
        at->stop.request_stop();
        handler->release();
        co_return co_await wire.hear_all();
    };
    const auto heard = site.during(stop_meanwhile(&site, &held));

    CHECK_THAT(heard, ContainsSubstring("Connection: close\r\n"));
    CHECK_THAT(heard, EndsWith("\r\n\r\nat last"));
}

TEST_CASE("http server: an idle connection is closed at once by the stop") {
    Loopback site;

    auto stop_while_idle = [](Loopback* at) -> Async<std::string> {
        Wire wire(at->io, at->server->port());
        co_await wire.say(another);
        co_await wire.hear("hello");
        at->stop.request_stop();
        co_return co_await wire.hear_all();  // the test would take the idle timeout of a minute otherwise
    };
    const auto heard = site.during(stop_while_idle(&site));

    CHECK(heard.empty());
}

TEST_CASE("http server: an answer that takes longer than the drain is cut") {
    auto config = on_loopback();
    config.drain = 20ms;
    Loopback site(hello, config);
    Held held(site.io);
    site.handler = handler_of(held);

    auto stop_for_good = [](Loopback* at, Held* handler) -> Async<std::string> {
        Wire wire(at->io, at->server->port());
        co_await wire.say(another);
        co_await handler->until_busy();
        at->stop.request_stop();
        co_return co_await wire.hear_all();
    };
    const auto heard = site.during(stop_for_good(&site, &held));

    CHECK(heard.empty());
}

TEST_CASE(
    "http server: cancelled instead of stopped, it takes its connections with it and passes the cancellation on") {
    boost::asio::io_context io{1};
    const auto server = adapters::open_http_server(on_loopback(), io);
    Held held(io);
    boost::asio::cancellation_signal cancel;
    std::exception_ptr ended;
    auto on_end = [&ended](std::exception_ptr error) { ended = std::move(error); };
    boost::asio::co_spawn(io, server->serve(handler_of(held), {}),
                          boost::asio::bind_cancellation_slot(cancel.slot(), on_end));

    auto cancel_meanwhile = [](boost::asio::io_context* on, std::uint16_t port, Held* handler,
                               boost::asio::cancellation_signal* signal) -> Async<std::string> {
        Wire wire(*on, port);
        co_await wire.say(another);
        co_await handler->until_busy();
        signal->emit(boost::asio::cancellation_type::terminal);
        co_return co_await wire.hear_all();
    };
    const auto heard = run(io, cancel_meanwhile(&io, server->port(), &held, &cancel));

    CHECK(heard.empty());
    REQUIRE(ended);
    CHECK_THROWS_AS(std::rethrow_exception(ended), boost::system::system_error);
}

TEST_CASE("http server: an address that is taken is refused by name") {
    boost::asio::io_context io{1};
    const auto first = adapters::open_http_server(on_loopback(), io);
    auto config = on_loopback();
    config.port = first->port();

    const auto address = "cannot listen on 127.0.0.1:" + std::to_string(first->port());
    CHECK_THROWS_MATCHES(adapters::open_http_server(config, io), std::runtime_error,
                         MessageMatches(StartsWith(address) && ContainsSubstring("in use")));
}

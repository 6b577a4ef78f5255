#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "coro/event.hpp"
#include "coro/sleep.hpp"
#include "unit/adapters/http_wire.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

Answer ask_alone(ports::HttpRequest request) {
    boost::asio::io_context io{1};
    const auto client = local_client({}, io);
    return run(io, ask(*client, std::move(request)));
}

// Never answers; only a cancellation ends it.
Async<ports::HttpResponse> silence(ports::HttpRequest) {
    co_await coro::sleep(1h);
    co_return text("too late");
}

adapters::HttpServerConfig impatient() {
    auto config = on_loopback();
    config.drain = 0ms;
    return config;
}

// Reads a request, says these words whatever it was, and hangs up.
Async<> recite(tcp::acceptor& door, std::string words) {
    auto socket = co_await door.async_accept(boost::asio::use_awaitable);
    char request[4096];
    co_await socket.async_read_some(boost::asio::buffer(request), boost::asio::use_awaitable);
    co_await boost::asio::async_write(socket, boost::asio::buffer(words), boost::asio::use_awaitable);
}

Answer ask_reciter(const std::string& words, const std::string& method = "GET") {
    boost::asio::io_context io{1};
    tcp::acceptor door(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const auto client = local_client({}, io);
    Ended<void> recited;
    start(io, recite(door, words), recited);
    auto request = get("http://127.0.0.1:" + std::to_string(door.local_endpoint().port()));
    request.method = method;
    auto answer = run(io, ask(*client, std::move(request)));
    recited.get();
    return answer;
}

}  // namespace

TEST_CASE("http client: what it may not ask is invalid") {
    const auto url = GENERATE("", "/relative", "ftp://host/", "http://", "http:///path", "http://host:0/",
                              "http://host:70000/", "http://user:word@host/", "http://host/a b", "http://host/\r\nX: y",
                              "http://host%00.example/", "http://h\xc3\xb6st/");

    const auto answer = ask_alone(get(url));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::invalid);
}

TEST_CASE("http client: a line break in a header or a method is refused, and its words are not repeated") {
    auto request = get("http://127.0.0.1:1/");
    const auto evil = std::string("s3cret\r\nX-Other: 1");
    SECTION("value") {
        request.headers = {{"Authorization", evil}};
    }
    SECTION("name") {
        request.headers = {{evil, "value"}};
    }
    SECTION("method") {
        request.method = evil;
    }

    const auto answer = ask_alone(request);

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::invalid);
    CHECK_THAT(answer->error().detail, StartsWith("127.0.0.1:1: ") && !ContainsSubstring("s3cret"));
}

TEST_CASE("http client: nobody there is unavailable, by name") {
    boost::asio::io_context io{1};
    tcp::acceptor door(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const auto address = "127.0.0.1:" + std::to_string(door.local_endpoint().port());
    door.close();

    const auto answer = ask_alone(get("http://" + address + "/"));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, StartsWith(address) && ContainsSubstring("refused"));
}

TEST_CASE("http client: a name that does not exist is unavailable, by name") {
    const auto answer = ask_alone(get("http://nobody.invalid/"));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, StartsWith("nobody.invalid:80: cannot resolve"));
}

TEST_CASE("http client: a server that does not answer in time is a timeout") {
    Loopback site(silence, impatient());
    const auto client = local_client({.total_timeout = 30ms}, site.io);

    const auto answer = site.during(ask(*client, get(site.url("/"))));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::timeout);
}

TEST_CASE("http client: a connection that does not come to be in time is a timeout") {
    boost::asio::io_context io{1};
    tcp::acceptor nobody_at_the_door(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const auto client = local_client({.connect_timeout = 30ms}, io);
    const auto port = std::to_string(nobody_at_the_door.local_endpoint().port());

    const auto answer = run(io, ask(*client, get("https://127.0.0.1:" + port + "/")));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::timeout);
    CHECK_THAT(answer->error().detail, ContainsSubstring("no connection in time"));
}

TEST_CASE("http client: an answer that breaks off or is no HTTP is unavailable") {
    const auto words =
        GENERATE("", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "220 mail ready\r\n\r\n");

    const auto answer = ask_reciter(words);

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
}

TEST_CASE("http client: a header without end is invalid") {
    const auto answer = ask_reciter("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::invalid);
}

TEST_CASE("http client: an announcement before the answer is not the answer") {
    const auto answer =
        ask_reciter("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\n\r\nup to the end");

    REQUIRE(*answer);
    CHECK((*answer)->status == 201);
    CHECK((*answer)->body == "up to the end");
}

TEST_CASE("http client: a cancellation ends the wait and travels on") {
    Loopback site(silence, impatient());
    const auto client = local_client({}, site.io);
    boost::asio::cancellation_signal cancel;
    std::exception_ptr ended;
    coro::Event asked(site.io.get_executor());
    site.handler = [&asked](ports::HttpRequest request) {
        asked.notify_all();
        return silence(std::move(request));
    };

    auto on_end = [&ended](std::exception_ptr error, Answer) { ended = std::move(error); };
    boost::asio::co_spawn(site.io, ask(*client, get(site.url("/"))),
                          boost::asio::bind_cancellation_slot(cancel.slot(), on_end));
    auto cancel_when_asked = [](coro::Event* heard, boost::asio::cancellation_signal* signal) -> Async<> {
        co_await heard->wait();
        signal->emit(boost::asio::cancellation_type::terminal);
    };
    site.during(cancel_when_asked(&asked, &cancel));

    REQUIRE(ended);
    try {
        std::rethrow_exception(ended);
    } catch (const boost::system::system_error& error) {
        CHECK(error.code() == boost::asio::error::operation_aborted);
    }
}

TEST_CASE("http client: a file of certificates that cannot be read stops the start") {
    boost::asio::io_context io{1};

    CHECK_THROWS_AS(adapters::make_http_client({.ca_file = "/nowhere/ca.pem"}, io), std::runtime_error);
}

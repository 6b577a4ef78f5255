#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "unit/adapters/http_wire.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

const std::string question = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

Async<ports::HttpResponse> ten(ports::HttpRequest) {
    co_return text("0123456789");
}

adapters::HttpServerConfig spoiling(adapters::BadDelivery how) {
    auto config = on_loopback();
    config.spoil = [how](ports::HttpResponse&) { return std::optional(how); };
    return config;
}

}  // namespace

TEST_CASE("http spoilt: an answer cut short announces all of it, and the connection ends") {
    Loopback site(ten, spoiling({.body_bytes = 4}));

    const auto heard = site.during(exchange(site, question));

    CHECK_THAT(heard, ContainsSubstring("Content-Length: 10\r\n"));
    CHECK_THAT(heard, EndsWith("\r\n\r\n0123"));
}

TEST_CASE("http spoilt: an answer in pieces arrives whole, and the client may ask again") {
    Loopback site(ten, spoiling({.piece = 3, .pause = 1ms}));
    auto twice = [](Loopback* at) -> Async<std::string> {
        Wire wire(at->io, at->server->port());
        co_await wire.say(question);
        const auto first = co_await wire.hear("6789");
        co_await wire.say(question);
        const auto second = co_await wire.hear("6789");
        co_return first + second;
    };

    const auto heard = site.during(twice(&site));

    CHECK(heard.find("0123456789") != heard.rfind("0123456789"));
}

TEST_CASE("http spoilt: a connection that is reset says nothing") {
    Loopback site(ten, spoiling({.reset = true}));

    const auto heard = site.during(exchange(site, question));

    CHECK(heard.empty());
}

TEST_CASE("http spoilt: whoever spoils answers may change them, and leave the others alone") {
    auto config = on_loopback();
    config.spoil = [](ports::HttpResponse& response) -> std::optional<adapters::BadDelivery> {
        response.body = "changed";
        return std::nullopt;
    };
    Loopback site(ten, config);

    const auto heard = site.during(exchange(site, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"));

    CHECK_THAT(heard, EndsWith("\r\n\r\nchanged"));
}

TEST_CASE("http spoilt: one who is slow to be answered is not taken for one who is slow to read") {
    auto config = spoiling({.piece = 1, .pause = 20ms});
    config.read_timeout = config.write_timeout = config.idle_timeout = 40ms;
    Loopback site(ten, config);

    const auto heard = site.during(exchange(site, question));

    CHECK_THAT(heard, EndsWith("\r\n\r\n0123456789"));
}

// Whom the client may ask, and for how long it listens.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "adapters/http/address_filter.hpp"
#include "unit/adapters/http_door.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

bool is_public(const std::string& address) {
    return adapters::is_public(boost::asio::ip::make_address(address));
}

// At a door where somebody would answer.
Answer knock(adapters::HttpClientConfig config, const std::string& host = "127.0.0.1") {
    Door door({{answer_of("hello")}});
    const auto client = adapters::make_http_client(std::move(config), door.io);
    const auto port = door.url().substr(door.url().rfind(':'));
    auto answer = door.during(ask(*client, get("http://" + host + port)));
    CHECK(door.heard.empty() == !*answer);
    return answer;
}

}  // namespace

TEST_CASE("http reach: an address of our own networks is refused, however it is written, and nobody is asked") {
    const auto host = GENERATE("127.0.0.1", "localhost", "0.0.0.0", "127.1", "2130706433", "0x7f000001", "[::1]",
                               "[::ffff:127.0.0.1]", "[::]");

    const auto answer = knock({}, host);

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, ContainsSubstring("no public address, only "));
}

TEST_CASE("http reach: special addresses are not public, up to their last one") {
    for (const auto* address : {"0.1.2.3",
                                "10.255.255.255",
                                "100.64.0.0",
                                "100.127.255.255",
                                "127.255.0.1",
                                "169.254.169.254",
                                "172.16.0.1",
                                "172.31.255.255",
                                "192.0.0.8",
                                "192.0.2.1",
                                "192.168.0.1",
                                "198.18.0.1",
                                "198.19.255.255",
                                "198.51.100.7",
                                "203.0.113.9",
                                "224.0.0.1",
                                "239.255.255.255",
                                "240.0.0.1",
                                "255.255.255.255",
                                "::",
                                "::1",
                                "::127.0.0.1",
                                "::ffff:10.0.0.1",
                                "64:ff9b::10.0.0.1",
                                "64:ff9b:1::1",
                                "100::1",
                                "2001::1",
                                "2001:db8::1",
                                "2002:a00:1::1",
                                "3fff::1",
                                "fc00::1",
                                "fdff::1",
                                "fe80::1",
                                "febf::1",
                                "fec0::1",
                                "ff02::1"}) {
        CAPTURE(address);
        CHECK_FALSE(is_public(address));
    }
}

TEST_CASE("http reach: their neighbours are public") {
    for (const auto* address :
         {"1.0.0.1",         "9.255.255.255",    "11.0.0.0",        "100.63.255.255", "100.128.0.0",
          "126.255.255.255", "128.0.0.1",        "169.253.0.1",     "172.15.255.255", "172.32.0.0",
          "192.167.255.255", "192.169.0.0",      "198.17.255.255",  "198.20.0.0",     "223.255.255.255",
          "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:200::1",    "2404:6800:4004::1",
          "2606:4700::1"}) {
        CAPTURE(address);
        CHECK(is_public(address));
    }
}

TEST_CASE("http reach: a host that is not on the list is refused, and nobody is asked") {
    const std::vector<std::string> allowed{"example", "localhost.example", "127.0.0.10", "local"};

    const auto answer =
        knock({.allowed_hosts = allowed, .allow_private_addresses = true}, GENERATE("127.0.0.1", "localhost"));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, ContainsSubstring("not on the list of allowed hosts"));
}

TEST_CASE("http reach: a host that is on the list is asked, in capitals too") {
    const auto answer = knock({.allowed_hosts = {"other.example", "LocalHost"}, .allow_private_addresses = true},
                              GENERATE("localhost", "LOCALHOST"));

    REQUIRE(*answer);
    CHECK((*answer)->body == "hello");
}

TEST_CASE("http reach: a redirect is an answer, and not followed") {
    Door door({{"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", answer_of("elsewhere")}});
    const auto client = local_client({}, door.io);

    const auto answer = door.during(ask(*client, get(door.url())));

    REQUIRE(*answer);
    CHECK((*answer)->status == 302);
    CHECK(find_header((*answer)->headers, "Location") == "/elsewhere");
    CHECK(door.heard[0].size() == 1);
}

TEST_CASE("http reach: a body that trickles is cut by the deadline of the whole") {
    auto config = on_loopback();
    config.spoil = [](ports::HttpResponse&) { return adapters::BadDelivery{.piece = 1, .pause = 20ms}; };
    Loopback site(hello, config);
    const auto client = local_client({.read_timeout = 10s, .total_timeout = 50ms}, site.io);

    const auto answer = site.during(ask(*client, get(site.url("/"))));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::timeout);
    CHECK_THAT(answer->error().detail, ContainsSubstring("no whole answer in time"));
}

TEST_CASE("http reach: an answer that stops in the middle is a timeout long before that deadline") {
    Door door({{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "never"}});
    const auto client = local_client({.read_timeout = 30ms, .total_timeout = 1h}, door.io);

    const auto answer = door.during(ask(*client, get(door.url())));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::timeout);
    CHECK_THAT(answer->error().detail, ContainsSubstring("silent for too long"));
}

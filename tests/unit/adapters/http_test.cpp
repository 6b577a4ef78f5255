#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "unit/adapters/http_fixture.hpp"

using namespace crawler;
using namespace crawler::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using ports::find_header;

namespace {

// The request as the server saw it, one line per part.
Async<ports::HttpResponse> mirror(ports::HttpRequest request) {
    auto response = text(request.method + " " + request.url + "\n");
    for (const auto& header : request.headers) response.body += header.name + "=" + header.value + "\n";
    response.body += request.body;
    response.status = 418;
    response.headers.push_back({"X-Twice", "1"});
    response.headers.push_back({"X-Twice", "2"});
    co_return response;
}

Async<ports::HttpResponse> megabyte(ports::HttpRequest) {
    co_return text(std::string(1'000'000, 'x'));
}

}  // namespace

TEST_CASE("http: request and answer arrive as they were sent") {
    Loopback site(mirror);
    const auto client = local_client({}, site.io);
    auto request = get(site.url("/a/b%20c?q=1&r=%2F#fragment"));
    request.method = "PATCH";
    request.headers = {{"X-Key", "value, and \"more\""}, {"Content-Length", "1"}, {"Connection", "keep-alive"}};
    request.body = std::string("two\0words", 9);

    const auto answer = site.during(ask(*client, request));

    REQUIRE(*answer);
    const auto& response = **answer;
    CHECK(response.status == 418);
    CHECK(find_header(response.headers, "x-twice") == "1");
    CHECK(std::ranges::count(response.headers, "X-Twice", &ports::HttpHeader::name) == 2);
    CHECK_THAT(response.body, StartsWith("PATCH /a/b%20c?q=1&r=%2F\n"));
    CHECK_THAT(response.body, ContainsSubstring("X-Key=value, and \"more\"\n"));
    CHECK_THAT(response.body, ContainsSubstring("Host=127.0.0.1:" + std::to_string(site.server->port()) + "\n"));
    CHECK_THAT(response.body, ContainsSubstring("Content-Length=9\n"));
    CHECK_THAT(response.body, EndsWith(std::string("\ntwo\0words", 10)));
}

TEST_CASE("http: HEAD is answered without a body") {
    Loopback site;
    const auto client = local_client({}, site.io);
    auto request = get(site.url("/"));
    request.method = "HEAD";

    const auto answer = site.during(ask(*client, request));

    REQUIRE(*answer);
    CHECK(find_header((*answer)->headers, "Content-Length") == "5");
    CHECK((*answer)->body.empty());
}

TEST_CASE("http client: a name is looked up") {
    Loopback site;
    const auto client = local_client({}, site.io);

    const auto answer = site.during(ask(*client, get("http://localhost:" + std::to_string(site.server->port()))));

    REQUIRE(*answer);
    CHECK((*answer)->body == "hello");
}

TEST_CASE("http client: an answer over the size limit is invalid") {
    Loopback site(megabyte);
    const auto client = local_client({.max_body = 999'999}, site.io);

    const auto answer = site.during(ask(*client, get(site.url("/"))));

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::invalid);
}

TEST_CASE("http client: an answer of exactly the size limit is taken") {
    Loopback site(megabyte);
    const auto client = local_client({.max_body = 1'000'000}, site.io);

    const auto answer = site.during(ask(*client, get(site.url("/"))));

    REQUIRE(*answer);
    CHECK((*answer)->body.size() == 1'000'000);
}

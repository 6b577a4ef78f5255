#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

TEMPLATE_LIST_TEST_CASE("http client: method, URL, headers and body reach the other side", "[contract][http_client]",
                        HttpFixtures) {
    TestType f;
    ports::HttpRequest seen;
    f.handler = [&](const ports::HttpRequest& request) {
        seen = request;
        return ports::HttpResponse{.status = 201, .headers = {{"X-Answer", "yes"}}, .body = "가"};
    };

    const auto answer =
        f.run(f.client->send({"PUT", f.base_url() + "/products/1?a=%20b", {{"X-Ask", "really"}}, "body"}));

    REQUIRE(answer);
    CHECK(answer->status == 201);
    CHECK(answer->body == "가");
    CHECK(ports::find_header(answer->headers, "x-answer") == "yes");
    CHECK(seen.method == "PUT");
    CHECK(seen.url.ends_with("/products/1?a=%20b"));
    CHECK(ports::find_header(seen.headers, "x-ask") == "really");
    CHECK(seen.body == "body");
}

TEMPLATE_LIST_TEST_CASE("http client: any status is an answer", "[contract][http_client]", HttpFixtures) {
    TestType f;
    const int status = GENERATE(200, 302, 404, 429, 503);
    f.handler = [&](const ports::HttpRequest&) { return ports::HttpResponse{.status = status}; };

    const auto answer = f.run(f.client->send({.url = f.base_url() + "/"}));

    REQUIRE(answer);
    CHECK(answer->status == status);
}

TEMPLATE_LIST_TEST_CASE("http client: what is not an absolute URL is invalid", "[contract][http_client]",
                        HttpFixtures) {
    TestType f;
    f.handler = [](const ports::HttpRequest&) { return ports::HttpResponse{}; };

    CHECK(code_of(f.run(f.client->send({.url = GENERATE("", "/path", "ftp://host/", "host")}))) == "INVALID");
}

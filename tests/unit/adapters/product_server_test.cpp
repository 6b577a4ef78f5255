#include "adapters/product_server/product_server.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "adapters/memory/memory.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using adapters::ProductServerConfig;

namespace {

const std::string base = "https://products.example/api/";

std::string payload(const std::string& type, std::int64_t version = 8, const std::string& item = "4711") {
    return R"({"changedFields":[],"eventType":")" + type + R"(","itemNo":)" + item +
           R"(,"productData":{"listing":{"name":"가방"}},"sellerId":"dmont","version":)" + std::to_string(version) +
           "}";
}

OutboxEntry entry(const std::string& text) {
    return OutboxEntry::create({OutboxId{"o-1"}, "4711", text, "key-1"}, t0);
}

struct Server {
    explicit Server(ProductServerConfig config = with_base()) {
        server = adapters::make_rest_product_server(std::move(config), *http);
    }
    static ProductServerConfig with_base() { return {.base_url = base, .auth_value = Secret("Bearer s3cret")}; }

    Result<> push(const std::string& text) { return run(server->push(entry(text))); }
    Result<> refused(int status, std::string body, std::vector<ports::HttpHeader> headers = {}) {
        answer = ports::HttpResponse{.status = status, .headers = std::move(headers), .body = std::move(body)};
        return push(payload("PRODUCT_UPDATED"));
    }

    Result<ports::HttpResponse> answer = ports::HttpResponse{};
    std::vector<ports::HttpRequest> heard;
    std::unique_ptr<ports::HttpClient> http =
        adapters::make_memory_http_client([this](const ports::HttpRequest& request) {
            heard.push_back(request);
            return answer;
        });
    std::unique_ptr<ports::ProductServer> server;
};

}  // namespace

TEST_CASE("rest product server: each kind of event has its method, and all go to the item", "[product_server]") {
    Server server;
    for (const auto* type : {"PRODUCT_CREATED", "PRODUCT_UPDATED", "PRODUCT_DELETED"})
        CHECK(server.push(payload(type)));

    REQUIRE(server.heard.size() == 3);
    CHECK(server.heard[0].method == "POST");
    CHECK(server.heard[1].method == "PUT");
    CHECK(server.heard[2].method == "DELETE");
    for (const auto& request : server.heard) CHECK(request.url == "https://products.example/api/products/4711");
}

TEST_CASE("rest product server: the payload goes as it is, under its key and with the secret", "[product_server]") {
    Server server;
    CHECK(server.push(payload("PRODUCT_DELETED")));

    const auto& request = server.heard.at(0);
    CHECK(request.body == payload("PRODUCT_DELETED"));
    CHECK(find_header(request.headers, "Idempotency-Key") == "key-1");
    CHECK(find_header(request.headers, "Content-Type") == "application/json");
    CHECK(find_header(request.headers, "Authorization") == "Bearer s3cret");
}

TEST_CASE("rest product server: routes and the header of the secret are configuration", "[product_server]") {
    auto config = Server::with_base();
    config.updated = {"PATCH", "/v2/items/{itemNo}/state"};
    config.auth_header = "X-Api-Key";
    Server server(config);

    CHECK(server.push(payload("PRODUCT_UPDATED")));

    CHECK(server.heard.at(0).method == "PATCH");
    CHECK(server.heard.at(0).url == "https://products.example/api/v2/items/4711/state");
    CHECK(find_header(server.heard.at(0).headers, "X-Api-Key") == "Bearer s3cret");
    CHECK_FALSE(find_header(server.heard.at(0).headers, "Authorization"));
}

TEST_CASE("rest product server: any success is done", "[product_server]") {
    CHECK(Server().refused(GENERATE(200, 201, 202, 204), ""));
}

TEST_CASE("rest product server: a conflict is done where our version or a later one is there", "[product_server]") {
    CHECK(Server().refused(409, R"({"errorCode":"VERSION_CONFLICT","currentVersion":8})"));
    CHECK(Server().refused(409, R"({"currentVersion":"9","more":[]})"));
}

TEST_CASE("rest product server: any other conflict is for good", "[product_server]") {
    const auto body = GENERATE(R"({"errorCode":"ALREADY_EXISTS","currentVersion":7})", R"({"errorCode":"DELETED"})", "",
                               "conflict", R"({"currentVersion":null})", R"({"currentVersion":-8})");

    const auto result = Server().refused(409, body);

    REQUIRE_FALSE(result);
    CHECK(result.error() == Error{Errc::invalid, std::string("HTTP 409: ") + body});
}

TEST_CASE("rest product server: what may succeed later may be tried again", "[product_server]") {
    for (const auto& [status, code] : std::vector<std::pair<int, Errc>>{{408, Errc::timeout},
                                                                        {425, Errc::unavailable},
                                                                        {429, Errc::rate_limited},
                                                                        {500, Errc::unavailable},
                                                                        {503, Errc::unavailable}}) {
        CAPTURE(status);
        const auto result = Server().refused(status, "busy", {{"Retry-After", "5"}});
        REQUIRE_FALSE(result);
        CHECK(result.error() == Error{code, "HTTP " + std::to_string(status) + ": busy", 5s});
        CHECK(is_retryable(result.error().code));
    }
}

TEST_CASE("rest product server: every other status is for good, with the server's words, but not all of them",
          "[product_server]") {
    const auto status = GENERATE(301, 400, 401, 403, 404, 422);
    auto config = Server::with_base();
    config.kept_body = 10;

    CHECK(Server().refused(status, "no such field").error() ==
          Error{Errc::invalid, "HTTP " + std::to_string(status) + ": no such field"});
    CHECK(Server(config).refused(status, "no such field").error().detail ==
          "HTTP " + std::to_string(status) + ": no such fi...");
}

TEST_CASE("rest product server: what the connection came to is what the push came to", "[product_server]") {
    const auto code = GENERATE(Errc::timeout, Errc::unavailable);
    Server server;
    server.answer = Error{code, "why"};

    CHECK(server.push(payload("PRODUCT_CREATED")).error() == Error{code, "why"});
}

TEST_CASE("rest product server: a payload that is none, or is about another item, is refused and not sent",
          "[product_server]") {
    Server server;
    for (const auto& text : {std::string("v1"), std::string("{}"), payload("PRODUCT_RENAMED"),
                             payload("PRODUCT_UPDATED", 0), payload("PRODUCT_UPDATED", 8, "4712")}) {
        CAPTURE(text);
        CHECK(code_of(server.push(text)) == "INVALID");
    }
    CHECK(server.heard.empty());
}

TEST_CASE("rest product server: a base URL or a route that is none stops the start", "[product_server]") {
    auto config = Server::with_base();
    SECTION("no scheme") {
        config.base_url = "products.example";
    }
    SECTION("no item in the path") {
        config.deleted.path = "/products";
    }
    SECTION("no method") {
        config.created.method = "";
    }

    CHECK_THROWS_AS(Server(config), std::runtime_error);
}

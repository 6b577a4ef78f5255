#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "coro/together.hpp"
#include "unit/adapters/http_door.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

using Answers = std::vector<Result<ports::HttpResponse>>;

Async<Answers> ask_all(ports::HttpClient& client, std::vector<ports::HttpRequest> requests) {
    Answers answers;
    for (auto& request : requests) {
        auto answer = co_await client.send(std::move(request));
        answers.push_back(std::move(answer));
    }
    co_return answers;
}

// The second only once the server has closed the connection of the first.
Async<Answers> ask_around_a_close(Door& door, ports::HttpClient& client, ports::HttpRequest request) {
    Answers answers;
    auto first = co_await client.send(request);
    answers.push_back(std::move(first));
    co_await door.closed(1);
    auto second = co_await client.send(request);
    answers.push_back(std::move(second));
    co_return answers;
}

Async<> ask_into(ports::HttpClient& client, ports::HttpRequest request, Answers& answers) {
    auto answer = co_await client.send(std::move(request));
    answers.push_back(std::move(answer));
}

Async<Answers> ask_at_once(ports::HttpClient& client, ports::HttpRequest request) {
    Answers answers;
    auto first = ask_into(client, request, answers);
    auto second = ask_into(client, request, answers);
    co_await coro::together(std::move(first), std::move(second));
    co_return answers;
}

ports::HttpRequest post(std::string url) {
    return {.method = "POST", .url = std::move(url), .headers = {}, .body = ""};
}

std::vector<std::size_t> requests_by_connection(const Door& door) {
    std::vector<std::size_t> counts;
    for (const auto& requests : door.heard) counts.push_back(requests.size());
    return counts;
}

}  // namespace

TEST_CASE("http keep-alive: requests to one origin share a connection") {
    Door door({{answer_of("one"), answer_of("two"), answer_of("three")}});
    const auto client = local_client({}, door.io);

    const auto answers =
        door.during(ask_all(*client, {get(door.url("/1")), post(door.url("/2")), get(door.url("/3"))}));

    REQUIRE(answers.size() == 3);
    CHECK(answers[2]->body == "three");
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{3});
    CHECK(door.heard[0][0].find("Connection: close") == std::string::npos);
}

TEST_CASE("http keep-alive: where none may be idle, each request has a connection of its own and says so") {
    Door door({{answer_of("one")}, {answer_of("two")}});
    const auto client = local_client({.max_idle_per_origin = 0}, door.io);

    const auto answers = door.during(ask_all(*client, {get(door.url()), get(door.url())}));

    CHECK(answers[1]->body == "two");
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{1, 1});
    CHECK(door.heard[0][0].find("Connection: close\r\n") != std::string::npos);
}

TEST_CASE("http keep-alive: a connection that the server wants closed, or that said too much, is not used again") {
    const auto last = GENERATE(answer_of("one", "Connection: close\r\n"), answer_of("one") + "HTTP/1.1 200 OK\r\n",
                               std::string("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\none"));
    Door door({{last}, {answer_of("two")}});
    const auto client = local_client({}, door.io);

    const auto answers = door.during(ask_all(*client, {post(door.url()), post(door.url())}));

    REQUIRE(answers[0]);
    CHECK(answers[0]->body == "one");
    CHECK(answers[1]->body == "two");
}

TEST_CASE("http keep-alive: a connection that was closed while it was idle is not used, whatever is asked") {
    Door door({{answer_of("one")}, {answer_of("two")}});
    const auto client = local_client({}, door.io);

    const auto answers = door.during(ask_around_a_close(door, *client, post(door.url())));

    REQUIRE(answers[1]);
    CHECK(answers[1]->body == "two");
}

TEST_CASE(
    "http keep-alive: a connection that closes on the request is replaced once, where asking twice does no harm") {
    Door door({{answer_of("one"), ""}, {answer_of("two")}});
    const auto client = local_client({}, door.io);
    auto again = post(door.url());
    SECTION("GET") {
        again.method = "GET";
    }
    SECTION("PUT") {
        again.method = "PUT";
    }
    SECTION("DELETE") {
        again.method = "DELETE";
    }
    SECTION("POST with an idempotency key") {
        again.headers = {{"Idempotency-Key", "key-1"}};
    }

    const auto answers = door.during(ask_all(*client, {get(door.url()), again}));

    REQUIRE(answers[1]);
    CHECK(answers[1]->body == "two");
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{2, 1});
}

TEST_CASE("http keep-alive: what may not be asked twice is not") {
    Door door({{answer_of("one"), ""}, {answer_of("two")}});
    const auto client = local_client({}, door.io);
    auto second = post(door.url());
    SECTION("POST") {}
    SECTION("GET of a site that counts") {
        second = get(door.url());
        second.once = true;
    }

    const auto answers = door.during(ask_all(*client, {get(door.url()), second}));

    REQUIRE_FALSE(answers[1]);
    CHECK(answers[1].error().code == Errc::unavailable);
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{2});
}

TEST_CASE("http keep-alive: nothing is asked again once a part of the answer has come, nor on a new connection") {
    Door door({{answer_of("one"), "HTTP/1.1 200 OK\r\nContent-Le"}, {""}, {answer_of("never")}});
    const auto client = local_client({}, door.io);

    const auto answers = door.during(ask_all(*client, {get(door.url()), get(door.url()), get(door.url())}));

    CHECK(answers[1].error().code == Errc::unavailable);
    CHECK(answers[2].error().code == Errc::unavailable);
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{2, 1});
}

TEST_CASE("http keep-alive: a request waits for the connection that another one has") {
    Door door({{answer_of("one"), answer_of("two")}});
    const auto client = local_client({.max_connections = 1}, door.io);

    const auto answers = door.during(ask_at_once(*client, get(door.url())));

    REQUIRE(answers.size() == 2);
    CHECK(answers[0]->body == "one");
    CHECK(answers[1]->body == "two");
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{2});
}

TEST_CASE("http keep-alive: the wait for a connection ends with the time for the whole request") {
    Door door({{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "never"}});
    const auto client = local_client({.total_timeout = 50ms, .max_connections = 1}, door.io);

    const auto answers = door.during(ask_at_once(*client, get(door.url())));

    CHECK(answers[0].error().code == Errc::timeout);
    CHECK(answers[1].error().code == Errc::timeout);
    CHECK(requests_by_connection(door) == std::vector<std::size_t>{1});
}

#include "runtime/health.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "support/run.hpp"

using namespace crawler;
using namespace std::chrono_literals;
using runtime::Health;
using runtime::health_routes;

namespace {

struct SetClock final : ports::Clock {
    TimePoint now() const override { return time; }
    TimePoint time{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
};

std::string exposition() {
    return "up 1\n";
}

struct Daemon {
    SetClock clock;
    Health health{clock};
    ports::HttpHandler handler = health_routes(health, exposition);

    ports::HttpResponse ask(const std::string& target, const std::string& method = "GET") {
        ports::HttpRequest request;
        request.method = method;
        request.url = target;
        return test::run(handler(request));
    }
};

boost::json::object body_of(const ports::HttpResponse& response) {
    CHECK(ports::find_header(response.headers, "Content-Type") == "application/json");
    return boost::json::parse(response.body).as_object();
}

Async<ports::HttpResponse> teapot(ports::HttpRequest request) {
    ports::HttpResponse response;
    response.status = 418;
    response.body = request.url;
    co_return response;
}

}  // namespace

TEST_CASE("health: a starting daemon lives but is not ready") {
    Daemon daemon;

    CHECK(daemon.ask("/healthz").status == 200);
    CHECK(body_of(daemon.ask("/healthz"))["status"] == "UP");
    CHECK(daemon.ask("/readyz").status == 503);
    CHECK(body_of(daemon.ask("/readyz"))["reason"] == "starting");
}

TEST_CASE("health: a ready daemon whose loops beat is ready") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    daemon.health.ready();

    CHECK(daemon.ask("/readyz").status == 200);
    CHECK(body_of(daemon.ask("/readyz"))["status"] == "UP");
}

TEST_CASE("health: a stopping daemon lives, is not ready, and does not become so again") {
    Daemon daemon;
    daemon.health.ready();
    daemon.health.stopping();
    daemon.health.ready();

    CHECK(daemon.ask("/healthz").status == 200);
    CHECK(daemon.ask("/readyz").status == 503);
    CHECK(body_of(daemon.ask("/readyz"))["reason"] == "stopping");
}

TEST_CASE("health: a loop silent for longer than it may be is named by every probe") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    auto& rescue = daemon.health.add("rescue", 10s);
    daemon.health.ready();

    daemon.clock.time += 10s + 1us;
    rescue.beat();

    const auto live = daemon.ask("/healthz");
    CHECK(live.status == 503);
    CHECK(boost::json::serialize(body_of(live)["silent"]) == R"(["relay"])");
    const auto ready = daemon.ask("/readyz");
    CHECK(ready.status == 503);
    CHECK(body_of(ready)["reason"] == "no sign of life from: relay");
}

TEST_CASE("health: a loop may be silent for just as long as it said, and a beat revives it") {
    Daemon daemon;
    auto& relay = daemon.health.add("relay", 10s);

    daemon.clock.time += 10s;
    CHECK(daemon.ask("/healthz").status == 200);

    daemon.clock.time += 1s;
    CHECK(daemon.ask("/healthz").status == 503);

    relay.beat();
    CHECK(daemon.ask("/healthz").status == 200);
}

TEST_CASE("health: a clock set back does not kill a loop") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    daemon.health.ready();

    daemon.clock.time -= 1h;

    CHECK(daemon.ask("/healthz").status == 200);
    CHECK(body_of(daemon.ask("/actuator/health"))["components"].at("relay").at("details").at("secondsSince") == 0);
}

TEST_CASE("health: the actuator tells of each loop in Spring's words") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    daemon.health.ready();
    daemon.clock.time += 3500ms;

    const auto response = daemon.ask("/actuator/health");

    CHECK(response.status == 200);
    CHECK(response.body == R"({"status":"UP","components":{"relay":{"status":"UP","details":)"
                           R"({"lastBeat":"2026-11-18T09:00:00.000000Z","secondsSince":3}}}})");
}

TEST_CASE("health: the actuator is out of service while the daemon starts or stops") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    if (GENERATE(false, true)) {
        daemon.health.ready();
        daemon.health.stopping();
    }

    const auto response = daemon.ask("/actuator/health");

    CHECK(response.status == 503);
    CHECK(body_of(response)["status"] == "OUT_OF_SERVICE");
    CHECK(body_of(response)["components"].at("relay").at("status") == "UP");
}

TEST_CASE("health: the actuator is down with one loop down, whatever the phase") {
    Daemon daemon;
    daemon.health.add("relay", 10s);
    daemon.clock.time += 1min;
    daemon.health.add("rescue", 10s);
    if (GENERATE(false, true)) daemon.health.ready();

    const auto response = daemon.ask("/actuator/health");

    CHECK(response.status == 503);
    CHECK(body_of(response)["status"] == "DOWN");
    CHECK(body_of(response)["components"].at("relay").at("status") == "DOWN");
    CHECK(body_of(response)["components"].at("rescue").at("status") == "UP");
}

TEST_CASE("health: metrics are given as Prometheus reads them") {
    Daemon daemon;

    const auto response = daemon.ask("/metrics?name=up");

    CHECK(response.status == 200);
    CHECK(ports::find_header(response.headers, "Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
    CHECK(response.body == "up 1\n");
}

TEST_CASE("health: its paths are read only") {
    Daemon daemon;
    const auto path = GENERATE("/healthz", "/readyz", "/actuator/health", "/metrics");

    const auto response = daemon.ask(path, "POST");

    CHECK(response.status == 405);
    CHECK(ports::find_header(response.headers, "Allow") == "GET, HEAD");
    CHECK(body_of(response)["errorCode"] == "METHOD_NOT_ALLOWED");
    CHECK(daemon.ask(path, "HEAD").status == daemon.ask(path, "GET").status);
}

TEST_CASE("health: any other path is not found") {
    Daemon daemon;
    const auto path = GENERATE("/", "/healthz/", "/metric", "/HEALTHZ", "");

    const auto response = daemon.ask(path);

    CHECK(response.status == 404);
    CHECK(body_of(response)["errorCode"] == "NOT_FOUND");
    CHECK(body_of(response)["path"] == path);
}

TEST_CASE("health: any other path goes, with its query, to whoever else answers") {
    Daemon daemon;
    daemon.handler = health_routes(daemon.health, exposition, teapot);

    const auto response = daemon.ask("/api/v1/sellers?page=2", "POST");

    CHECK(response.status == 418);
    CHECK(response.body == "/api/v1/sellers?page=2");
    CHECK(daemon.ask("/healthz?x").status == 200);
}

#include "simulator.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>

#include "coro/block_on.hpp"
#include "coro/virtual_time.hpp"
#include "delivery.hpp"
#include "expectation.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

namespace json = boost::json;

const std::string listing =
    "/mustit-api/facade-api/v1/searchmini-shop-search?sellerId=seller_1&pageNo=0&pageSize=500&order=LATEST";

struct World {
    explicit World(Scenario chosen = small()) : simulator(chosen, [this] { return now; }) {}

    static Scenario small() {
        Scenario scenario;
        scenario.size = {.seed = 7, .sellers = 2, .products = 5};
        return scenario;
    }
    static Scenario with(Place place, Fault fault) {
        auto scenario = small();
        scenario.faults.at[static_cast<std::size_t>(place)].per_mille[static_cast<std::size_t>(fault)] = 1000;
        scenario.faults.huge_body = 100'000;
        scenario.faults.silence = 1ms;
        return scenario;
    }

    HttpResponse say(HttpRequest request) {
        boost::asio::io_context io{1};
        return crawler::coro::block_on(io, simulator.handle(std::move(request)));
    }
    HttpResponse control(const std::string& method, const std::string& target, const std::string& body = "") {
        return say({.method = method, .url = target, .headers = {{"Host", "127.0.0.1"}}, .body = body});
    }
    // A second later, with the cookies of the browser.
    HttpResponse get(const std::string& target) {
        now += 1s;
        auto response = say({.method = "GET",
                             .url = target,
                             .headers = {{"Host", "localhost:80"}, {"User-Agent", "browser"}, {"Cookie", cookies}},
                             .body = ""});
        for (const auto& [name, value] : response.headers) {
            if (name == "Set-Cookie") cookies += value.substr(0, value.find(';')) + "; ";
        }
        return response;
    }
    json::object audit() { return simulator.audit(std::nullopt, 100); }

    SimTime now{};
    std::string cookies;
    Simulator simulator;
};

}  // namespace

TEST_CASE("simulator: a browser opens a session and may look at everything", "[marketsim]") {
    World world;
    CHECK(world.get("/").status == 200);

    const auto page = json::parse(world.get(listing).body);
    CHECK(page.at("count") == 5);
    const auto item = std::to_string(page.at("items").at(0).at("itemNo").as_int64());
    CHECK(world.get("/mustit-api/facade-api/v1/item/" + item + "/detail/top").status == 200);
    CHECK(world.get("/mustit-api/legacy-api/v1/auction_products/" + item + "/options").status == 200);
    CHECK(world.get("/v2/api/facade/searchItems?keyword=seller_1").status == 200);

    const auto audit = world.audit();
    CHECK(audit.at("requests").at("total") == 5);
    CHECK(audit.at("rate").at("violations") == 0);
    CHECK(audit.at("rate").at("closestSpacingMs") == 1000.0);
}

TEST_CASE("simulator: without a session there is nothing but the root", "[marketsim]") {
    World world;

    CHECK(world.get(listing).status == 401);
    world.get("/");
    CHECK(world.get(listing).status == 200);
    world.now += 24h;
    const auto late = world.get(listing);
    CHECK(late.status == 401);
    CHECK_THAT(late.body, ContainsSubstring("TOKEN_EXPIRED"));
}

TEST_CASE("simulator: a request too many is refused with the time to wait, and counts", "[marketsim]") {
    World world;
    world.get("/");
    for (int i = 0; i < 79; ++i) REQUIRE(world.get(listing).status == 200);

    const auto refused = world.get(listing);

    CHECK(refused.status == 429);
    CHECK(crawler::ports::find_header(refused.headers, "Retry-After"));
    CHECK(world.audit().at("rate").at("worstHour") == 81);
    CHECK(world.audit().at("rate").at("violations") == 1);
}

TEST_CASE("simulator: clients wait in their own seconds", "[marketsim]") {
    auto scenario = World::small();
    scenario.time_factor = 60;
    scenario.limits.per_hour = 1;
    World world(scenario);
    world.get("/");

    const auto refused = world.get("/");

    CHECK(*crawler::ports::find_header(refused.headers, "Retry-After") == "60");
}

TEST_CASE("simulator: a host, a browser and a method it does not know are refused", "[marketsim]") {
    World world;
    const auto status = [&](std::string method, std::string host, std::string browser) {
        return world
            .say({.method = std::move(method),
                  .url = "/",
                  .headers = {{"Host", std::move(host)}, {"User-Agent", std::move(browser)}},
                  .body = ""})
            .status;
    };

    CHECK(status("GET", "elsewhere.example", "a") == 421);
    CHECK(status("GET", "127.0.0.1:8090", "") == 400);
    CHECK(status("POST", "127.0.0.1", "b") == 405);
    CHECK(status("GET", "m.web.mustit.co.kr", "c") == 200);
    CHECK(world.audit().at("rate").at("identities") == 2);  // the first two never came in
}

TEST_CASE("simulator: every fault of an answer is what its name says", "[marketsim]") {
    const auto fault =
        GENERATE(Fault::throttled, Fault::error_500, Fault::error_503, Fault::not_json, Fault::error_body,
                 Fault::numbers_as_strings, Fault::missing_module, Fault::huge_body, Fault::token_dies);
    World world(World::with(Place::listing, fault));
    world.get("/");

    const auto answer = world.get(listing);

    boost::system::error_code error;
    const auto body = json::parse(answer.body, error);
    CHECK(answer.status == (fault == Fault::throttled    ? 429
                            : fault == Fault::error_500  ? 500
                            : fault == Fault::error_503  ? 503
                            : fault == Fault::token_dies ? 401
                                                         : 200));
    CHECK(static_cast<bool>(error) == (fault == Fault::not_json));
    if (fault == Fault::error_body) CHECK(body.as_object().contains("errorCode"));
    if (fault == Fault::numbers_as_strings) CHECK(body.at("count") == "5");
    if (fault == Fault::missing_module) CHECK_FALSE(body.as_object().contains("items"));
    if (fault == Fault::huge_body) CHECK(answer.body.size() == 100'000);
    CHECK(world.audit().at("requests").at("listing").as_object().contains(to_string(fault)));
    world.control("POST", "/_sim/faults", R"({"enabled":false})");
    CHECK(world.get(listing).status == (fault == Fault::token_dies ? 401 : 200));
}

TEST_CASE("simulator: a fault of the way is for the server's door", "[marketsim]") {
    const auto fault = GENERATE(Fault::reset, Fault::slow_body, Fault::truncated_body);
    World world(World::with(Place::listing, fault));
    world.get("/");
    auto answer = world.get(listing);
    const auto headers = answer.headers.size();

    const auto bad = taken_off(answer);

    REQUIRE(bad);
    CHECK(answer.headers.size() == headers - 1);
    CHECK(bad->reset == (fault == Fault::reset));
    CHECK((bad->piece > 0) == (fault == Fault::slow_body));
    if (fault == Fault::truncated_body) CHECK(bad->body_bytes == answer.body.size() / 2);
    CHECK_FALSE(taken_off(answer));
}

TEST_CASE("simulator: the script changes the catalogue when its time comes", "[marketsim]") {
    auto scenario = World::small();
    scenario.time_factor = 60;
    scenario.changes = {"20m remove 1", "10m price 2 seller_2"};
    boost::asio::io_context io{1};
    crawler::coro::VirtualTime time(io);
    Simulator simulator(scenario, [&] { return std::chrono::duration_cast<SimTime>(time.elapsed() * 60); });
    bool ended = false;
    auto script = [&]() -> crawler::Async<> {
        co_await simulator.run_script({});
        ended = true;
    };
    boost::asio::co_spawn(io, script(), [](const std::exception_ptr& error) { CHECK_FALSE(error); });

    time.advance(10s - 1ms);
    CHECK(simulator.audit(std::nullopt, 9).at("mutationsMade") == 0);
    time.advance(1ms);
    CHECK(simulator.audit(std::nullopt, 9).at("mutationsMade") == 2);
    time.advance(10s);
    const auto audit = simulator.audit(std::nullopt, 9);
    CHECK(audit.at("mutationsMade") == 3);
    CHECK(audit.at("mutations").at(0).at("kind") == "remove");
    CHECK(audit.at("mutations").at(2).at("sellerId") == "seller_2");
    CHECK(audit.at("mutations").at(2).at("arrivedAfterMs").is_null());
    CHECK(audit.at("changesRefused").as_array().empty());
    CHECK(audit.at("items").at("expected") == 9);
    CHECK(ended);
}

TEST_CASE("simulator: a change by hand is done, or refused by the rule it breaks", "[marketsim]") {
    World world;
    const auto done = world.control("POST", "/_sim/mutate", R"({"kind":"price","count":2,"seller":"seller_1"})");
    CHECK(done.status == 200);
    CHECK(json::parse(done.body).at("mutations").as_array().size() == 2);

    const auto [body, words] = GENERATE(table<std::string, std::string>({
        {"[]", "a JSON object"},
        {R"({"count":1})", "/kind is missing"},
        {R"({"kind":"colour","count":1})", "/kind must be"},
        {R"({"kind":"price","count":0})", "/count must be"},
        {R"({"kind":"price","percent":101})", "/percent must be"},
        {R"({"kind":"price","seller":"x","count":1})", "no such seller"},
        {R"({"kind":"price","items":[1]})", "1"},
        {R"({"kind":"price","cuont":1})", "/cuont"},
        {R"({"kind":"price","count":999})", "on sale"},
    }));
    const auto refused = world.control("POST", "/_sim/mutate", body);
    CHECK(refused.status == 400);
    CHECK_THAT(refused.body, ContainsSubstring(words));
}

TEST_CASE("simulator: an item can be looked at as the product server should hold it", "[marketsim]") {
    World world;

    const auto shown = json::parse(world.control("GET", "/_sim/items/110000000").body);

    CHECK(shown.at("isLive") == true);
    CHECK(shown.at("productData").as_object().size() == 3);
    CHECK(world.control("GET", "/_sim/items/1").status == 404);
    CHECK(world.control("GET", "/_sim/nothing").status == 404);
    CHECK(world.control("GET", "/_sim/audit?limit=x").status == 400);
    CHECK(world.control("GET", "/_sim/audit?seller=seller_1&limit=1").status == 200);
    CHECK(world.control("POST", "/_sim/faults", "{}").status == 400);
}

TEST_CASE("simulator: metrics name what happened", "[marketsim]") {
    World world;
    world.get("/");

    const auto metrics = world.control("GET", "/_sim/metrics").body;

    CHECK_THAT(metrics,
               ContainsSubstring("marketsim_requests_total{place=\"root\",outcome=\"answered\",status=\"200\"} 1\n"));
    CHECK_THAT(metrics, ContainsSubstring("# TYPE marketsim_rate_violations_total counter\n"));
}

namespace {

// The product as the catalogue has it, told to the product server.
HttpRequest created(World& world, const std::string& item, const std::string& key) {
    const auto shown = json::parse(world.control("GET", "/_sim/items/" + item).body);
    const json::object event{{"eventType", "PRODUCT_CREATED"},   {"itemNo", shown.at("itemNo")},
                             {"sellerId", shown.at("sellerId")}, {"version", 1},
                             {"changedFields", json::array{}},   {"productData", shown.at("productData")}};
    return {.method = "POST",
            .url = "/product-server/products/" + item,
            .headers = {{"Host", "h"}, {"Authorization", "Bearer simulated-key"}, {"Idempotency-Key", key}},
            .body = json::serialize(event)};
}

}  // namespace

TEST_CASE("simulator: an event reaches the product server under its own path", "[marketsim]") {
    World world;

    CHECK(world.say(created(world, "110000000", "k1")).status == 201);

    const auto audit = world.audit();
    CHECK(audit.at("items").at("equal") == 1);
    CHECK(audit.at("items").at("missing") == 9);
    CHECK(audit.at("requests").at("product_server").at("answered").at("201") == 1);
}

TEST_CASE("simulator: the product server's own faults", "[marketsim]") {
    const auto fault = GENERATE(Fault::throttled, Fault::error_500, Fault::error_503, Fault::reset,
                                Fault::accepted_then_silent, Fault::conflict, Fault::unprocessable);
    World world(World::with(Place::product_server, fault));

    auto answer = world.say(created(world, "110000000", "k1"));

    const bool is_taken = fault == Fault::accepted_then_silent || fault == Fault::conflict;
    CHECK(world.audit().at("items").at("equal") == (is_taken ? 1 : 0));
    const auto bad = taken_off(answer);
    CHECK(bad.has_value() == (fault == Fault::reset || fault == Fault::accepted_then_silent));
    if (fault == Fault::conflict) {
        CHECK(answer.status == 409);
        CHECK(json::parse(answer.body).at("currentVersion") == 1);
    }
    if (fault == Fault::unprocessable) CHECK(answer.status == 422);
    // Counted as it was sent, which is not at all where the connection was cut.
    const auto sent = std::to_string(bad ? 0 : answer.status);
    CHECK(world.audit().at("requests").at("product_server") == json::object{{to_string(fault), {{sent, 1}}}});
    if (fault == Fault::throttled) CHECK(crawler::ports::find_header(answer.headers, "Retry-After"));
}

TEST_CASE("simulator: what becomes of an event does not hang on its key", "[marketsim]") {
    auto scenario = World::small();
    auto& server = scenario.faults.at[static_cast<std::size_t>(Place::product_server)];
    server.per_mille[static_cast<std::size_t>(Fault::error_503)] = 500;
    World one(scenario);
    World two(scenario);
    std::set<int> seen;
    for (int i = 0; i < 30; ++i) {
        const auto status = one.say(created(one, "110000000", "a" + std::to_string(i))).status;
        CHECK(status == two.say(created(two, "110000000", "b" + std::to_string(i * 7))).status);
        seen.insert(status);
    }

    CHECK(seen.contains(503));
    CHECK(seen.size() > 1);
}

TEST_CASE("simulator: a conflict that found nothing to conflict with did not happen", "[marketsim]") {
    World world(World::with(Place::product_server, Fault::conflict));
    auto event = created(world, "110000000", "k1");
    event.method = "GET";
    event.body = "";

    CHECK(world.say(event).status == 404);

    CHECK(world.audit().at("requests").at("product_server") == json::object{{"refused", {{"404", 1}}}});
}

TEST_CASE("simulator: an answer that is cut off before its first byte has no status", "[marketsim]") {
    World world(World::with(Place::listing, Fault::reset));
    world.get("/");
    world.get(listing);

    CHECK(world.audit().at("requests").at("listing") == json::object{{"reset", {{"0", 1}}}});
}

TEST_CASE("simulator: who saw an item in a listing must tell all of it, who found it by searching need not",
          "[marketsim]") {
    // One seller is listed, the other is searched for.
    World world;
    world.get("/");
    world.get("/v2/api/facade/searchItems?keyword=seller_2");
    for (const std::string item : {"110000000", "110000001"}) {
        auto request = created(world, item, item);
        auto event = json::parse(request.body);
        make_partial(event.at("productData").at("listing").as_object());
        request.body = json::serialize(event);
        REQUIRE(world.say(request).status == 201);
    }
    CHECK(world.audit().at("items").at("equal") == 2);

    world.get(listing);

    CHECK(world.audit().at("items").at("equal") == 1);
    CHECK(world.simulator.audit(0, 9).at("items").at("wrong") == 1);
}

TEST_CASE("simulator: a listing that could not be read showed nothing", "[marketsim]") {
    const auto fault =
        GENERATE(Fault::reset, Fault::truncated_body, Fault::huge_body, Fault::missing_module, Fault::not_json);
    World world(World::with(Place::listing, fault));
    world.get("/");
    world.get(listing);
    auto request = created(world, "110000000", "k");
    auto event = json::parse(request.body);
    make_partial(event.at("productData").at("listing").as_object());
    request.body = json::serialize(event);
    REQUIRE(world.say(request).status == 201);

    CHECK(world.audit().at("items").at("equal") == 1);
}

TEST_CASE("simulator: the audit says how often each kind of fault struck, and that one has not yet", "[marketsim]") {
    auto scenario = World::small();
    auto& place = scenario.faults.at[static_cast<std::size_t>(Place::listing)];
    place.per_mille[static_cast<std::size_t>(Fault::error_503)] = 999;
    place.per_mille[static_cast<std::size_t>(Fault::reset)] = 1;
    World world(scenario);
    world.get("/");
    for (int i = 0; i < 3; ++i) world.get(listing);

    CHECK(world.audit().at("faults") == json::object{{"listing", {{"error_503", 3}, {"reset", 0}}}});
}

TEST_CASE("simulator: the newest changes are shown first, of one seller or of all", "[marketsim]") {
    World world;
    for (const auto* seller : {"seller_1", "seller_2", "seller_1"})
        world.control("POST", "/_sim/mutate", R"({"kind":"price","count":1,"seller":")" + std::string(seller) + "\"}");

    const auto all = world.simulator.audit(std::nullopt, 2);
    CHECK(all.at("mutations").at(0).at("number") == 2);
    CHECK(all.at("mutations").at(1).at("number") == 1);
    CHECK(all.at("mutationsLeftOff") == 1);
    const auto second = world.simulator.audit(1, 2);
    REQUIRE(second.at("mutations").as_array().size() == 1);
    CHECK(second.at("mutations").at(0).at("number") == 1);
    CHECK(second.at("mutationsMade") == 1);
    CHECK(second.at("mutationsLeftOff") == 0);
}

TEST_CASE("simulator: metrics say how the product server has the products, as of a few seconds ago", "[marketsim]") {
    World world;
    world.say(created(world, "110000000", "k1"));
    world.control("POST", "/_sim/mutate", R"({"kind":"remove","items":[110000001]})");
    const auto first = world.control("GET", "/_sim/metrics").body;
    CHECK_THAT(first, ContainsSubstring("marketsim_items{state=\"equal\"} 1\n"));
    CHECK_THAT(first, ContainsSubstring("marketsim_items{state=\"missing\"} 8\n"));
    CHECK_THAT(first, ContainsSubstring("marketsim_mutations_arrived 0\n"));

    world.say(created(world, "110000002", "k2"));

    CHECK_THAT(world.control("GET", "/_sim/metrics").body, ContainsSubstring("{state=\"equal\"} 1\n"));
    world.now += 6s;
    CHECK_THAT(world.control("GET", "/_sim/metrics").body, ContainsSubstring("{state=\"equal\"} 2\n"));
}

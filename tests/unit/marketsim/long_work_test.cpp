// What the simulator does beside answering: scripts, large changes and large audits, which keep nobody waiting.
#include <boost/asio/co_spawn.hpp>
#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "coro/block_on.hpp"
#include "coro/sleep.hpp"
#include "coro/together.hpp"
#include "coro/virtual_time.hpp"
#include "simulator.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

Scenario sized(int products) {
    Scenario scenario;
    scenario.size = {.seed = 7, .sellers = 1, .products = products};
    scenario.longest_piece = 0us;  // a pause after every step
    return scenario;
}

crawler::Async<> ask(Simulator& simulator, HttpRequest request, std::string& body, bool& is_done) {
    auto response = co_await simulator.handle(std::move(request));
    CHECK(response.status == 200);
    body = std::move(response.body);
    is_done = true;
}

// How often somebody else has his turn until it is done.
crawler::Async<> take_turns(const bool& is_done, int& turns) {
    while (!is_done) {
        co_await crawler::coro::sleep(0ns);
        ++turns;
    }
}

HttpRequest to_control(std::string method, std::string url, std::string body = "") {
    return {.method = std::move(method), .url = std::move(url), .headers = {{"Host", "h"}}, .body = std::move(body)};
}

int turns_during(Simulator& simulator, HttpRequest request) {
    boost::asio::io_context io{1};
    std::string body;
    bool is_done = false;
    int turns = 0;
    auto asking = ask(simulator, std::move(request), body, is_done);
    crawler::coro::block_on(io, crawler::coro::together(std::move(asking), take_turns(is_done, turns)));
    return turns;
}

}  // namespace

TEST_CASE("long work: a large change and a large audit let others take their turn", "[marketsim]") {
    Simulator simulator(sized(4'000), [] { return SimTime{}; });

    CHECK(turns_during(simulator, to_control("POST", "/_sim/mutate", R"({"kind":"price","percent":20})")) >= 90);
    CHECK(turns_during(simulator, to_control("POST", "/_sim/mutate", R"({"kind":"remove","percent":50})")) >= 3);
    CHECK(turns_during(simulator, to_control("GET", "/_sim/audit")) >= 200);
    const auto audit = simulator.audit(std::nullopt, 0);
    CHECK(audit.at("items").at("expected") == 2'000);
    CHECK(audit.at("mutationsMade") == 2'800);
}

TEST_CASE("long work: one change is over before the next begins", "[marketsim]") {
    Simulator simulator(sized(5'000), [] { return SimTime{}; });
    boost::asio::io_context io{1};
    std::string bodies[2];
    bool are_done[2] = {};
    auto first = ask(simulator, to_control("POST", "/_sim/mutate", R"({"kind":"remove","percent":100})"), bodies[0],
                     are_done[0]);
    auto second = ask(simulator, to_control("POST", "/_sim/mutate", R"({"kind":"restore","count":5000})"), bodies[1],
                      are_done[1]);

    crawler::coro::block_on(io, crawler::coro::together(std::move(first), std::move(second)));

    const auto mutations = boost::json::parse(bodies[1]).at("mutations").as_array();
    CHECK(mutations.size() == 5'000);
    CHECK(mutations.at(0).at("number") == 5'000);
    CHECK(simulator.audit(std::nullopt, 0).at("items").at("expected") == 5'000);
}

TEST_CASE("long work: a planned change that cannot be made is told, and the others are made", "[marketsim]") {
    auto scenario = sized(10);
    scenario.changes = {"1s restore 3", "2s remove 11", "3s price 5"};
    Simulator simulator(scenario, [] { return SimTime{10s}; });
    boost::asio::io_context io{1};

    crawler::coro::block_on(io, simulator.run_script({}));

    const auto audit = simulator.audit(std::nullopt, 9);
    CHECK(audit.at("mutationsMade") == 5);
    const auto refused = audit.at("changesRefused").as_array();
    REQUIRE(refused.size() == 2);
    CHECK(refused.at(0).at("change") == "1s restore 3");
    CHECK_THAT(std::string(refused.at(0).at("rule").as_string()), ContainsSubstring("nothing is there to restore"));
    CHECK(refused.at(1).at("change") == "2s remove 11");
}

TEST_CASE("long work: the longest time that nobody was heard is in the verdict", "[marketsim]") {
    auto scenario = sized(1);
    scenario.time_factor = 10;
    boost::asio::io_context io{1};
    crawler::coro::VirtualTime time(io);
    SimTime stalled{};
    Simulator simulator(scenario, [&] { return simulated_time(time.elapsed(), 10) + stalled; });
    std::stop_source stop;
    boost::asio::co_spawn(io, simulator.watch_stalls(stop.get_token()),
                          [](const std::exception_ptr& error) { CHECK_FALSE(error); });
    const auto longest = [&] { return simulator.audit(std::nullopt, 0).at("rate").at("longestStallMs").as_int64(); };

    time.advance(50ms);
    CHECK(longest() == 0);
    stalled += 3s;
    time.advance(50ms);
    CHECK(longest() == 3000);
    stalled += 1s;
    time.advance(50ms);
    CHECK(longest() == 3000);
    stop.request_stop();
    time.advance(50ms);
}

TEST_CASE("long work: a request is judged by when it came, not by when its answer is begun", "[marketsim]") {
    SimTime now{};
    Simulator simulator(sized(1), [&] { return now; });
    boost::asio::io_context io{1};
    const auto come = [&] {
        return simulator.handle(
            {.method = "GET", .url = "/", .headers = {{"Host", "localhost"}, {"User-Agent", "a"}}, .body = ""});
    };

    auto first = come();
    now += 1s;
    auto second = come();
    now += 5s;
    crawler::coro::block_on(io, std::move(first));
    crawler::coro::block_on(io, std::move(second));

    CHECK(simulator.audit(std::nullopt, 0).at("rate").at("closestSpacingMs") == 1000.0);
}

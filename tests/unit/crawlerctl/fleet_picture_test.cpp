#include "fleet_picture.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

#include "support/builders/execution.hpp"

using namespace crawler;
using namespace crawler::ctl;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

FleetPicture a_picture() {
    FleetPicture picture{.at = t0 + 90s, .open_runs = {}, .recent_runs = {}, .outboxes = {}, .raws = {}};
    picture.open_runs.push_back(a_run("e-1").of("가방가게").with_tasks(10).completed(4).failed(1));
    picture.recent_runs.push_back(a_run("e-0").with_tasks(1).completed(1));
    picture.outboxes.push_back(
        {.name = ports::OutboxName::products, .pending = 7, .failed = 2, .dead = 3, .oldest_unsent = t0 + 30s});
    picture.raws = {.pending = 5, .quarantined = 1, .oldest_waiting = t0};
    return picture;
}

}  // namespace

TEST_CASE("fleet picture: each open run has a bar, its share and its tasks") {
    const auto text = picture_text(a_picture());

    CHECK(says(text, "e-1  가방가게  IN_PROGRESS  [############............]"));
    CHECK(says(text, "[############............]"));
    CHECK(says(text, "50.0 %"));
    CHECK(says(text, "5/10"));
    CHECK(says(text, "1m 30s ago"));
    CHECK(says(text, "over lately"));
}

TEST_CASE("fleet picture: outboxes and answers are told with how long the oldest has been waiting") {
    const auto text = picture_text(a_picture());

    CHECK(says(text, "products        7           0       2     3          1m 0s\n"));
    CHECK(says(text, "1m 30s\n"));
}

TEST_CASE("fleet picture: where no run is open it says so") {
    auto picture = a_picture();
    picture.open_runs.clear();

    CHECK(says(picture_text(picture), "no run is open"));
}

TEST_CASE("fleet picture: pool and queues are there only where somebody filled them in") {
    auto picture = a_picture();
    CHECK_FALSE(says(picture_text(picture), "breaker"));
    CHECK_FALSE(says(picture_text(picture), "in flight"));

    picture.pool = ports::PoolView{.identities = {.total = 50, .available = 48, .budget_left = 3900}};
    picture.queues.push_back({"crawl-tasks", {.waiting = 12, .in_flight = 3, .dead = 1}});

    CHECK(says(picture_text(picture), "CLOSED"));
    CHECK(says(picture_text(picture), "3900"));
    CHECK(says(picture_text(picture), "crawl-tasks       12          3     1\n"));
    const auto json = boost::json::parse(picture_json(picture)).as_object();
    CHECK(json.at("pool").at("available").as_int64() == 48);
    CHECK(json.at("queues").at(0).at("waiting").as_int64() == 12);
}

TEST_CASE("fleet picture: as JSON it is one line with everything in it") {
    const auto text = picture_json(a_picture());
    const auto json = boost::json::parse(text).as_object();

    CHECK_FALSE(says(text, "\n"));
    CHECK(json.at("openRuns").at(0).at("sellerId").as_string() == "가방가게");
    CHECK(json.at("openRuns").at(0).at("progressRate").as_double() == 50);
    CHECK(json.at("openRuns").at(0).at("proof").is_null());
    CHECK(json.at("outboxes").at(0).at("dead").as_int64() == 3);
    CHECK(json.at("answers").at("quarantined").as_int64() == 1);
    CHECK_FALSE(json.contains("pool"));
}

#include "adapters/telemetry/telemetry.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <latch>
#include <set>
#include <thread>

#include "unit/adapters/telemetry_fixture.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

std::string name_of(const std::string& series) {
    return series.substr(0, series.find('{'));
}

std::vector<std::string> labels_of(const std::string& series) {
    std::vector<std::string> labels;
    for (auto at = series.find('{'); at != std::string::npos && at + 1 < series.size(); at = series.find(',', at + 1)) {
        auto label = series.substr(at + 1, series.find('=', at) - at - 1);
        if (label != "le") labels.push_back(std::move(label));
    }
    std::ranges::sort(labels);
    return labels;
}

// "name label label" of the metrics that changed, the parts of a histogram being one metric.
std::set<std::string> moved_between(const std::map<std::string, double>& before,
                                    const std::map<std::string, double>& after) {
    std::set<std::string> moved;
    for (const auto& [series, value] : after) {
        const auto old = before.find(series);
        if (series.starts_with("process_") || (old != before.end() && old->second == value)) continue;
        auto text = name_of(series);
        for (const std::string part : {"_bucket", "_sum", "_count"}) {
            if (text.ends_with("_duration_seconds" + part)) text.resize(text.size() - part.size());
        }
        for (const auto& label : labels_of(series)) text += " " + label;
        moved.insert(text);
    }
    return moved;
}

std::set<std::string> declared(const EventInfo& info) {
    std::set<std::string> metrics;
    for (const auto& metric : info.metrics) {
        auto labels = metric.labels;
        std::ranges::sort(labels);
        auto text = metric.name;
        for (const auto& label : labels) text += " " + label;
        metrics.insert(text);
    }
    return metrics;
}

}  // namespace

TEST_CASE("telemetry: every event moves exactly the metrics that it declares, and at least one") {
    const auto catalogue = event_catalogue();
    const auto events = one_of_each();
    for (std::size_t i = 0; i < events.size(); ++i) {
        INFO(catalogue[i].event);
        TelemetryFixture fixture;
        if (i != 0) fixture.telemetry->emit(ports::ServiceStarted{});  // so that stopping has something to move
        const auto before = fixture.series();

        fixture.telemetry->emit(events[i]);

        CHECK_FALSE(catalogue[i].metrics.empty());
        CHECK(moved_between(before, fixture.series()) == declared(catalogue[i]));
    }
}

TEST_CASE("telemetry: no member of an event is left out of its line") {
    const auto catalogue = event_catalogue();
    const auto members = [](const auto& event) {
        std::size_t count = 0;
        boost::pfr::for_each_field(
            event, [&](const auto& member) { count += std::is_same_v<std::decay_t<decltype(member)>, Error> ? 2 : 1; });
        return count;
    };
    const auto events = one_of_each();
    for (std::size_t i = 0; i < events.size(); ++i) {
        INFO(catalogue[i].event);
        CHECK(catalogue[i].fields.size() == std::visit(members, events[i]));
    }
}

TEST_CASE("telemetry: names of events and keys are used once, and a metric means the same wherever it is moved") {
    std::set<std::string> seen;
    std::map<std::string, MetricInfo> metrics;
    for (const auto& info : event_catalogue()) {
        INFO(info.event);
        CHECK(seen.insert(info.event).second);
        std::set<std::string> keys{"ts", "level", "service", "event"};
        for (const auto& field : info.fields) CHECK(keys.insert(field).second);
        for (const auto& metric : info.metrics) {
            const auto& first = metrics.try_emplace(metric.name, metric).first->second;
            CHECK(first.type == metric.type);
            CHECK(first.labels == metric.labels);
            CHECK(first.help == metric.help);
            CHECK(metric.name.starts_with("crawler_"));
            CHECK((metric.type == MetricType::counter) == metric.name.ends_with("_total"));
        }
    }
}

TEST_CASE("telemetry: all that is scraped is in the catalogue, and all of the catalogue is scraped") {
    std::set<std::string> expected;
    for (const auto& info : event_catalogue())
        for (const auto& metric : info.metrics)
            expected.insert(metric.name + " " + std::string(to_string(metric.type)));
    for (const auto& metric : standing_metrics())
        expected.insert(metric.name + " " + std::string(to_string(metric.type)));
    TelemetryFixture fixture;

    std::set<std::string> scraped;
    std::istringstream in(fixture.telemetry->scrape());
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("# TYPE ")) CHECK(scraped.insert(line.substr(7)).second);
    }

    CHECK(scraped == expected);
}

TEST_CASE("telemetry: promtool finds nothing to complain about in a scrape") {
    if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
        const auto* ci = std::getenv("CI");
        if (ci != nullptr && std::string_view(ci) == "true") FAIL("promtool is not installed");
        SKIP("promtool is not installed: the scrape was NOT checked (Debian has it in the package prometheus)");
    }
    TelemetryFixture fixture;
    for (const auto& event : one_of_each()) fixture.telemetry->emit(event);
    TempFolder folder;
    std::ofstream(folder.path / "scrape") << fixture.telemetry->scrape();

    auto* promtool = popen(("promtool check metrics <" + (folder.path / "scrape").string() + " 2>&1").c_str(), "r");
    REQUIRE(promtool != nullptr);
    std::string complaints;
    for (int c = 0; (c = std::fgetc(promtool)) != EOF;) complaints += static_cast<char>(c);
    const auto status = pclose(promtool);

    CHECK(complaints.empty());
    CHECK(status == 0);
}

TEST_CASE("telemetry: threads may emit while others scrape, and nothing is lost") {
    TelemetryFixture fixture(LogLevel::debug, {});
    constexpr int rounds = 200;
    const auto emit = [&] {
        for (int i = 0; i < rounds; ++i)
            for (const auto& event : one_of_each()) fixture.telemetry->emit(event);
    };

    std::thread one(emit);
    std::thread two(emit);
    for (int i = 0; i < 50; ++i) fixture.telemetry->scrape();
    one.join();
    two.join();

    CHECK(fixture.lines().size() == 2 * rounds * std::variant_size_v<ports::Event>);
    CHECK(fixture.series().at("crawler_products_pushed_total") == 2 * rounds);
    const std::string last_loop(names(ports::Loop{}).back().name);  // events are filled with the last word of an enum
    CHECK(fixture.series().at("crawler_loop_pass_duration_seconds_count{loop=\"" + last_loop + "\"}") == 2 * rounds);
}

TEST_CASE("telemetry: two threads that need a new series at the same moment move the same one") {
    for (int i = 0; i < 100; ++i) {
        TelemetryFixture fixture(LogLevel::error, {});
        std::latch together(2);
        const auto emit = [&] {
            together.arrive_and_wait();
            fixture.telemetry->emit(ports::ProductPushed{});
        };

        std::thread one(emit);
        std::thread two(emit);
        one.join();
        two.join();

        CHECK(fixture.series().at("crawler_products_pushed_total") == 2);
    }
}

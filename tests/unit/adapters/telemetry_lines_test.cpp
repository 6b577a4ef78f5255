#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "unit/adapters/telemetry_fixture.hpp"

using namespace crawler;
using namespace crawler::test;
namespace json = boost::json;

namespace {

std::string text_at(const json::object& line, std::string_view key) {
    return std::string(line.at(key).as_string());
}

std::string key_list(const json::object& line) {
    std::string keys;
    for (const auto& entry : line) keys += std::string(entry.key()) + " ";
    return keys;
}

}  // namespace

TEST_CASE("telemetry: every event is one valid JSON line with the common keys, then its declared fields in order") {
    const auto catalogue = event_catalogue();
    const auto events = one_of_each();
    REQUIRE(events.size() == catalogue.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        INFO(catalogue[i].event);
        TelemetryFixture fixture;

        fixture.telemetry->emit(events[i]);

        REQUIRE(fixture.lines().size() == 1);
        const auto line = json::parse(fixture.lines()[0]).as_object();
        std::string expected = "ts level service event ";
        for (const auto& field : catalogue[i].fields) expected += field + " ";
        CHECK(key_list(line) == expected);
        CHECK(text_at(line, "ts") == "2026-11-18T11:06:40.250000Z");
        CHECK(text_at(line, "service") == "worker");
        CHECK(text_at(line, "event") == catalogue[i].event);
        // The sample raises whatever can be raised.
        const auto& raised = catalogue[i].raised;
        CHECK(text_at(line, "level") == to_string(raised.empty() ? catalogue[i].level : raised.back().level));
    }
}

TEST_CASE("telemetry: a line reads as an operator expects it") {
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::LoopDrained{ports::Loop::crawl_queue, 2, std::chrono::milliseconds{1250}});
    fixture.telemetry->emit(ports::TaskFailed{TaskId{"t-1"}, TaskType::search, {Errc::rate_limited, "429"}, false});

    CHECK(fixture.lines()[0] == R"({"ts":"2026-11-18T11:06:40.250000Z","level":"warning","service":"worker",)"
                                R"("event":"loop_drained","loop":"crawl_queue","cut":2,"took_seconds":1.25})");
    CHECK(fixture.lines()[1] == R"({"ts":"2026-11-18T11:06:40.250000Z","level":"warning","service":"worker",)"
                                R"("event":"task_failed","task_id":"t-1","type":"SEARCH","error_code":"RATE_LIMITED",)"
                                R"("error":"429","final":false})");
}

TEST_CASE("telemetry: the last line is on stdout even if the process dies right after it") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::fflush(stdout);  // or the child inherits what the test's reporter has not written yet
    const auto child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        StoppedClock clock;
        make_telemetry({}, {"worker", "1", {}}, clock).release()->emit(ports::LoopCrashed{{}, "why"});
        _exit(1);  // writes out nothing that is still in a buffer
    }
    close(ends[1]);

    std::string seen;
    for (char byte = 0; read(ends[0], &byte, 1) == 1;) seen += byte;
    close(ends[0]);
    waitpid(child, nullptr, 0);

    REQUIRE(seen.ends_with("}\n"));
    CHECK(text_at(json::parse(seen).as_object(), "error") == "why");
}

TEST_CASE("telemetry: a failure is a warning while it will be tried again and an error when it is final") {
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::TaskFailed{.task = {}, .error = {Errc::timeout, ""}, .final = false});
    fixture.telemetry->emit(ports::TaskFailed{.task = {}, .error = {Errc::timeout, ""}, .final = true});
    fixture.telemetry->emit(ports::TasksPublished{.sent = 5});
    fixture.telemetry->emit(ports::TasksPublished{.retried = 1});
    fixture.telemetry->emit(ports::TasksPublished{.retried = 1, .dead = 1});

    std::vector<std::string> levels;
    for (const auto& line : fixture.lines()) levels.push_back(text_at(json::parse(line).as_object(), "level"));
    CHECK(levels == std::vector<std::string>{"warning", "error", "debug", "warning", "error"});
}

TEST_CASE("telemetry: what is below the configured level is counted but not written") {
    for (const auto& entry : names(LogLevel{})) {
        INFO(entry.name);
        TelemetryFixture fixture(entry.value);

        fixture.telemetry->emit(ports::ProductPushed{});                                    // debug
        fixture.telemetry->emit(ports::ServiceStopping{});                                  // info
        fixture.telemetry->emit(ports::LoopFailed{ports::Loop::raw_intake, {}});            // warning
        fixture.telemetry->emit(ports::LoopCrashed{ports::Loop::raw_intake, "bad_alloc"});  // error

        CHECK(fixture.lines().size() == 4 - static_cast<std::size_t>(entry.value));
        CHECK(fixture.series().at("crawler_products_pushed_total") == 1);
    }
}

TEST_CASE("telemetry: hostile text stays one valid line and comes back as it was") {
    const std::string korean = "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4";
    const std::string emoji = "\xF0\x9F\x9B\x8D";
    for (const auto& text : {std::string("say \"hi\" \\ / {} {0} %v %s"), std::string("a\r\nb\tc\x01\x1F\x7F"),
                             std::string("nul\0inside", 10), korean + emoji, std::string("\xE2\x80\xA8")}) {
        TelemetryFixture fixture;

        for (const auto& event : one_of_each(text)) fixture.telemetry->emit(event);

        REQUIRE(fixture.lines().size() == std::variant_size_v<ports::Event>);
        for (const auto& line : fixture.lines()) {
            for (const char byte : line) CHECK(static_cast<unsigned char>(byte) >= 0x20);
            const auto parsed = json::parse(line).as_object();
            if (const auto* error = parsed.if_contains("error")) CHECK(error->as_string() == text);
        }
    }
}

TEST_CASE("telemetry: each byte that is not UTF-8 becomes U+FFFD and the rest stays") {
    const std::string bad = "\xEF\xBF\xBD";
    const std::pair<std::string, std::string> cases[] = {
        {"a\xFFz", "a" + bad + "z"},                          // never a byte of UTF-8
        {"a\x80z", "a" + bad + "z"},                          // a continuation of nothing
        {"\xC0\xAF", bad + bad},                              // overlong
        {"\xE0\x80\xAF", bad + bad + bad},                    // overlong
        {"\xF0\x80\x80\xAF", bad + bad + bad + bad},          // overlong
        {"\xED\xA0\x80", bad + bad + bad},                    // a surrogate
        {"\xF4\x90\x80\x80", bad + bad + bad + bad},          // beyond U+10FFFF
        {"\xED\x95", bad + bad},                              // cut off
        {"\xED\x95\x9C\xED\"", "\xED\x95\x9C" + bad + "\""},  // a quote is not eaten
        {"\xC2\xA2\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF", "\xC2\xA2\xE0\xA0\x80\xED\x9F\xBF\xF4\x8F\xBF\xBF"},
    };
    for (const auto& [text, expected] : cases) {
        TelemetryFixture fixture;

        fixture.telemetry->emit(ports::ServiceFailed{text});

        CHECK(json::parse(fixture.lines().at(0)).at("error").as_string() == expected);
    }
}

TEST_CASE("telemetry: any two bytes, anywhere, give valid JSON") {
    TelemetryFixture fixture;

    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; second += 5)
            fixture.telemetry->emit(ports::ServiceFailed{{static_cast<char>(first), static_cast<char>(second), 'x'}});

    const auto lines = fixture.lines();
    CHECK(lines.size() == 256 * 52);
    std::size_t invalid = 0;
    for (const auto& line : lines) {
        json::error_code failed;
        json::parse(line, failed);  // refuses bad UTF-8 too
        if (failed) ++invalid;
    }
    CHECK(invalid == 0);
}

TEST_CASE("telemetry: a very long text is cut between two characters") {
    std::string hangul;
    for (int i = 0; i < 5000; ++i) hangul += "\xED\x95\x9C";
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::ServiceFailed{hangul});

    REQUIRE(fixture.lines().at(0).size() < 2200);
    const std::string error(json::parse(fixture.lines().at(0)).at("error").as_string());
    CHECK(error.ends_with("\xED\x95\x9C\xE2\x80\xA6"));
}

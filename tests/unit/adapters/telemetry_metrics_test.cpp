#include <catch2/catch_test_macros.hpp>

#include "unit/adapters/telemetry_fixture.hpp"

using namespace crawler;
using namespace crawler::test;

TEST_CASE("telemetry: counters add up, by label and by amount") {
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::TaskSucceeded{TaskId{"t-1"}, TaskType::minishop, 500});
    fixture.telemetry->emit(ports::TaskSucceeded{TaskId{"t-2"}, TaskType::product_detail, 0});
    fixture.telemetry->emit(ports::TaskSucceeded{TaskId{"t-3"}, TaskType::product_detail, 2});
    fixture.telemetry->emit(ports::TaskSucceeded{TaskId{"t-5"}, TaskType::product_detail, 0, CompletedAs::gone});
    fixture.telemetry->emit(ports::TaskFailed{TaskId{"t-4"}, TaskType::search, {Errc::blocked, ""}, true});

    const auto series = fixture.series();
    CHECK(series.at(R"(crawler_tasks_succeeded_total{outcome="FETCHED",type="MINISHOP"})") == 1);
    CHECK(series.at(R"(crawler_tasks_succeeded_total{outcome="FETCHED",type="PRODUCT_DETAIL"})") == 2);
    CHECK(series.at(R"(crawler_tasks_succeeded_total{outcome="FETCHED",type="SEARCH"})") == 0);
    CHECK(series.at(R"(crawler_tasks_succeeded_total{outcome="GONE",type="PRODUCT_DETAIL"})") == 1);
    CHECK(series.at("crawler_tasks_created_total") == 502);
    CHECK(series.at(R"(crawler_tasks_failed_total{error_code="BLOCKED",final="true",type="SEARCH"})") == 1);
    CHECK(series.at(R"(crawler_tasks_failed_total{error_code="BLOCKED",final="false",type="SEARCH"})") == 0);
    CHECK(series.at(R"(crawler_tasks_failed_total{error_code="TIMEOUT",final="true",type="SEARCH"})") == 0);
}

TEST_CASE("telemetry: a gauge shows the latest value, and when a loop last succeeded") {
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::InFlight{ports::Loop::crawl_queue, 7});
    fixture.telemetry->emit(ports::InFlight{ports::Loop::crawl_queue, 3});
    fixture.telemetry->emit(ports::LoopPassed{ports::Loop::crawl_queue, 10, std::chrono::milliseconds{70}});

    const auto series = fixture.series();
    CHECK(series.at(R"(crawler_loop_in_flight_items{loop="crawl_queue"})") == 3);
    CHECK(series.at(R"(crawler_loop_in_flight_items{loop="task_outbox"})") == 0);
    CHECK(series.at(R"(crawler_loop_last_success_timestamp_seconds{loop="crawl_queue"})") == 1'795'000'000.25);
}

TEST_CASE("telemetry: a duration falls into its bucket, in seconds") {
    TelemetryFixture fixture;

    fixture.telemetry->emit(ports::LoopPassed{ports::Loop::raw_intake, 0, std::chrono::milliseconds{70}});
    fixture.telemetry->emit(ports::LoopPassed{ports::Loop::raw_intake, 0, std::chrono::minutes{2}});

    const auto series = fixture.series();
    CHECK(series.at(R"(crawler_loop_pass_duration_seconds_bucket{loop="raw_intake",le="0.05"})") == 0);
    CHECK(series.at(R"(crawler_loop_pass_duration_seconds_bucket{loop="raw_intake",le="0.1"})") == 1);
    CHECK(series.at(R"(crawler_loop_pass_duration_seconds_bucket{loop="raw_intake",le="60"})") == 1);
    CHECK(series.at(R"(crawler_loop_pass_duration_seconds_bucket{loop="raw_intake",le="+Inf"})") == 2);
    CHECK(series.at(R"(crawler_loop_pass_duration_seconds_sum{loop="raw_intake"})") == 120.07);
}

TEST_CASE("telemetry: a daemon shows the series of its own loops from the start, and of no other") {
    TelemetryFixture fixture(LogLevel::info, {ports::Loop::raw_intake, ports::Loop::product_outbox});

    const auto series = fixture.series();

    CHECK(series.at("crawler_products_pushed_total") == 0);
    CHECK(series.at("crawler_service_running") == 0);
    CHECK(series.at(R"(crawler_loop_failures_total{error_code="TIMEOUT",loop="raw_intake"})") == 0);
    CHECK(series.contains(R"(crawler_loop_crashes_total{loop="product_outbox"})"));
    CHECK_FALSE(series.contains(R"(crawler_loop_crashes_total{loop="crawl_queue"})"));
    CHECK_FALSE(series.contains("crawler_crawls_triggered_total"));
    CHECK_FALSE(series.contains(R"(crawler_tasks_succeeded_total{outcome="FETCHED",type="SEARCH"})"));
}

TEST_CASE("telemetry: an event of a loop that was not announced is counted all the same") {
    TelemetryFixture fixture(LogLevel::info, {});

    fixture.telemetry->emit(ports::LoopCrashed{ports::Loop::crawl_queue, "bad_alloc"});
    fixture.telemetry->emit(ports::TaskSucceeded{TaskId{"t-1"}, TaskType::search, 4});

    const auto series = fixture.series();
    CHECK(series.at(R"(crawler_loop_crashes_total{loop="crawl_queue"})") == 1);
    CHECK(series.at(R"(crawler_tasks_succeeded_total{outcome="FETCHED",type="SEARCH"})") == 1);
    CHECK(series.at("crawler_tasks_created_total") == 4);
}

TEST_CASE("telemetry: the build and the process are exposed without any event") {
    TelemetryFixture fixture(LogLevel::info, {});

    const auto series = fixture.series();

    CHECK(series.at(R"(crawler_build_info{service="worker",version="1.2.3"})") == 1);
    CHECK(series.at("process_resident_memory_bytes") > 100'000);
    CHECK(series.at("process_virtual_memory_bytes") >= series.at("process_resident_memory_bytes"));
    CHECK(series.at("process_open_fds") >= 3);
    CHECK(series.at("process_max_fds") >= series.at("process_open_fds"));
    CHECK(series.at("process_cpu_seconds_total") >= 0);
    CHECK(series.at("process_start_time_seconds") > 1'600'000'000);
}

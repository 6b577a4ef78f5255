#include "adapters/telemetry/process_metrics.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "unit/adapters/telemetry_fixture.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

std::optional<double> value_of(const std::vector<ProcessMetric>& metrics, std::string_view name) {
    for (const auto& metric : metrics) {
        if (metric.name == name) return metric.value;
    }
    throw std::logic_error("no such metric");
}

}  // namespace

TEST_CASE("process metrics: the numbers are found behind a name with blanks and brackets") {
    TempFolder proc;
    std::filesystem::create_directories(proc.path / "self/fd");
    for (const auto* fd : {"0", "1", "2", "3"}) std::ofstream(proc.path / "self/fd" / fd) << "";
    std::ofstream(proc.path / "stat") << "cpu  1 2 3\nintr 5 0\nbtime 1700000000\nprocesses 9\n";
    std::ofstream(proc.path / "self/stat") << "42 (a ) b) (c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 "
                                              "1000 8192000 77 18446744073709551615 1 1";

    const auto metrics = read_process_metrics(proc.path);

    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    CHECK(value_of(metrics, "process_cpu_seconds_total") == 300 / ticks);
    CHECK(value_of(metrics, "process_start_time_seconds") == 1'700'000'000 + 1000 / ticks);
    CHECK(value_of(metrics, "process_virtual_memory_bytes") == 8'192'000);
    CHECK(value_of(metrics, "process_resident_memory_bytes") == 77.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
    CHECK(value_of(metrics, "process_open_fds") == 3);
}

TEST_CASE("process metrics: what cannot be read is left out, not zero") {
    TempFolder proc;
    std::filesystem::create_directories(proc.path / "self");
    std::ofstream(proc.path / "self/stat") << "42 (worker) S 1 42";

    const auto metrics = read_process_metrics(proc.path);

    for (const auto& metric : metrics) {
        INFO(metric.name);
        CHECK(metric.value.has_value() == (metric.name == "process_max_fds"));
    }
}

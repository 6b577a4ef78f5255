#include "adapters/telemetry/process_metrics.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace crawler::adapters {
namespace {

namespace fs = std::filesystem;

struct ProcessStat {
    std::optional<double> cpu_ticks, start_ticks, virtual_bytes, resident_pages;
};

// The numbers of /proc/self/stat as proc(5) counts them; they follow the command's name, which may itself hold blanks
// and brackets.
ProcessStat read_stat(const fs::path& file) {
    std::ifstream in(file);
    std::string text;
    if (!std::getline(in, text)) return {};
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) return {};

    std::istringstream rest(text.substr(name_end + 1));
    std::string state;
    rest >> state;
    std::vector<double> numbers;
    for (double number = 0; rest >> number;) numbers.push_back(number);
    constexpr std::size_t first = 4;  // the number after the state
    if (numbers.size() <= 24 - first) return {};
    const auto at = [&](std::size_t field) { return numbers[field - first]; };
    return {.cpu_ticks = at(14) + at(15), .start_ticks = at(22), .virtual_bytes = at(23), .resident_pages = at(24)};
}

std::optional<double> read_boot_time(const fs::path& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string key;
        double value = 0;
        if (words >> key >> value && key == "btime") return value;
    }
    return std::nullopt;
}

std::optional<double> count_entries(const fs::path& folder) {
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    double count = 0;
    while (!failed && entry != fs::directory_iterator{}) {
        ++count;
        entry.increment(failed);
    }
    if (failed) return std::nullopt;
    return count - 1;  // one of them is the handle that counts them
}

std::optional<double> most_open_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
    return static_cast<double>(limit.rlim_cur);
}

std::optional<double> scaled(std::optional<double> value, double factor) {
    if (value) *value *= factor;
    return value;
}

}  // namespace

std::vector<ProcessMetric> read_process_metrics(const fs::path& proc) {
    using enum MetricType;
    const auto stat = read_stat(proc / "self/stat");
    const auto tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    auto start = read_boot_time(proc / "stat");
    if (start && stat.start_ticks)
        *start += *stat.start_ticks * tick;
    else
        start.reset();

    return {{counter, "process_cpu_seconds_total", "Time spent on a processor.", scaled(stat.cpu_ticks, tick)},
            {gauge, "process_resident_memory_bytes", "Memory in RAM.", scaled(stat.resident_pages, page)},
            {gauge, "process_virtual_memory_bytes", "Memory in the address space.", stat.virtual_bytes},
            {gauge, "process_open_fds", "Open file descriptors.", count_entries(proc / "self/fd")},
            {gauge, "process_max_fds", "Most file descriptors that may be open.", most_open_files()},
            {gauge, "process_start_time_seconds", "When the process began, in Unix time.", start}};
}

}  // namespace crawler::adapters

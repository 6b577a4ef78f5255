#include "support/emulator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace crawler::test {
namespace {

// The suite's folder, unless the environment names another one, as the benchmarks do.
std::string folder() {
    const char* named = std::getenv("CRAWLER_TEST_EMULATORS");
    return named ? named : CRAWLER_TEST_EMULATORS;
}

bool is_continuous_integration() {
    const char* ci = std::getenv("CI");
    return ci && std::string(ci) == "true";
}

std::int64_t machine_time() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

constexpr std::int64_t one_day = std::chrono::microseconds{std::chrono::days{1}}.count();

}  // namespace

Emulator::Emulator(const std::string& name) {
    std::ifstream file(folder() + "/" + name + ".url");
    if (std::getline(file, url_)) return;
    const auto why = name + " is not running: scripts/install-emulators fetches it, scripts/test-emulators starts it";
    if (is_continuous_integration()) FAIL(why);
    SKIP(why);
}

// As scripts/emulators/clock.c reads it.
struct EmulatorClock::File {
    volatile std::int64_t stands_at;
    volatile std::int64_t ahead;

    std::int64_t now() const { return stands_at != 0 ? stands_at : machine_time() + ahead; }
};

EmulatorClock::EmulatorClock() {
    const auto path = folder() + "/clock";
    const int opened = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (opened < 0) throw std::runtime_error("no clock of the emulators at " + path);
    void* mapped = ::mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    ::close(opened);
    if (mapped == MAP_FAILED) throw std::runtime_error("the clock of the emulators cannot be mapped: " + path);
    file_ = static_cast<File*>(mapped);
    file_->stands_at = std::max(file_->now(), machine_time()) / 1'000'000 * 1'000'000 + one_day;
}

EmulatorClock::~EmulatorClock() {
    ::munmap(file_, sizeof(File));
}

TimePoint EmulatorClock::now() const {
    return TimePoint{std::chrono::microseconds{file_->now()}};
}

void EmulatorClock::advance(Duration length) {
    if (file_->stands_at == 0)
        file_->ahead = file_->ahead + length.count();
    else
        file_->stands_at = file_->stands_at + length.count();
}

void EmulatorClock::let_run() {
    file_->ahead = file_->now() - machine_time();
    file_->stands_at = 0;
}

}  // namespace crawler::test

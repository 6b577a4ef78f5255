// An emulator of AWS that CTest started for the suite (scripts/test-emulators): where it is, and what time it is there.
#pragma once
#include <cstdint>
#include <string>

#include "ports/clock.hpp"

namespace crawler::test {

// Whoever needs one that is not installed is skipped, and says so; with CI=true that is a failure.
class Emulator {
  public:
    explicit Emulator(const std::string& name);
    const std::string& url() const { return url_; }

  private:
    std::string url_;
};

// The wall clock of the emulators. It stands still and is moved by the test, to the microsecond; a test that waits for something there lets
// it run. Each one begins a day later than the last: what another test left behind is over.
class EmulatorClock final : public ports::Clock {
  public:
    EmulatorClock();
    ~EmulatorClock() override;
    EmulatorClock(const EmulatorClock&) = delete;
    EmulatorClock& operator=(const EmulatorClock&) = delete;

    TimePoint now() const override;
    void advance(Duration length);
    void let_run();

  private:
    struct File;
    File* file_;
};

}  // namespace crawler::test

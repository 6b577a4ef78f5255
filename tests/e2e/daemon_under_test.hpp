// One of our daemons as a process on a free port of loopback.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "support/http_get.hpp"
#include "support/process.hpp"

namespace crawler::test {

inline const std::string daemons[] = {"trigger", "outbox-relay", "worker", "product-sync"};

// Where the build put our programs.
std::string program(const std::string& name);

class DaemonUnderTest {
  public:
    // Started and listening, or the test fails with what it wrote.
    explicit DaemonUnderTest(const std::string& name, std::map<std::string, std::string> environment = {});

    Process& process() { return process_; }
    std::uint16_t port() const { return port_; }
    Answer get(const std::string& path) const;
    // The value of the first series whose line begins with `series`; empty if there is none.
    std::optional<double> metric(const std::string& series) const;
    // Asks again and again until the series has reached the value, at most a minute.
    bool wait_for_metric(const std::string& series, double at_least) const;

  private:
    Process process_;
    std::uint16_t port_ = 0;
};

}  // namespace crawler::test

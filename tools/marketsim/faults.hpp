// What goes wrong, how often and where. Whether it does is decided by the seed, the request and how often that request was made before:
// not by the order in which requests of others happen to arrive.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "question.hpp"
#include "sim_time.hpp"

namespace marketsim {

enum class Fault : std::uint8_t {
    throttled,  // 429 although the limits were kept
    error_500,
    error_503,
    reset,               // the connection ends instead of an answer
    slow_body,           // in small pieces
    truncated_body,      // half of it, then the connection ends
    not_json,            // 200, and a page of HTML
    error_body,          // 200, and an error inside
    numbers_as_strings,  // allowed, and to be understood
    missing_module,
    huge_body,
    token_dies,  // 401, long before its time
    // The product server's own:
    accepted_then_silent,  // takes the event, and never says so
    conflict,              // takes it, and says 409 with its version
    unprocessable,         // 422, for good
};
inline constexpr std::size_t fault_kinds = 15;
std::string_view to_string(Fault fault);
// Those that a place can have.
bool happens_at(Fault fault, Place place);

struct PlaceFaults {
    std::array<int, fault_kinds> per_mille{};  // by Fault; their sum is 1000 at most
    // Of every answer: half of them take less than the median, one of a hundred more than the 99th percentile.
    SimTime latency_median{0};
    SimTime latency_p99{0};
};

struct FaultSettings {
    std::uint64_t seed = 1;
    std::array<PlaceFaults, places.size()> at;  // by Place
    std::size_t huge_body = 33'554'432;
    SimTime slow_pause = std::chrono::milliseconds{500};  // between two pieces of a slow body, of which there are ten
    SimTime silence = std::chrono::seconds{30};           // before a silent product server hangs up
};

class FaultPlan {
  public:
    explicit FaultPlan(FaultSettings settings) : settings_(std::move(settings)) {}

    struct Fate {
        std::optional<Fault> fault;
        SimTime latency{};
    };
    // `request` is what makes it the same request when it is made again, and has no chance in it: method and URL, or at the root, where
    // all URLs are one, who asks. A key that is new each time would make every run another, and every request a memory.
    Fate decide(Place place, std::string_view request);

    // While they are off there is still latency.
    void switch_faults(bool on) { on_ = on; }
    bool is_on() const { return on_; }
    const FaultSettings& settings() const { return settings_; }

  private:
    FaultSettings settings_;
    bool on_ = true;
    std::unordered_map<std::uint64_t, std::uint32_t> asked_;  // how often, by request
};

}  // namespace marketsim

#include "faults.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dice.hpp"

namespace marketsim {
namespace {

// Log-normal: answers are mostly quick, and sometimes very slow. 2.326 standard deviations are the 99th percentile.
SimTime latency(const PlaceFaults& faults, std::uint64_t chance) {
    if (faults.latency_median.count() <= 0) return SimTime{0};
    const auto median = static_cast<double>(faults.latency_median.count());
    const auto p99 = std::max(median, static_cast<double>(faults.latency_p99.count()));
    const auto u = std::max(fraction(chance), 1e-9);
    const auto normal = std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * fraction(mixed(chance, 1)));
    return SimTime{static_cast<std::int64_t>(median * std::exp(normal * std::log(p99 / median) / 2.326))};
}

}  // namespace

std::string_view to_string(Fault fault) {
    constexpr std::array<std::string_view, fault_kinds> words{"throttled",
                                                              "error_500",
                                                              "error_503",
                                                              "reset",
                                                              "slow_body",
                                                              "truncated_body",
                                                              "not_json",
                                                              "error_body",
                                                              "numbers_as_strings",
                                                              "missing_module",
                                                              "huge_body",
                                                              "token_dies",
                                                              "accepted_then_silent",
                                                              "conflict",
                                                              "unprocessable"};
    return words[static_cast<std::size_t>(fault)];
}

bool happens_at(Fault fault, Place place) {
    const bool is_servers_own = fault >= Fault::accepted_then_silent;
    if (place == Place::elsewhere) return false;
    if (place == Place::product_server) {
        return is_servers_own || fault == Fault::throttled || fault == Fault::error_500 || fault == Fault::error_503 ||
               fault == Fault::reset;
    }
    if (place == Place::root) {
        return fault == Fault::throttled || fault == Fault::error_500 || fault == Fault::error_503 ||
               fault == Fault::reset || fault == Fault::slow_body || fault == Fault::truncated_body;
    }
    if (place == Place::options && fault == Fault::missing_module) return false;  // a bare list has none
    return !is_servers_own;
}

FaultPlan::Fate FaultPlan::decide(Place place, std::string_view request) {
    const auto& here = settings_.at[static_cast<std::size_t>(place)];
    const auto sum = std::accumulate(here.per_mille.begin(), here.per_mille.end(), 0);
    if (sum == 0 && here.latency_median.count() == 0) return {};

    const auto key = mixed(mixed(settings_.seed, static_cast<std::uint64_t>(place)), request);
    const auto chance = mixed(key, asked_[key]++);
    Fate fate{.fault = std::nullopt, .latency = latency(here, mixed(chance, 3))};
    if (!on_) return fate;
    auto dice = static_cast<int>(chance % 1000);
    for (std::size_t i = 0; i < fault_kinds; ++i) {
        dice -= here.per_mille[i];
        if (dice < 0) {
            fate.fault = static_cast<Fault>(i);
            break;
        }
    }
    return fate;
}

}  // namespace marketsim

#include <catch2/catch_test_macros.hpp>

#include "domain/breaker.hpp"
#include "support/server_view.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr Duration lease = 60s;

// The breaker told as a story: all that ever happened, and every question answered by looking back over it.
class Model {
  public:
    // Empty: nobody may. Otherwise the number of the probe, 0 for a free pass.
    std::optional<std::uint64_t> ask(TimePoint now) {
        if (!stopped_) return 0;
        if (now < stopped_at_ + 10min) return std::nullopt;
        if (!probes_.empty() && now < probes_.back() + lease) return std::nullopt;
        probes_.push_back(now);
        return ++number_;
    }
    void observe(int available, int total, TimePoint now) {
        const bool enough = total > 0 && 5 * available >= total;
        if (!stopped_ && !enough) stop(now);
    }
    // Whether anybody listens.
    bool result(std::uint64_t probe, bool good, TimePoint now) {
        if (!stopped_ || probes_.empty() || probe != number_ || now >= probes_.back() + lease) return false;
        if (good)
            stopped_ = false;
        else
            stop(now);
        return true;
    }
    bool is_open(TimePoint now) const { return stopped_ && now < stopped_at_ + 10min; }

  private:
    void stop(TimePoint now) {
        stopped_ = true;
        stopped_at_ = now;
        probes_.clear();
    }
    bool stopped_ = false;
    TimePoint stopped_at_;
    std::vector<TimePoint> probes_;
    std::uint64_t number_ = 0;
};

}  // namespace

TEST_CASE("breaker: it does what its story says, whatever comes in whatever order") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        Chance chance(seed);
        Breaker breaker;
        Model model;
        auto now = t0;
        std::map<std::uint64_t, TimePoint> live;  // probes without a result, and the end of their leases
        for (int step = 0; step < 300; ++step) {
            CAPTURE(step);
            now += Duration{chance.number(0, chance.percent(10) ? 700'000'000 : 30'000'000)};
            const auto what = chance.number(0, 3);
            if (what == 0) {
                const auto available = static_cast<int>(chance.number(0, 30));
                (void)breaker.observe(available, 50, {}, now);
                model.observe(available, 50, now);
            } else if (what == 1 && !live.empty()) {
                const auto number =
                    static_cast<std::uint64_t>(chance.number(1, static_cast<int>(live.rbegin()->first)));
                const bool good = chance.percent(50);
                const auto done = good ? breaker.probe_succeeded(number, now) : breaker.probe_failed(number, {}, now);
                REQUIRE(static_cast<bool>(done) == model.result(number, good, now));
                if (done) live.clear();
            } else {
                const auto before = breaker.free_at(now);
                const auto answer = breaker.ask(now, lease);
                const auto expected = model.ask(now);
                const auto* permit = std::get_if<Breaker::Permit>(&answer);
                REQUIRE((permit != nullptr) == expected.has_value());
                REQUIRE((permit != nullptr) == (before == now));
                if (model.is_open(now)) REQUIRE(permit == nullptr);
                if (!permit) {
                    // It always lets somebody through at the time it names.
                    auto later = breaker;
                    const auto told = std::get<Breaker::RefusedUntil>(answer).time;
                    REQUIRE(told > now);
                    REQUIRE(std::holds_alternative<Breaker::Permit>(later.ask(told, lease)));
                } else if (permit->probe) {
                    REQUIRE(*permit->probe == *expected);
                    std::erase_if(live, [&](const auto& probe) { return probe.second <= now; });
                    REQUIRE(live.empty());  // never two at once
                    live.emplace(*permit->probe, now + lease);
                }
            }
        }
    }
}

// Processes ask a pool for slots as fast as it gives them, send, are answered, or die, in virtual time; the marketplace notes when
// requests arrive, and the judge counts them.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "proof/pools.hpp"
#include "support/arrival_judge.hpp"
#include "support/chance.hpp"

namespace crawler::proof {

struct Outcome {
    test::RateFinding identities;  // all of them together, each judged by itself
    test::RateFinding host_hour;   // all requests, whoever made them
    std::int64_t reserved = 0;
    std::int64_t never_sent = 0;  // the worker died before, or the slot's time was over
    std::int64_t unreported = 0;  // the worker died after
    std::int64_t refusals = 0;    // "unavailable"
    Duration length{};
    double used_share = 0;  // of the budget of all whole spans: reserved is spent
    std::optional<bool> ledger_proves;

    bool keeps() const { return identities.keeps() && host_hour.spans_above == 0 && ledger_proves.value_or(true); }
};

class Simulation {
  public:
    Simulation(const std::string& pool, const World& world, std::uint64_t seed);

    // Until so many requests have arrived. `progress` is told, now and then, how many have.
    Outcome go(std::int64_t arrivals, const std::function<void(std::int64_t)>& progress);

  private:
    using Deed = std::function<void()>;
    struct Flight {
        int process;
        int life;  // of the process: it may be over
        ports::Slot slot;
        bool dies_before = false;
        bool dies_after = false;
    };
    using FlightPtr = std::shared_ptr<Flight>;

    TimePoint now() const { return clock_.truth(); }
    void at(TimePoint time, Deed deed) { agenda_.emplace(time, std::move(deed)); }
    void begin();
    void ask_at(int process, TimePoint time);
    void ask(int process);
    void take_off(int process, ports::Slot slot);
    void send(const FlightPtr& flight);
    void arrive(const UserAgentId& identity, TimePoint time);
    void report(const FlightPtr& flight, ports::SlotOutcome outcome);
    ports::SlotOutcome some_outcome();
    bool is_alive(const Flight& flight) const {
        return lives_[static_cast<std::size_t>(flight.process)] == flight.life;
    }
    void restart_some();
    void step_clock();
    void break_server();
    void skew_clocks();
    void rest();
    Outcome judged();

    World world_;
    test::Chance chance_;
    PoolClock clock_;
    std::unique_ptr<PoolUnderProof> pool_;
    std::multimap<TimePoint, Deed> agenda_;
    std::vector<int> lives_;
    std::vector<TimePoint> asks_;  // of each process, the next one
    TimePoint idle_until_ = TimePoint::min();
    std::unordered_map<UserAgentId, test::Arrivals> arrivals_;
    std::int64_t arrived_ = 0;
    std::vector<std::int64_t> reserved_in_span_;  // one span after the other
    Outcome outcome_;
};

}  // namespace crawler::proof

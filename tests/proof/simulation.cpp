#include "proof/simulation.hpp"

#include <numeric>

namespace crawler::proof {
namespace {

using namespace std::chrono_literals;

// Of a thousand requests so many end like this, where the fault is at work.
constexpr int dying = 20;
constexpr int used_at_the_last_moment = 10;
constexpr int slow = 20;
constexpr int unanswered = 20;

constexpr Duration read_timeout = 5s;
constexpr Duration slowest_answer = 40s;

}  // namespace

const std::vector<std::pair<std::string, bool Faults::*>>& fault_names() {
    static const std::vector<std::pair<std::string, bool Faults::*>> all{
        {"crashes", &Faults::crashes},   {"jitter", &Faults::jitter},         {"outcomes", &Faults::outcomes},
        {"restarts", &Faults::restarts}, {"clock-back", &Faults::clock_back}, {"clock-ahead", &Faults::clock_ahead},
        {"idle", &Faults::idle},         {"server", &Faults::server},
    };
    return all;
}

Simulation::Simulation(const std::string& pool, const World& world, std::uint64_t seed)
    : world_(world),
      chance_(seed),
      clock_(world.processes, world.callers_clock),
      pool_(make_pool(pool, world, clock_)),
      lives_(static_cast<std::size_t>(world.processes)),
      asks_(static_cast<std::size_t>(world.processes)) {}

Outcome Simulation::go(std::int64_t arrivals, const std::function<void(std::int64_t)>& progress) {
    begin();
    std::int64_t told = 0;
    while (arrived_ < arrivals) {
        const auto next = agenda_.begin();
        clock_.pass_to(next->first);
        const auto deed = std::move(next->second);
        agenda_.erase(next);
        deed();
        if (arrived_ < told + arrivals / 20) continue;
        told = arrived_;
        progress(told);
    }
    return judged();
}

void Simulation::begin() {
    for (int i = 0; i < world_.processes; ++i) ask_at(i, now());
    if (world_.faults.restarts) at(now() + 20min, [this] { restart_some(); });
    if (world_.faults.clock_back || world_.faults.clock_ahead) at(now() + 30min, [this] { step_clock(); });
    if (world_.faults.server) at(now() + 5min, [this] { break_server(); });
    if (world_.faults.idle) at(now() + 4h, [this] { rest(); });
    if (world_.callers_clock) at(now(), [this] { skew_clocks(); });
}

// Whatever was said before: an answer may come sooner than what the pool had to reckon with.
void Simulation::ask_at(int process, TimePoint time) {
    auto& planned = asks_[static_cast<std::size_t>(process)];
    planned = time;
    at(time, [this, process, time, &planned] {
        if (planned == time) ask(process);
    });
}

void Simulation::ask(int process) {
    if (idle_until_ > now()) return ask_at(process, idle_until_);
    clock_.ask_as(process);
    auto reserved = pool_->run(pool_->of(process).reserve());
    if (!reserved) {
        ++outcome_.refusals;
        return ask_at(process, now() + 1s);
    }
    if (const auto* next = std::get_if<ports::NextSlotAt>(&*reserved)) {
        return ask_at(process, now() + std::max<Duration>(next->time - clock_.now(), 1ms));
    }
    take_off(process, std::get<ports::Slot>(*std::move(reserved)));
    ask_at(process, now());
}

void Simulation::take_off(int process, ports::Slot slot) {
    ++outcome_.reserved;
    const auto span = static_cast<std::size_t>((now() - test::t0) / test::RateRule{}.span);
    reserved_in_span_.resize(std::max(reserved_in_span_.size(), span + 1));
    ++reserved_in_span_[span];
    auto flight =
        std::make_shared<Flight>(process, lives_[static_cast<std::size_t>(process)], std::move(slot), false, false);
    const bool dies = world_.faults.crashes && chance_.permille(dying);
    flight->dies_before = dies && chance_.percent(50);
    flight->dies_after = dies && !flight->dies_before;
    auto wait = chance_.length(0us, 300ms);
    // Who is not answered is dangerous when it sends as late as it may.
    if (world_.faults.jitter && (flight->dies_after || chance_.permille(used_at_the_last_moment)))
        wait = chance_.between(now(), now() + world_.lease) - now();
    at(now() + wait, [this, flight] { send(flight); });
}

void Simulation::send(const FlightPtr& flight) {
    clock_.ask_as(flight->process);
    if (flight->dies_before || !is_alive(*flight) || clock_.now() > flight->slot.valid_until) {
        ++outcome_.never_sent;
        return;
    }
    const auto& identity = flight->slot.identity;
    const bool jitters = world_.faults.jitter;
    if (flight->dies_after) {
        ++outcome_.unreported;
        return arrive(identity, chance_.between(now(), now() + (jitters ? late_packet : 500ms)));
    }
    if (jitters && chance_.permille(unanswered)) {
        arrive(identity, chance_.between(now(), now() + late_packet));
        return at(now() + read_timeout, [this, flight] { report(flight, ports::SlotOutcome::unanswered); });
    }
    const bool is_slow = jitters && chance_.permille(slow);
    const auto answered = now() + (is_slow ? chance_.length(5ms, slowest_answer) : chance_.length(5ms, 1s));
    // No packet is under way for longer than the guard band, however long the answer takes.
    arrive(identity, chance_.between(now(), std::min(answered, now() + late_packet)));
    at(answered, [this, flight, outcome = some_outcome()] { report(flight, outcome); });
}

void Simulation::arrive(const UserAgentId& identity, TimePoint time) {
    arrivals_[identity].push_back(time);
    ++arrived_;
}

void Simulation::report(const FlightPtr& flight, ports::SlotOutcome outcome) {
    if (!is_alive(*flight)) {
        ++outcome_.unreported;
        return;
    }
    clock_.ask_as(flight->process);
    // A conflict is in order: its lease is over, or the identity was suspended meanwhile.
    (void)pool_->run(pool_->of(flight->process).report(std::move(flight->slot), {outcome, "MINISHOP"}));
    ask_at(flight->process, now());
}

ports::SlotOutcome Simulation::some_outcome() {
    using enum ports::SlotOutcome;
    if (!world_.faults.outcomes) return succeeded;
    if (chance_.permille(2)) return throttled;
    if (chance_.permille(10)) return server_error;
    if (chance_.permille(5)) return refused;
    return chance_.permille(10) ? failed : succeeded;
}

void Simulation::restart_some() {
    const auto process = static_cast<int>(chance_.number(0, world_.processes - 1));
    ++lives_[static_cast<std::size_t>(process)];
    pool_->restart(process);
    at(now() + chance_.length(1min, 40min), [this] { restart_some(); });
}

// Ahead at most once in the time for which a request counts, because the guard band is there once.
void Simulation::step_clock() {
    const bool ahead = world_.faults.clock_ahead && (!world_.faults.clock_back || chance_.percent(50));
    clock_.step(ahead ? chance_.length(0us, late_packet) : -chance_.length(0us, chance_.percent(10) ? 20min : 20s));
    at(now() + world_.limits.span + 1min + chance_.length(0us, 1h), [this] { step_clock(); });
}

// Back at once without what it was told last, as after a fail-over, or empty and after a while.
void Simulation::break_server() {
    pool_->server_keeps();
    at(now() + 10s, [this] {
        pool_->server_dies();
        const bool fails_over = chance_.percent(50);
        const auto away = fails_over ? 0us : chance_.length(0us, 10min);
        at(now() + away, [this, fails_over] { pool_->server_returns(fails_over); });
    });
    at(now() + chance_.length(11min, 2h), [this] { break_server(); });
}

void Simulation::skew_clocks() {
    for (int i = 0; i < world_.processes; ++i) clock_.skew(i, chance_.length(-5min, 5min));
    at(now() + 30min, [this] { skew_clocks(); });
}

void Simulation::rest() {
    idle_until_ = now() + chance_.length(0us, 3h);
    at(idle_until_ + chance_.length(0us, 6h), [this] { rest(); });
}

Outcome Simulation::judged() {
    test::Arrivals all;
    for (auto& [identity, arrivals] : arrivals_) {
        all.insert(all.end(), arrivals.begin(), arrivals.end());
        outcome_.identities.add(test::judge(std::move(arrivals)));
    }
    outcome_.host_hour = test::judge(std::move(all), {.limit = CeilingLimits{}.per_hour, .spacing = 0us});
    outcome_.length = now() - test::t0;
    // Of whole spans, so that it can never be more than all of it.
    reserved_in_span_.pop_back();
    const auto used = std::reduce(reserved_in_span_.begin(), reserved_in_span_.end());
    const auto budget = std::ssize(reserved_in_span_) * test::RateRule{}.limit * world_.identities;
    if (budget > 0) outcome_.used_share = static_cast<double>(used) / static_cast<double>(budget);
    outcome_.ledger_proves = pool_->ledger_proves();
    return std::move(outcome_);
}

}  // namespace crawler::proof

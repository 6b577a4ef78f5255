// How the catalogue is changed while everybody looks at it, and how long nobody is heard for that.
#include <iostream>

#include "coro/sleep.hpp"
#include "coro/stop.hpp"
#include "pieces.hpp"
#include "simulator.hpp"

namespace marketsim {
namespace {

constexpr std::chrono::milliseconds turn_pause{1};
constexpr std::chrono::milliseconds beat{5};
// A product is quickly gone, but slow to be made again for every change of it.
constexpr std::size_t most_that_come_or_go = 512;
constexpr std::size_t most_that_change = 8;

// Whoever holds it changes the catalogue; it is given back however that ends.
class Turn {
  public:
    explicit Turn(bool& is_taken) : is_taken_(is_taken) { is_taken_ = true; }
    ~Turn() { is_taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    bool& is_taken_;
};

}  // namespace

crawler::Async<std::optional<std::string>> Simulator::change(Change wish,
                                                             std::function<void(std::span<const Mutation>)> tell) {
    while (is_changing_) co_await crawler::coro::sleep(turn_pause);
    const Turn turn(is_changing_);
    std::vector<ItemNo> items;
    try {
        items = catalogue_.choose(wish);
    } catch (const std::invalid_argument& broken) {
        co_return std::string(broken.what());
    }
    const auto most = is_coming_or_going(wish.kind) ? most_that_come_or_go : most_that_change;
    Pieces pieces(scenario_.longest_piece);
    for (std::span<const ItemNo> left = items; !left.empty();) {
        const auto next = left.first(std::min(most, left.size()));
        left = left.subspan(next.size());
        tell(catalogue_.make(wish.kind, next, now_()));
        if (pieces.is_long_enough()) co_await pieces.pause();
    }
    co_return std::nullopt;
}

crawler::Async<> Simulator::run_script(std::stop_token stop) {
    struct Line {
        std::string text;
        Change change;
    };
    std::multimap<SimTime, Line> script;  // of the same time in the order of the scenario
    for (const auto& text : scenario_.changes) {
        auto planned = read_planned_change(text, catalogue_);
        script.emplace(planned.at, Line{.text = text, .change = std::move(planned.change)});
    }
    const auto tell_nobody = [](std::span<const Mutation>) {};
    for (const auto& [at, line] : script) {
        const auto wait = real(std::max(at - now_(), SimTime{0}));
        const auto slept = co_await crawler::coro::or_stop(crawler::coro::sleep(wait), stop);
        if (!slept) co_return;
        const auto broken = co_await change(line.change, tell_nobody);
        if (!broken) continue;
        std::cerr << "marketsim: change '" << line.text << "' cannot be made: " << *broken << std::endl;
        changes_refused_.push_back(boost::json::object{{"change", line.text}, {"rule", *broken}});
    }
}

crawler::Async<> Simulator::watch_stalls(std::stop_token stop) {
    while (!stop.stop_requested()) {
        const auto began = now_();
        co_await crawler::coro::sleep(beat);
        longest_stall_ = std::max(longest_stall_, now_() - began - simulated_time(beat, scenario_.time_factor));
    }
}

}  // namespace marketsim

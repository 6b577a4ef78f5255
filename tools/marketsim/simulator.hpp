// The simulated world as one web server: the marketplace at its own paths, the product server under /product-server, and under /_sim what
// people and tests look at it with.
#pragma once
#include <functional>
#include <map>
#include <stop_token>

#include "coro/async.hpp"
#include "marketplace.hpp"
#include "product_server.hpp"
#include "scenario.hpp"

namespace marketsim {

class Simulator {
  public:
    // `now` is the simulated time.
    Simulator(const Scenario& scenario, std::function<SimTime()> now);

    // A request arrives with this call, which the server makes when it has read it, whenever its answer is begun. Of one connection it
    // reads the next request when the one before is answered, so of requests that are sent without waiting for answers the later ones
    // are judged that much later than they came.
    crawler::Async<HttpResponse> handle(HttpRequest request) { return answer(std::move(request), now_()); }
    // Makes the scenario's changes when their time comes, and says which cannot be made; returns after the last.
    crawler::Async<> run_script(std::stop_token stop);
    // Notices for how long at most nobody could be heard: by so much may two arrivals seem closer than they were.
    crawler::Async<> watch_stalls(std::stop_token stop);

    // Everything the judge knows; see --help. Items of one seller or of all; lists end at `most`.
    boost::json::object audit(std::optional<int> seller, std::size_t most) const;

  private:
    crawler::Async<HttpResponse> answer(HttpRequest request, SimTime arrived);
    crawler::Async<HttpResponse> sell(HttpRequest request, SimTime arrived);
    crawler::Async<HttpResponse> take_event(HttpRequest request);
    void count(Place place, std::string_view outcome, int status);

    crawler::Async<HttpResponse> control(HttpRequest request);
    crawler::Async<HttpResponse> mutate(std::string body);
    HttpResponse switch_faults(const std::string& body);
    HttpResponse show_item(std::string_view digits) const;
    crawler::Async<HttpResponse> show_audit(std::optional<int> seller, std::size_t most);
    crawler::Async<HttpResponse> show_metrics();

    // Makes it a piece at a time, one change after the other, and tells of each piece. Nothing, or the rule that it breaks.
    crawler::Async<std::optional<std::string>> change(Change wish, std::function<void(std::span<const Mutation>)> tell);
    crawler::Async<boost::json::object> judge_items(std::optional<int> seller, std::size_t most);

    boost::json::object verdict(boost::json::object items, std::optional<int> seller, std::size_t most) const;
    boost::json::object requests_report() const;
    boost::json::object faults_report() const;
    void report_mutations(boost::json::object& report, std::optional<int> seller, std::size_t most) const;
    std::string metrics() const;
    std::chrono::nanoseconds real(SimTime time) const { return real_time(time, scenario_.time_factor); }

    Scenario scenario_;
    std::function<SimTime()> now_;
    Catalogue catalogue_;
    ListedItems listed_;
    RateJudge judge_;
    Sessions sessions_;
    FaultPlan faults_;
    Marketplace marketplace_;
    ProductServer product_server_;
    struct Kind {
        Place place;
        std::string_view outcome;
        int status;
        auto operator<=>(const Kind&) const = default;
    };
    std::map<Kind, std::int64_t> requests_;
    boost::json::array changes_refused_;
    bool is_changing_ = false;
    SimTime longest_stall_{};
    struct Counted {
        SimTime at{};
        boost::json::object items;
    };
    std::optional<Counted> counted_;  // for the metrics
};

}  // namespace marketsim

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

    crawler::Async<HttpResponse> handle(HttpRequest request);
    // Makes the scenario's changes when their time comes; returns after the last.
    crawler::Async<> run_script(std::stop_token stop);

    // Everything the judge knows; see --help. Items of one seller or of all; lists end at `most`.
    boost::json::object audit(std::optional<int> seller, std::size_t most) const;
    std::string metrics() const;

  private:
    crawler::Async<HttpResponse> sell(HttpRequest request);
    crawler::Async<HttpResponse> take_event(HttpRequest request);
    HttpResponse control(const HttpRequest& request);
    HttpResponse mutate(const std::string& body);
    HttpResponse show_item(std::string_view digits) const;
    void count(Place place, std::string_view outcome, int status);
    boost::json::object requests_report() const;
    boost::json::array mutations_report(std::size_t most) const;
    std::chrono::nanoseconds real(SimTime time) const { return real_time(time, scenario_.time_factor); }

    Scenario scenario_;
    std::function<SimTime()> now_;
    Catalogue catalogue_;
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
};

}  // namespace marketsim

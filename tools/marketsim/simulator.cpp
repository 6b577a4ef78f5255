#include "simulator.hpp"

#include <boost/json/parse.hpp>

#include "coro/sleep.hpp"
#include "delivery.hpp"

namespace marketsim {
namespace {

constexpr std::string_view control_base = "/_sim/";
constexpr std::string_view product_base = "/product-server";
constexpr SimTime busy_wait = std::chrono::seconds{5};
constexpr int nothing_sent = 0;  // in place of the status of an answer that never came

// A server that took the event, and says that it was there already.
HttpResponse already_there(const HttpResponse& accepted) {
    const auto version = boost::json::parse(accepted.body).at("version");
    const boost::json::object body{
        {"errorCode", "VERSION_CONFLICT"}, {"message", "this version is there already"}, {"currentVersion", version}};
    return json_answer(409, boost::json::serialize(body));
}

}  // namespace

Simulator::Simulator(const Scenario& scenario, std::function<SimTime()> now)
    : scenario_(scenario),
      now_(std::move(now)),
      catalogue_(scenario.size),
      judge_(scenario.limits),
      sessions_(scenario.size.seed, scenario.session_lifetime),
      faults_(scenario.faults),
      marketplace_({.catalogue = catalogue_,
                    .judge = judge_,
                    .sessions = sessions_,
                    .faults = faults_,
                    .listed = listed_,
                    .hosts = {scenario.hosts.begin(), scenario.hosts.end()},
                    .time_factor = static_cast<double>(scenario.time_factor)}),
      product_server_(catalogue_, listed_, scenario.product_server_key) {}

crawler::Async<HttpResponse> Simulator::answer(HttpRequest request, SimTime arrived) {
    if (request.url.starts_with(control_base)) co_return co_await control(std::move(request));
    if (request.url.starts_with(product_base)) co_return co_await take_event(std::move(request));
    co_return co_await sell(std::move(request), arrived);
}

crawler::Async<HttpResponse> Simulator::sell(HttpRequest request, SimTime arrived) {
    auto outcome = marketplace_.handle(request, arrived);
    count(outcome.place, outcome.outcome, outcome.spoilt == Fault::reset ? nothing_sent : outcome.answer.status);
    if (outcome.latency.count() > 0) co_await crawler::coro::sleep(real(outcome.latency));
    if (outcome.spoilt) spoil(outcome.answer, *outcome.spoilt, real(scenario_.faults.slow_pause));
    co_return std::move(outcome.answer);
}

crawler::Async<HttpResponse> Simulator::take_event(HttpRequest request) {
    const auto fate = faults_.decide(Place::product_server, request.method + request.url);
    if (fate.latency.count() > 0) co_await crawler::coro::sleep(real(fate.latency));

    const auto path = std::string_view(request.url).substr(product_base.size());
    HttpResponse answer;
    const auto fault = fate.fault;
    if (fault == Fault::throttled) {
        answer = too_many(real(busy_wait));
    } else if (fault == Fault::error_500 || fault == Fault::error_503) {
        answer = refusal(fault == Fault::error_500 ? 500 : 503, "UNAVAILABLE", "not now");
    } else if (fault == Fault::unprocessable) {
        answer = refusal(422, "UNPROCESSABLE", "this event will never be taken");
    } else if (fault != Fault::reset) {
        answer = product_server_.handle(request, path, now_());
    }
    const bool is_taken = answer.status < 300 && request.method != "GET";
    if (fault == Fault::conflict && is_taken) answer = already_there(answer);
    const bool is_silent = fault == Fault::reset || fault == Fault::accepted_then_silent;
    if (is_silent) spoil(answer, Fault::reset, {});
    // A conflict that found nothing to conflict with did not happen.
    const bool has_struck = fault && (fault != Fault::conflict || is_taken);
    count(Place::product_server,
          has_struck            ? to_string(*fault)
          : answer.status < 300 ? "answered"
                                : "refused",
          is_silent ? nothing_sent : answer.status);
    if (fault == Fault::accepted_then_silent) co_await crawler::coro::sleep(real(scenario_.faults.silence));
    co_return answer;
}

void Simulator::count(Place place, std::string_view outcome, int status) {
    ++requests_[{place, outcome, status}];
}

}  // namespace marketsim

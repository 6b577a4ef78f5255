#include "simulator.hpp"

#include <boost/json/parse.hpp>

#include "coro/sleep.hpp"
#include "coro/stop.hpp"
#include "delivery.hpp"

namespace marketsim {
namespace {

constexpr std::string_view control_base = "/_sim/";
constexpr std::string_view product_base = "/product-server";
constexpr SimTime busy_wait = std::chrono::seconds{5};

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
                    .hosts = {scenario.hosts.begin(), scenario.hosts.end()},
                    .time_factor = static_cast<double>(scenario.time_factor)}),
      product_server_(catalogue_, scenario.product_server_key) {}

crawler::Async<HttpResponse> Simulator::handle(HttpRequest request) {
    if (request.url.starts_with(control_base)) co_return control(request);
    if (request.url.starts_with(product_base)) co_return co_await take_event(std::move(request));
    co_return co_await sell(std::move(request));
}

crawler::Async<HttpResponse> Simulator::sell(HttpRequest request) {
    auto outcome = marketplace_.handle(request, now_());
    count(outcome.place, outcome.outcome, outcome.answer.status);
    if (outcome.latency.count() > 0) co_await crawler::coro::sleep(real(outcome.latency));
    if (outcome.spoilt) spoil(outcome.answer, *outcome.spoilt, real(scenario_.faults.slow_pause));
    co_return std::move(outcome.answer);
}

crawler::Async<HttpResponse> Simulator::take_event(HttpRequest request) {
    const auto key = crawler::ports::find_header(request.headers, "Idempotency-Key").value_or("");
    const auto fate = faults_.decide(Place::product_server, request.method + request.url + std::string(key));
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
    count(Place::product_server,
          fault                 ? to_string(*fault)
          : answer.status < 300 ? "answered"
                                : "refused",
          answer.status);
    if (fault == Fault::conflict && answer.status < 300 && request.method != "GET") answer = already_there(answer);
    if (fault == Fault::accepted_then_silent) co_await crawler::coro::sleep(real(scenario_.faults.silence));
    if (fault == Fault::reset || fault == Fault::accepted_then_silent) spoil(answer, Fault::reset, {});
    co_return answer;
}

crawler::Async<> Simulator::run_script(std::stop_token stop) {
    std::multimap<SimTime, Change> script;  // of the same time in the order of the scenario
    for (const auto& text : scenario_.changes) {
        auto planned = read_planned_change(text, catalogue_);
        script.emplace(planned.at, std::move(planned.change));
    }
    for (const auto& [at, change] : script) {
        const auto wait = real(std::max(at - now_(), SimTime{0}));
        const auto slept = co_await crawler::coro::or_stop(crawler::coro::sleep(wait), stop);
        if (!slept) co_return;
        catalogue_.apply(change, now_());
    }
}

void Simulator::count(Place place, std::string_view outcome, int status) {
    ++requests_[{place, outcome, status}];
}

}  // namespace marketsim

// The verdict, for people as JSON and for Prometheus as text.
#include <boost/json/array.hpp>

#include "pieces.hpp"
#include "simulator.hpp"

namespace marketsim {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds counts_kept{5};  // of the clients, not simulated ones

void metric(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void sample(std::string& out, std::string_view name, std::string_view labels, std::int64_t value) {
    out.append(name).append(labels).append(" ").append(std::to_string(value)).append("\n");
}

}  // namespace

crawler::Async<json::object> Simulator::judge_items(std::optional<int> seller, std::size_t most) {
    auto audit = product_server_.audit_items(seller, most);
    Pieces pieces(scenario_.longest_piece);
    while (audit.step(now_())) {
        if (pieces.is_long_enough()) co_await pieces.pause();
    }
    co_return std::move(audit).report();
}

json::object Simulator::audit(std::optional<int> seller, std::size_t most) const {
    return verdict(product_server_.items_report(now_(), seller, most), seller, most);
}

json::object Simulator::verdict(json::object items, std::optional<int> seller, std::size_t most) const {
    auto rate = judge_.report(most);
    rate["longestStallMs"] = in_milliseconds(longest_stall_);
    json::object report{{"nowMs", in_milliseconds(now_())},
                        {"timeFactor", scenario_.time_factor},
                        {"seed", scenario_.size.seed},
                        {"faultsEnabled", faults_.is_on()},
                        {"rate", std::move(rate)},
                        {"requests", requests_report()},
                        {"faults", faults_report()},
                        {"items", std::move(items)},
                        {"events", product_server_.events_report()},
                        {"changesRefused", changes_refused_}};
    report_mutations(report, seller, most);
    return report;
}

json::object Simulator::faults_report() const {
    json::object report;
    for (const auto place : places) {
        const auto& chances = faults_.settings().at[static_cast<std::size_t>(place)].per_mille;
        json::object here;
        for (std::size_t i = 0; i < fault_kinds; ++i) {
            const auto name = to_string(static_cast<Fault>(i));
            std::int64_t times = 0;
            for (const auto& [kind, count] : requests_)
                times += kind.place == place && kind.outcome == name ? count : 0;
            if (times > 0 || chances[i] > 0) here[name] = times;
        }
        if (!here.empty()) report[to_string(place)] = std::move(here);
    }
    return report;
}

json::object Simulator::requests_report() const {
    json::object by_place;
    std::int64_t total = 0;
    for (const auto& [kind, times] : requests_) {
        auto& here = by_place[to_string(kind.place)];
        if (here.is_null()) here.emplace_object();
        auto& outcome = here.get_object()[kind.outcome];
        if (outcome.is_null()) outcome.emplace_object();
        outcome.get_object()[std::to_string(kind.status)] = times;
        total += times;
    }
    by_place["total"] = total;
    by_place["sessionsOpened"] = sessions_.opened();
    return by_place;
}

crawler::Async<HttpResponse> Simulator::show_metrics() {
    if (!counted_ || now_() - counted_->at > simulated_time(counts_kept, scenario_.time_factor)) {
        auto items = co_await judge_items(std::nullopt, 0);
        counted_ = Counted{.at = now_(), .items = std::move(items)};
    }
    HttpResponse response{.status = 200, .headers = {{"Content-Type", "text/plain; version=0.0.4"}}, .body = metrics()};
    co_return response;
}

std::string Simulator::metrics() const {
    std::string out;
    metric(out, "marketsim_requests_total", "counter", "Requests, refused ones included.");
    for (const auto& [kind, times] : requests_) {
        sample(out, "marketsim_requests_total",
               "{place=\"" + std::string(to_string(kind.place)) + "\",outcome=\"" + std::string(kind.outcome) +
                   "\",status=\"" + std::to_string(kind.status) + "\"}",
               times);
    }
    metric(out, "marketsim_rate_violations_total", "counter", "Requests that came too soon or were one too many.");
    sample(out, "marketsim_rate_violations_total", "", judge_.violations());
    metric(out, "marketsim_worst_hour_requests", "gauge", "The most requests of one identity in any hour.");
    sample(out, "marketsim_worst_hour_requests", "", judge_.worst_hour());
    metric(out, "marketsim_identities", "gauge", "Identities that were seen.");
    sample(out, "marketsim_identities", "", static_cast<std::int64_t>(judge_.identities()));
    metric(out, "marketsim_mutations_total", "counter", "Changes of products.");
    sample(out, "marketsim_mutations_total", "", static_cast<std::int64_t>(catalogue_.mutations().size()));
    metric(out, "marketsim_mutations_arrived", "gauge", "Changes that the product server was told of.");
    sample(out, "marketsim_mutations_arrived", "", static_cast<std::int64_t>(product_server_.arrived_count()));
    metric(out, "marketsim_items", "gauge", "Products by how the product server has them, counted a few seconds ago.");
    for (const auto* state : {"equal", "stale", "wrong", "missing", "extra"})
        sample(out, "marketsim_items", std::string("{state=\"") + state + "\"}", counted_->items.at(state).as_int64());
    metric(out, "marketsim_longest_stall_seconds", "gauge", "How long nobody was heard, in simulated time.");
    const std::chrono::duration<double> stall = longest_stall_;
    out.append("marketsim_longest_stall_seconds ").append(std::to_string(stall.count())).append("\n");
    metric(out, "marketsim_events_total", "counter", "Events that reached the product server, by what became of them.");
    for (const auto& [name, value] : product_server_.events_report()) {
        if (const auto* times = value.if_int64())
            sample(out, "marketsim_events_total", "{result=\"" + std::string(name) + "\"}", *times);
        if (const auto* times = value.if_uint64())
            sample(out, "marketsim_events_total", "{result=\"" + std::string(name) + "\"}",
                   static_cast<std::int64_t>(*times));
    }
    metric(out, "marketsim_simulated_seconds_total", "counter", "Simulated time since the start.");
    sample(out, "marketsim_simulated_seconds_total", "", std::chrono::floor<std::chrono::seconds>(now_()).count());
    return out;
}

}  // namespace marketsim

// The verdict, for people as JSON and for Prometheus as text.
#include <boost/json/array.hpp>

#include "simulator.hpp"

namespace marketsim {
namespace {

namespace json = boost::json;

void metric(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void sample(std::string& out, std::string_view name, std::string_view labels, std::int64_t value) {
    out.append(name).append(labels).append(" ").append(std::to_string(value)).append("\n");
}

}  // namespace

json::object Simulator::audit(std::optional<int> seller, std::size_t most) const {
    const auto now = now_();
    const auto& mutations = catalogue_.mutations();
    std::size_t arrived = 0;
    for (const auto& mutation : mutations) arrived += product_server_.arrival(mutation.number) ? 1 : 0;
    return {{"nowMs", in_milliseconds(now)},
            {"timeFactor", scenario_.time_factor},
            {"seed", scenario_.size.seed},
            {"faultsEnabled", faults_.is_on()},
            {"rate", judge_.report()},
            {"requests", requests_report()},
            {"items", product_server_.items_report(now, seller, most)},
            {"events", product_server_.events_report()},
            {"mutationsMade", mutations.size()},
            {"mutationsArrived", arrived},
            {"mutations", mutations_report(most)}};
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

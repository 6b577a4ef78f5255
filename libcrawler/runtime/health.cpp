#include "runtime/health.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cassert>
#include <string_view>

namespace crawler::runtime {
namespace {

namespace json = boost::json;
using ports::HttpRequest;
using ports::HttpResponse;

HttpResponse json_response(int status, const json::object& body) {
    HttpResponse response;
    response.status = status;
    response.headers.push_back({"Content-Type", "application/json"});
    response.headers.push_back({"Cache-Control", "no-store"});
    response.body = json::serialize(body);
    return response;
}

HttpResponse failure(int status, std::string_view code, std::string_view message, const Health& health,
                     std::string_view path) {
    json::object body;
    body["errorCode"] = code;
    body["message"] = message;
    body["timestamp"] = to_rfc3339(health.now());
    body["path"] = path;
    return json_response(status, body);
}

std::string reason_of(const std::vector<std::string>& silent) {
    std::string reason = "no sign of life from:";
    for (const auto& name : silent) reason += " " + name;
    return reason;
}

HttpResponse liveness(const Health& health) {
    const auto silent = health.silent();
    json::object body;
    body["status"] = silent.empty() ? "UP" : "DOWN";
    if (!silent.empty()) {
        body["reason"] = reason_of(silent);
        body["silent"] = json::array(silent.begin(), silent.end());
    }
    return json_response(silent.empty() ? 200 : 503, body);
}

// Empty where the daemon may be given work.
std::string why_not_ready(const Health& health) {
    if (health.phase() == Health::Phase::starting) return "starting";
    if (health.phase() == Health::Phase::stopping) return "stopping";
    const auto silent = health.silent();
    return silent.empty() ? "" : reason_of(silent);
}

HttpResponse readiness(const Health& health) {
    const auto reason = why_not_ready(health);
    json::object body;
    body["status"] = reason.empty() ? "UP" : "OUT_OF_SERVICE";
    if (!reason.empty()) body["reason"] = reason;
    return json_response(reason.empty() ? 200 : 503, body);
}

// The shape of Spring Boot's actuator, where the worst component decides.
HttpResponse actuator(const Health& health) {
    json::object components;
    for (const auto& pulse : health.pulses()) {
        json::object details;
        details["lastBeat"] = to_rfc3339(pulse.last_beat());
        details["secondsSince"] = std::chrono::floor<std::chrono::seconds>(pulse.silence()).count();
        json::object component;
        component["status"] = pulse.is_alive() ? "UP" : "DOWN";
        component["details"] = std::move(details);
        components[pulse.name()] = std::move(component);
    }
    std::string_view status = health.phase() == Health::Phase::ready ? "UP" : "OUT_OF_SERVICE";
    if (!health.silent().empty()) status = "DOWN";
    json::object body;
    body["status"] = status;
    if (const auto reason = why_not_ready(health); !reason.empty()) body["reason"] = reason;
    body["components"] = std::move(components);
    return json_response(status == "UP" ? 200 : 503, body);
}

HttpResponse exposition(std::string text) {
    HttpResponse response;
    response.headers.push_back({"Content-Type", "text/plain; version=0.0.4; charset=utf-8"});
    response.body = std::move(text);
    return response;
}

Async<HttpResponse> at_once(HttpResponse response) {
    co_return response;
}

}  // namespace

Pulse::Pulse(const ports::Clock& clock, std::string name, Duration longest_silence)
    : clock_(clock), name_(std::move(name)), longest_silence_(longest_silence), last_beat_(clock.now()) {}

Duration Pulse::silence() const {
    return std::max(clock_.now() - last_beat_, Duration::zero());
}

Pulse& Health::add(std::string name, Duration longest_silence) {
    assert(std::ranges::find(pulses_, name, &Pulse::name) == pulses_.end());
    return pulses_.emplace_back(clock_, std::move(name), longest_silence);
}

void Health::ready() {
    if (phase_ == Phase::starting) phase_ = Phase::ready;
}

std::vector<std::string> Health::silent() const {
    std::vector<std::string> names;
    for (const auto& pulse : pulses_) {
        if (!pulse.is_alive()) names.push_back(pulse.name());
    }
    return names;
}

ports::HttpHandler health_routes(Health& health, std::function<std::string()> metrics, ports::HttpHandler otherwise) {
    return [&health, metrics = std::move(metrics), otherwise = std::move(otherwise)](HttpRequest request) {
        const auto path = request.url.substr(0, request.url.find('?'));
        const bool ours = path == "/healthz" || path == "/readyz" || path == "/actuator/health" || path == "/metrics";
        if (!ours && otherwise) return otherwise(std::move(request));
        if (!ours) return at_once(failure(404, "NOT_FOUND", "There is nothing here.", health, path));
        if (request.method != "GET" && request.method != "HEAD") {
            auto refused = failure(405, "METHOD_NOT_ALLOWED", "Only GET and HEAD are answered here.", health, path);
            refused.headers.push_back({"Allow", "GET, HEAD"});
            return at_once(std::move(refused));
        }
        if (path == "/healthz") return at_once(liveness(health));
        if (path == "/readyz") return at_once(readiness(health));
        if (path == "/actuator/health") return at_once(actuator(health));
        return at_once(exposition(metrics()));
    };
}

}  // namespace crawler::runtime

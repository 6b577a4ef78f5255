#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "adapters/http/http.hpp"
#include "commands.hpp"
#include "coro/block_on.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;

struct Report {
    std::string url;
    bool ready = false;
    std::string status;  // UP, DOWN, ... or why nobody answered
    json::value detail;
};

// As people write it: 127.0.0.1:8080, or with a slash at the end.
std::string as_url(std::string address) {
    while (address.ends_with('/')) address.pop_back();
    return address.find("://") == std::string::npos ? "http://" + address : address;
}

std::string reason_in(const json::value& health) {
    const auto* reason = health.as_object().if_contains("reason");
    return reason && reason->is_string() ? ": " + std::string(reason->as_string()) : "";
}

Report ask(const std::string& url) {
    boost::asio::io_context io{1};
    const auto client =
        adapters::make_http_client({.total_timeout = std::chrono::seconds{10}, .allow_private_addresses = true}, io);
    ports::HttpRequest request;
    request.url = url + "/actuator/health";
    const auto answer = coro::block_on(io, client->send(std::move(request)));

    Report report{.url = url};
    if (!answer) {
        report.status = std::string(to_string(answer.error().code)) + ": " + answer.error().detail;
        return report;
    }
    report.ready = answer->status == 200;
    boost::system::error_code not_json;
    report.detail = json::parse(answer->body, not_json);
    const auto* status = not_json                    ? nullptr
                         : report.detail.if_object() ? report.detail.as_object().if_contains("status")
                                                     : nullptr;
    const auto* word = status ? status->if_string() : nullptr;
    report.status = word ? std::string(*word) + reason_in(report.detail)
                         : "HTTP " + std::to_string(answer->status) + ", and no word of health";
    if (!word) report.ready = false;
    return report;
}

void print_row(const Report& report) {
    std::cout << std::left << std::setw(32) << report.url << " " << std::setw(10)
              << (report.ready ? "ready" : "not ready") << " " << report.status << "\n";
    if (!report.detail.is_object()) return;
    const auto* components = report.detail.as_object().if_contains("components");
    if (!components || !components->is_object()) return;
    for (const auto& [name, component] : components->as_object())
        std::cout << "    " << name << "  " << component << "\n";
}

}  // namespace

int show_health(const std::vector<std::string>& urls, Format format) {
    bool all_ready = true;
    json::array reports;
    for (const auto& url : urls) {
        const auto report = ask(as_url(url));
        all_ready = all_ready && report.ready;
        if (format == Format::table) print_row(report);
        reports.push_back(json::object{
            {"url", report.url}, {"ready", report.ready}, {"status", report.status}, {"detail", report.detail}});
    }
    if (format == Format::json) std::cout << reports << "\n";
    return all_ready ? 0 : 1;
}

}  // namespace crawler::ctl

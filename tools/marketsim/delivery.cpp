#include "delivery.hpp"

#include <algorithm>
#include <stdexcept>

namespace marketsim {
namespace {

constexpr std::string_view mark = "X-Simulated-Delivery";
constexpr std::size_t pieces = 10;

}  // namespace

void spoil(HttpResponse& response, Fault fault, std::chrono::nanoseconds pause) {
    response.headers.push_back(
        {std::string(mark), std::string(to_string(fault)) + " " + std::to_string(pause.count())});
}

std::optional<crawler::adapters::BadDelivery> taken_off(HttpResponse& response) {
    const auto found = std::ranges::find(response.headers, mark, &crawler::ports::HttpHeader::name);
    if (found == response.headers.end()) return std::nullopt;
    const auto text = found->value;
    response.headers.erase(found);
    const auto space = text.find(' ');
    const auto fault = text.substr(0, space);
    if (fault == to_string(Fault::reset)) return crawler::adapters::BadDelivery{.body_bytes = 0, .reset = true};
    if (fault == to_string(Fault::truncated_body))
        return crawler::adapters::BadDelivery{.body_bytes = response.body.size() / 2};
    if (fault == to_string(Fault::slow_body)) {
        const std::chrono::nanoseconds pause{std::stoll(text.substr(space + 1))};
        return crawler::adapters::BadDelivery{.piece = response.body.size() / pieces + 1,
                                              .pause = std::chrono::duration_cast<crawler::Duration>(pause)};
    }
    throw std::logic_error("no answer is delivered as " + fault);
}

}  // namespace marketsim

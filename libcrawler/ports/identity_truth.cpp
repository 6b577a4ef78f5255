#include "ports/identity_truth.hpp"

namespace crawler::ports {
namespace {

constexpr char mark = '#';
constexpr std::size_t digits = 5;

}  // namespace

// With so many digits that they sort as they are made.
std::string reservation_in(const std::string& block, std::size_t number) {
    auto text = std::to_string(number);
    text.insert(0, digits - std::min(digits, text.size()), '0');
    return block + mark + text;
}

std::string block_of(const std::string& reservation) {
    const auto at = reservation.rfind(mark);
    return at == std::string::npos ? std::string() : reservation.substr(0, at);
}

}  // namespace crawler::ports

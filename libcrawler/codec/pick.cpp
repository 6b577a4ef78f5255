#include "codec/pick.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <charconv>

#include "codec/picker.hpp"

namespace crawler::codec {
namespace {

// Extents are 32 bits wide, and values may be copied once more into a list.
constexpr std::size_t largest_text = std::size_t{1} << 30;

std::string not_json(const Picker& picker, const boost::json::error_code& error, const PickLimits& limits) {
    const auto place = picker.pointer();
    const auto where = place.empty() ? std::string("the answer") : place;
    if (error == boost::json::error::incomplete) return where + ": must be JSON, but it ends too early";
    if (error == boost::json::error::extra_data) return where + ": must be JSON, but something comes after it";
    if (error == boost::json::error::too_deep)
        return where + ": must not be nested deeper than " + std::to_string(limits.depth);
    return where + ": must be JSON, but there is: " + error.message();
}

}  // namespace

std::int64_t Record::number(std::size_t slot) const {
    const auto text = (*this)[slot];
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

Result<Picked> pick(const PickPlan& plan, std::string_view json, PickLimits limits) {
    if (json.size() > largest_text) return Error{Errc::invalid, "the answer: must not be longer than 1 GiB"};
    boost::json::parse_options options;
    options.max_depth = limits.depth;

    LateTypes known;
    for (;;) {
        boost::json::basic_parser<Picker> parser(options, plan, known, json.size());
        auto& picker = parser.handler();
        boost::json::error_code error;
        const auto parsed = parser.write_some(false, json.data(), json.size(), error);
        if (!picker.complaint().empty()) return Error{Errc::invalid, picker.complaint()};
        if (!error && parsed < json.size()) error = boost::json::error::extra_data;
        if (error) return Error{Errc::invalid, not_json(picker, error, limits)};

        // Each reading learns at least one more type, so this ends.
        auto late = picker.take_late_types();
        if (late.empty()) return picker.take();
        known.merge(late);
    }
}

}  // namespace crawler::codec

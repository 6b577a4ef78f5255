// How one event is told: its name, level, fields and metrics, declared once in event_specs.cpp. The log line, the
// metrics and the catalogue are three readers of it, so none of them can say something else than the others.
#pragma once
#include <functional>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "adapters/telemetry/telemetry.hpp"

namespace crawler::adapters {

// Texts are views into the event.
using FieldValue = std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool>;

struct Field {
    std::string_view key;
    std::function<FieldValue(const ports::Event&)> read;
};

// All values a label can have are known; an event chooses one by its place in the list.
struct Label {
    std::string_view name;
    std::vector<std::string_view> values;
    std::function<std::size_t(const ports::Event&)> choose;
};

using Reading = std::function<double(const ports::Event&, TimePoint now)>;

struct Metric {
    MetricType type{};
    std::string_view name;
    std::string_view help;
    std::vector<Label> labels;
    Reading read;  // what is added to a counter, set in a gauge, observed in a histogram
};

struct Escalation {
    LogLevel level{};
    std::string_view when;
    std::function<bool(const ports::Event&)> applies;
};

struct Severity {
    Severity(LogLevel level, std::vector<Escalation> escalations = {}) : usual(level), raised(std::move(escalations)) {}

    LogLevel of(const ports::Event& event) const {
        auto level = usual;
        for (const auto& escalation : raised) {
            if (escalation.applies(event)) level = escalation.level;
        }
        return level;
    }

    LogLevel usual;
    std::vector<Escalation> raised;
};

struct EventSpec {
    std::string_view event;
    Severity severity;
    std::vector<Field> fields;
    std::vector<Metric> metrics;
    std::optional<ports::Loop> only_in;  // the loop whose daemon alone tells it; empty: any daemon does
};

// One per alternative of ports::Event, at its index.
const std::vector<EventSpec>& event_specs();

inline const EventSpec& spec_of(const ports::Event& event) {
    return event_specs()[event.index()];
}

}  // namespace crawler::adapters

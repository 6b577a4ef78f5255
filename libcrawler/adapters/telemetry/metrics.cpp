#include "adapters/telemetry/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "adapters/telemetry/event_spec.hpp"
#include "adapters/telemetry/process_metrics.hpp"

namespace crawler::adapters {
namespace {

// From a lookup in the database to a page of a slow site, or an idle long poll.
const prometheus::Histogram::BucketBoundaries duration_buckets{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                               1,     2.5,  5,     10,   30,  60};

void move(prometheus::Counter& series, double value) {
    series.Increment(value);
}
void move(prometheus::Gauge& series, double value) {
    series.Set(value);
}
void move(prometheus::Histogram& series, double value) {
    series.Observe(value);
}

// One metric of one event.
class MovedMetric {
  public:
    virtual ~MovedMetric() = default;
    virtual void apply(const ports::Event& event, TimePoint now) = 0;
    virtual void expose(const std::vector<ports::Loop>& loops) = 0;
};

// Every combination of label values has its own place, so that an event finds its series by arithmetic and without a
// lock. A place is filled when it is first needed; two threads that fill it at once get the same series from the
// family.
template <class T>
class SeriesTable final : public MovedMetric {
  public:
    SeriesTable(const Metric& metric, prometheus::Family<T>& family)
        : metric_(metric), family_(family), places_(combinations(metric)) {}

    void apply(const ports::Event& event, TimePoint now) override {
        std::size_t place = 0;
        for (const auto& label : metric_.labels) place = place * label.values.size() + label.choose(event);
        move(series_at(place), metric_.read(event, now));
    }

    void expose(const std::vector<ports::Loop>& loops) override {
        for (std::size_t place = 0; place < places_.size(); ++place) {
            const auto labels = labels_of(place);
            const auto loop = labels.find("loop");
            const auto is_ours = [&](ports::Loop ours) { return to_string(ours) == loop->second; };
            if (loop == labels.end() || std::ranges::any_of(loops, is_ours)) series_at(place);
        }
    }

  private:
    static std::size_t combinations(const Metric& metric) {
        std::size_t count = 1;
        for (const auto& label : metric.labels) count *= label.values.size();
        return count;
    }

    prometheus::Labels labels_of(std::size_t place) const {
        prometheus::Labels labels;
        for (auto label = metric_.labels.rbegin(); label != metric_.labels.rend(); ++label) {
            labels.emplace(label->name, label->values[place % label->values.size()]);
            place /= label->values.size();
        }
        return labels;
    }

    T& series_at(std::size_t place) {
        auto* series = places_[place].load(std::memory_order_acquire);
        if (series == nullptr) {
            if constexpr (std::is_same_v<T, prometheus::Histogram>)
                series = &family_.Add(labels_of(place), duration_buckets);
            else
                series = &family_.Add(labels_of(place));
            places_[place].store(series, std::memory_order_release);
        }
        return *series;
    }

    const Metric& metric_;
    prometheus::Family<T>& family_;
    std::vector<std::atomic<T*>> places_;
};

template <class Builder>
auto& family(Builder builder, const Metric& metric, prometheus::Registry& registry) {
    return builder.Name(std::string(metric.name)).Help(std::string(metric.help)).Register(registry);
}

// A family without series is not exposed; one that several events move is registered once.
std::unique_ptr<MovedMetric> registered(const Metric& metric, prometheus::Registry& registry) {
    using namespace prometheus;
    switch (metric.type) {
        case adapters::MetricType::counter:
            return std::make_unique<SeriesTable<Counter>>(metric, family(BuildCounter(), metric, registry));
        case adapters::MetricType::gauge:
            return std::make_unique<SeriesTable<Gauge>>(metric, family(BuildGauge(), metric, registry));
        case adapters::MetricType::histogram:
            break;
    }
    return std::make_unique<SeriesTable<Histogram>>(metric, family(BuildHistogram(), metric, registry));
}

void append(std::vector<prometheus::MetricFamily>& families, const ProcessMetric& metric) {
    if (!metric.value) return;
    prometheus::MetricFamily family;
    family.name = metric.name;
    family.help = metric.help;
    auto& series = family.metric.emplace_back();
    if (metric.type == MetricType::counter) {
        family.type = prometheus::MetricType::Counter;
        series.counter.value = *metric.value;
    } else {
        family.type = prometheus::MetricType::Gauge;
        series.gauge.value = *metric.value;
    }
    families.push_back(std::move(family));
}

}  // namespace

class EventMetrics::Registered {
  public:
    explicit Registered(const TelemetrySource& source) {
        prometheus::BuildGauge()
            .Name(build_info.name)
            .Help(build_info.help)
            .Register(registry_)
            .Add({{build_info.labels[0], source.service}, {build_info.labels[1], source.version}})
            .Set(1);
        for (const auto& spec : event_specs()) {
            auto& moved = by_event_.emplace_back();
            const auto is_ours = !spec.only_in || std::ranges::count(source.loops, *spec.only_in) > 0;
            for (const auto& metric : spec.metrics) {
                moved.push_back(registered(metric, registry_));
                if (is_ours) moved.back()->expose(source.loops);
            }
        }
    }

    void apply(const ports::Event& event, TimePoint now) {
        for (const auto& metric : by_event_[event.index()]) metric->apply(event, now);
    }

    std::string scrape() const {
        auto families = registry_.Collect();
        for (const auto& metric : read_process_metrics()) append(families, metric);
        return prometheus::TextSerializer{}.Serialize(families);
    }

  private:
    prometheus::Registry registry_;
    std::vector<std::vector<std::unique_ptr<MovedMetric>>> by_event_;
};

EventMetrics::EventMetrics(const TelemetrySource& source) : registered_(std::make_unique<Registered>(source)) {}
EventMetrics::~EventMetrics() = default;
void EventMetrics::apply(const ports::Event& event, TimePoint now) {
    registered_->apply(event, now);
}
std::string EventMetrics::scrape() const {
    return registered_->scrape();
}

}  // namespace crawler::adapters

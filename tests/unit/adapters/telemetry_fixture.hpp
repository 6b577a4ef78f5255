// What the tests of the telemetry adapter stand on: one with a stopped clock, and one of every event there is.
#pragma once
#include <unistd.h>

#include <boost/pfr/core.hpp>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include "adapters/telemetry/telemetry.hpp"

namespace crawler::test {

using namespace crawler::adapters;

class StoppedClock final : public ports::Clock {
  public:
    TimePoint now() const override { return TimePoint{std::chrono::microseconds{1'795'000'000'250'000}}; }
};

inline std::vector<ports::Loop> every_loop() {
    std::vector<ports::Loop> loops;
    for (const auto& entry : names(ports::Loop{})) loops.push_back(entry.value);
    return loops;
}

struct TelemetryFixture {
    explicit TelemetryFixture(LogLevel level = LogLevel::debug, std::vector<ports::Loop> loops = every_loop())
        : telemetry(make_telemetry({.level = level}, {"worker", "1.2.3", std::move(loops)}, clock, log)) {}

    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        std::istringstream in(log.str());
        for (std::string line; std::getline(in, line);) all.push_back(line);
        return all;
    }

    // Each series, as it is written before its value.
    std::map<std::string, double> series() {
        std::map<std::string, double> all;
        std::istringstream in(telemetry->scrape());
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#') continue;
            const auto blank = line.rfind(' ');
            all[line.substr(0, blank)] = std::stod(line.substr(blank + 1));
        }
        return all;
    }

    StoppedClock clock;
    std::ostringstream log;
    std::unique_ptr<PrometheusTelemetry> telemetry;
};

template <class E>
E blank() {
    if constexpr (std::default_initializable<E>)
        return E{};
    else
        return E{.seller = *SellerId::parse("seller")};
}

struct Fill {
    std::string text;

    void operator()(std::string& member) const { member = text; }
    template <class Tag>
    void operator()(Id<Tag>& member) const {
        member.value = text;
    }
    void operator()(SellerId& member) const {
        if (auto id = SellerId::parse(text)) member = *id;
    }
    void operator()(Error& member) const { member = {Errc::timeout, text}; }
    void operator()(Duration& member) const { member = std::chrono::milliseconds{250}; }
    template <std::integral M>
    void operator()(M& member) const {
        member = static_cast<M>(3);  // true, for a bool
    }
    template <NamedEnum M>
    void operator()(M& member) const {
        member = names(M{}).back().value;
    }
};

// One of every event there is, with nothing left at zero.
template <std::size_t... I>
std::vector<ports::Event> sample(const std::string& text, std::index_sequence<I...>) {
    const auto filled = [&](auto event) {
        boost::pfr::for_each_field(event, Fill{text});
        return ports::Event(std::move(event));
    };
    return {filled(blank<std::variant_alternative_t<I, ports::Event>>())...};
}
inline std::vector<ports::Event> one_of_each(const std::string& text = "some text") {
    return sample(text, std::make_index_sequence<std::variant_size_v<ports::Event>>{});
}

struct TempFolder {
    TempFolder() {
        std::string text = (std::filesystem::temp_directory_path() / "telemetry-XXXXXX").string();
        if (mkdtemp(text.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path = text;
    }
    ~TempFolder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

}  // namespace crawler::test

// Limiters that do not keep the limit at the server, and one that does, with the verbs of the domain's window. Whoever judges must
// find the false ones out.
#pragma once
#include "domain/request_window.hpp"

namespace crawler::test {

using namespace std::chrono_literals;
using LimiterAnswer = Result<std::variant<Granted, FreeAt>>;

inline LimiterAnswer granted(std::uint64_t reservation) {
    return std::variant<Granted, FreeAt>(Granted{reservation});
}
inline LimiterAnswer refused_until(TimePoint time) {
    return std::variant<Granted, FreeAt>(FreeAt{time});
}

// They all wait for the last answer and the spacing after it, so that only their counting is on trial.
class Spaced {
  public:
    Result<> answered(std::uint64_t, TimePoint now) {
        free_ = now + 1s;
        return {};
    }

  protected:
    TimePoint free_ = TimePoint::min();
    std::uint64_t last_ = 0;
    LimiterAnswer grant(TimePoint now, Duration lease) {
        free_ = now + lease + 10s;
        return granted(++last_);
    }
};

class FixedWindow : public Spaced {
  public:
    LimiterAnswer reserve(TimePoint now, Duration lease) {
        if (free_ > now) return refused_until(free_);
        const auto window = std::chrono::floor<std::chrono::hours>(now);
        if (window != window_) count_ = 0;
        window_ = window;
        if (count_ == 80) return refused_until(window + 1h);
        ++count_;
        return grant(now, lease);
    }

  private:
    TimePoint window_;
    int count_ = 0;
};

// The true window, but who does not answer is taken for one who did not send.
class RefundingLog {
  public:
    LimiterAnswer reserve(TimePoint now, Duration lease) { return window_.reserve(now, lease); }
    Result<> answered(std::uint64_t reservation, TimePoint now) { return window_.answered(reservation, now); }
    void lost(std::uint64_t reservation) {
        auto stamps = window_.stamps();
        std::erase_if(stamps, [&](const auto& stamp) { return stamp.reservation == reservation; });
        window_ = *RequestWindow::restore({}, stamps);
    }

  private:
    RequestWindow window_ = *RequestWindow::create({});
};

struct TrueWindow {
    RequestWindow window = *RequestWindow::create({});
    LimiterAnswer reserve(TimePoint now, Duration lease) { return window.reserve(now, lease); }
    Result<> answered(std::uint64_t reservation, TimePoint now) { return window.answered(reservation, now); }
};

}  // namespace crawler::test

// What one host may be asked at most, by all identities together: so many requests in any second, so many in any hour. The
// pool reserves here too before it lends an identity.
#pragma once
#include "domain/request_window.hpp"

namespace crawler {

// Conservative where the operator says nothing: an hour holds what fifty identities may ask in it (50 x 80), and a burst of
// fresh identities is stretched to 10 a second. A request counts from its reservation to a second after its answer, so with
// answers after 3 s the 10 are a steady 2.5 a second, twice the budget.
struct CeilingLimits {
    int per_second = 10;
    int per_hour = 4000;
    Duration guard = std::chrono::seconds{10};  // of the hour; the second has none, or it would be eleven

    Result<> check() const;
};

class HostCeiling {
  public:
    struct Reservation {
        std::uint64_t in_second = 0;
        std::uint64_t in_hour = 0;
    };

    static Result<HostCeiling> create(CeilingLimits limits);
    // From the hour's stamps; the last second's are among them.
    static Result<HostCeiling> restore(CeilingLimits limits, const std::vector<RequestWindow::Stamp>& stamps);

    // In both windows or in neither; a refusal names the later of their times. Errors as of RequestWindow::reserve.
    Result<std::variant<Reservation, FreeAt>> reserve(TimePoint now, Duration lease);
    // Takes note of the time. unavailable: it has stepped back.
    Result<> see(TimePoint now);
    // conflict: unknown, or answered already.
    Result<> answered(Reservation reservation, TimePoint now);

    TimePoint free_at(TimePoint now) const;
    int left_this_hour(TimePoint now) const { return hour_.left(now); }
    std::vector<RequestWindow::Stamp> stamps() const { return hour_.stamps(); }

  private:
    HostCeiling(RequestWindow second, RequestWindow hour) : second_(std::move(second)), hour_(std::move(hour)) {}

    RequestWindow second_;
    RequestWindow hour_;
};

}  // namespace crawler

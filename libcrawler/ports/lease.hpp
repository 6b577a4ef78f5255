// Exclusive, named, temporary ownership across all processes. A holder that dies loses it by time alone.
#pragma once
#include <optional>
#include <string>

#include "coro/async.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

struct Lease {
    std::string name;
    std::string holder;
    std::int64_t fence =
        0;  // grows whenever it changes hands or is taken again after a release; an old one comes too late
    TimePoint until;
};

class Leases {
  public:
    virtual ~Leases() = default;

    // The lease if it was free, over, or already this holder's (then it is prolonged from now and keeps its fence, even
    // if it was over and nobody else took it); empty if another holds it.
    virtual Async<Result<std::optional<Lease>>> acquire(std::string name, std::string holder, Duration length) = 0;
    // Gives it back early; twice is once. conflict: it was taken anew since, by another holder or by the same one.
    virtual Async<Result<>> release(Lease lease) = 0;
};

}  // namespace crawler::ports

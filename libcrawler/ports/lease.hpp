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
    std::int64_t fence = 0;  // grows with every change of holder; a write that carries an old one comes too late
    TimePoint until;
};

class Leases {
  public:
    virtual ~Leases() = default;

    // The lease if it was free, over, or already this holder's (then it is prolonged and keeps its fence); empty if another holds it.
    virtual Async<Result<std::optional<Lease>>> acquire(std::string name, std::string holder, Duration length) = 0;
    // Gives it back early. conflict: it is another holder's by now.
    virtual Async<Result<>> release(Lease lease) = 0;
};

}  // namespace crawler::ports

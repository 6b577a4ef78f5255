// A pass that one replica makes for all of them, because its outcome is the same whoever makes it and it costs the database much. Used by
// the outbox-relay.
#pragma once
#include "ports/lease.hpp"
#include "runtime/periodic.hpp"

namespace crawler::runtime {

struct Claim {
    std::string name;    // of the lease
    std::string holder;  // this process, like no other
    Duration
        length{};  // longer than from one pass to the next: whoever makes it keeps making it, until it is gone for so long
};

// Who finds the lease held by another has nothing to do. `leases` must outlive the pass.
Pass one_for_all(ports::Leases& leases, Claim claim, Pass pass);

}  // namespace crawler::runtime

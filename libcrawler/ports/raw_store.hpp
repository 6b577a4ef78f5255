// Raw answers waiting to be worked into products.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"

namespace crawler::ports {

class RawStore {
  public:
    virtual ~RawStore() = default;

    // Up to `limit` raws that are claimable (PENDING, or FAILED and due), each claimed; no two callers get the same one before its lease is
    // over. Sellers take turns; of one seller, the oldest comes first. One of which a claim was lost comes alone: it may be what kills who
    // works on it, and no other must count as lost with it. One that cannot be read becomes QUARANTINED, which is told, and holds up nobody.
    virtual Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) = 0;
    // Stores what became of a claimed raw; its claim has ended by that. conflict: the claim was lost to another or has
    // ended; a lease that is over but was given to nobody else still counts. invalid: the raw is still claimed, or was
    // replayed: nothing became of it.
    virtual Async<Result<>> settle(CrawledRaw raw) = 0;
};

}  // namespace crawler::ports

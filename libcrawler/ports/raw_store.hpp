// Raw answers waiting to be worked into products.
#pragma once
#include <vector>

#include "coro/async.hpp"
#include "domain/crawled_raw.hpp"

namespace crawler::ports {

class RawStore {
  public:
    virtual ~RawStore() = default;

    // Up to `limit` PENDING raws, oldest fetch first, under a lease (`attempt` counts claims); no two callers get the
    // same one before its lease is over.
    virtual Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) = 0;
    // Stores a raw's new status and reason and ends the claim; one that is PENDING again may be claimed at once.
    // conflict: the claim was lost to another or has ended; a lease that is over but was given to nobody else still
    // counts.
    virtual Async<Result<>> settle(CrawledRaw raw) = 0;
};

}  // namespace crawler::ports

// Durations of different sections that must fit each other: one promises what the other could break. Each looks fine by itself, so this
// is asked once all is read. What is wrong is told at the promise, with both values. Used by the daemons' config.cpp.
#pragma once
#include <vector>

#include "common/outside.hpp"

namespace crawler::services {

// A duration as the configuration names it.
struct Timing {
    std::string section;
    std::string key;
    Duration length{};
};

// The first is at least as long as the second, or longer where that is not enough.
void must_cover(runtime::Node root, const Timing& promise, const Timing& need);
void must_exceed(runtime::Node root, const Timing& promise, const Timing& need);

// A slot that was handed out is over before its lease is, and one that was reserved before a long poll still good after it. Otherwise
// requests would arrive when the pool counts them no more, or every slot would expire unused.
void check_slot_times(runtime::Node root, const PoolConfig& pool, const SlotsConfig& slots,
                      const adapters::HttpClientConfig& http, const runtime::ConsumerConfig& consumer);

// Work that asks the marketplace under a lease of `section` has the time to, and gives up before somebody else may take it over.
void check_attempt_times(runtime::Node root, const Timing& lease, const application::AttemptSettings& attempt,
                         const adapters::HttpClientConfig& http);

// A loop may be busy for as long as its claims are leased, without a sign of life; it must not be taken for dead.
void check_silence(runtime::Node root, const CommonConfig& common, const std::vector<Timing>& leases);

}  // namespace crawler::services

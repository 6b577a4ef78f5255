// Ids that cannot be mixed up: one type per kind of thing, made by the application before anything is stored.
#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace crawler {

template <class Tag>
struct Id {
    std::string value;

    friend auto operator<=>(const Id&, const Id&) = default;
};

using ScheduleId = Id<struct ScheduleTag>;
using ExecutionId = Id<struct ExecutionTag>;
using TaskId = Id<struct TaskTag>;
using OutboxId = Id<struct OutboxTag>;
using RawId = Id<struct RawTag>;
using UserAgentId = Id<struct UserAgentTag>;
using ReservationId = Id<struct ReservationTag>;

// The marketplace's own number of an item; it goes beyond 32 bits.
using ItemNo = std::int64_t;

}  // namespace crawler

template <class Tag>
struct std::hash<crawler::Id<Tag>> {
    std::size_t operator()(const crawler::Id<Tag>& id) const noexcept { return std::hash<std::string>{}(id.value); }
};

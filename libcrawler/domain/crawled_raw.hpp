// What the marketplace answered, untouched, and whether it has been worked into products yet.
#pragma once
#include "domain/crawler_task.hpp"

namespace crawler {

enum class RawStatus { pending, processed, failed, quarantined };
constexpr auto names(RawStatus) {
    return std::to_array<EnumName<RawStatus>>({{RawStatus::pending, "PENDING"},
                                               {RawStatus::processed, "PROCESSED"},
                                               {RawStatus::failed, "FAILED"},
                                               {RawStatus::quarantined, "QUARANTINED"}});
}

struct CrawledRaw {
    RawId id;
    TaskId task;
    SellerId seller;
    TaskType type = TaskType::minishop;
    TimePoint fetched_at;
    int http_status = 200;
    std::string body;
    RawStatus status = RawStatus::pending;
    int attempt = 0;  // counts claims
    std::optional<TimePoint> lease_until;
    std::string reason;  // of FAILED or QUARANTINED
};

}  // namespace crawler

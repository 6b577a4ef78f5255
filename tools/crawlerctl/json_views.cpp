#include "json_views.hpp"

namespace crawler::ctl {

boost::json::object json_of_run(const CrawlingScheduleExecution& run) {
    const auto& s = run.state();
    boost::json::object object{{"id", s.id.value},
                               {"sellerId", s.seller.value()},
                               {"status", to_string(s.status)},
                               {"totalTasks", s.total_tasks},
                               {"completedTasks", s.completed_tasks},
                               {"failedTasks", s.failed_tasks},
                               {"progressRate", run.progress_rate()},
                               {"successRate", run.success_rate()},
                               {"startedAt", to_rfc3339(s.started_at)},
                               {"completedAt", json_time(s.completed_at)},
                               {"proof", nullptr}};
    if (!s.proof) return object;
    boost::json::object missing;
    for (const auto& reason : names(MissingReason{})) {
        const auto count = s.proof->missing_because(reason.value);
        if (count > 0) missing[reason.name] = count;
    }
    const auto& proof = s.proof->state();
    object["proof"] = boost::json::object{{"announced", proof.announced},
                                          {"seen", proof.seen},
                                          {"complete", proof.complete},
                                          {"missing", missing},
                                          {"whole", s.proof->is_whole()}};
    return object;
}

}  // namespace crawler::ctl

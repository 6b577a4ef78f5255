#include "fleet_picture.hpp"

#include <boost/json.hpp>

#include "json_views.hpp"
#include "layout.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using Side = Table::Side;

std::string count_text(std::int64_t count) {
    return std::to_string(count);
}

std::string runs_text(const std::vector<CrawlingScheduleExecution>& runs, TimePoint now) {
    constexpr int bar_width = 24;
    Table table({{"run"},
                 {"seller"},
                 {"state"},
                 {"progress"},
                 {"", Side::right},
                 {"tasks", Side::right},
                 {"failed", Side::right},
                 {"began", Side::right}});
    for (const auto& run : runs) {
        const auto& s = run.state();
        table.add({s.id.value, s.seller.value(), std::string(to_string(s.status)),
                   progress_bar(run.progress_rate(), bar_width), per_cent_text(run.progress_rate()),
                   count_text(s.completed_tasks + s.failed_tasks) + "/" + count_text(s.total_tasks),
                   count_text(s.failed_tasks), age_text(s.started_at, now) + " ago"});
    }
    return table.text("  ");
}

std::string outboxes_text(const FleetPicture& picture) {
    Table table({{"outbox"},
                 {"pending", Side::right},
                 {"processing", Side::right},
                 {"failed", Side::right},
                 {"dead", Side::right},
                 {"oldest unsent", Side::right}});
    for (const auto& box : picture.outboxes)
        table.add({std::string(to_string(box.name)), count_text(box.pending), count_text(box.processing),
                   count_text(box.failed), count_text(box.dead), age_text(box.oldest_unsent, picture.at)});
    return table.text("  ");
}

std::string raws_text(const FleetPicture& picture) {
    const auto& raws = picture.raws;
    Table table({{"answers"},
                 {"pending", Side::right},
                 {"failed", Side::right},
                 {"quarantined", Side::right},
                 {"oldest waiting", Side::right}});
    table.add({"", count_text(raws.pending), count_text(raws.failed), count_text(raws.quarantined),
               age_text(raws.oldest_waiting, picture.at)});
    return table.text("  ");
}

std::string queues_text(const std::vector<QueuePicture>& queues) {
    Table table({{"queue"}, {"waiting", Side::right}, {"in flight", Side::right}, {"dead", Side::right}});
    for (const auto& [name, depth] : queues)
        table.add({name, count_text(depth.waiting), count_text(depth.in_flight), count_text(depth.dead)});
    return table.text("  ");
}

std::string pool_text(const ports::PoolView& pool) {
    const auto& ids = pool.identities;
    Table table({{"identities"},
                 {"available", Side::right},
                 {"suspended", Side::right},
                 {"blocked", Side::right},
                 {"health", Side::right},
                 {"budget left", Side::right},
                 {"left this hour", Side::right},
                 {"breaker"}});
    table.add({count_text(ids.total), count_text(ids.available), count_text(ids.suspended), count_text(ids.blocked),
               count_text(static_cast<std::int64_t>(ids.health_average())), count_text(ids.budget_left),
               count_text(pool.left_this_hour), std::string(to_string(pool.breaker))});
    return table.text("  ");
}

json::object json_of(const ports::OutboxView& box) {
    return {{"name", to_string(box.name)}, {"pending", box.pending}, {"processing", box.processing},
            {"failed", box.failed},        {"dead", box.dead},       {"oldestUnsent", json_time(box.oldest_unsent)}};
}

json::array json_of(const std::vector<CrawlingScheduleExecution>& runs) {
    json::array list;
    for (const auto& run : runs) list.push_back(json_of_run(run));
    return list;
}

}  // namespace

std::string picture_text(const FleetPicture& picture) {
    auto text = "crawler fleet, " + to_rfc3339(picture.at) + "\n\n";
    text += picture.open_runs.empty() ? "  no run is open\n" : runs_text(picture.open_runs, picture.at);
    if (!picture.recent_runs.empty()) text += "\nover lately\n" + runs_text(picture.recent_runs, picture.at);
    if (picture.pool) text += "\n" + pool_text(*picture.pool);
    if (!picture.queues.empty()) text += "\n" + queues_text(picture.queues);
    return text + "\n" + outboxes_text(picture) + "\n" + raws_text(picture);
}

std::string picture_json(const FleetPicture& picture) {
    json::array outboxes;
    for (const auto& box : picture.outboxes) outboxes.push_back(json_of(box));
    json::object all{{"at", to_rfc3339(picture.at)},
                     {"openRuns", json_of(picture.open_runs)},
                     {"recentRuns", json_of(picture.recent_runs)},
                     {"outboxes", outboxes},
                     {"answers", json::object{{"pending", picture.raws.pending},
                                              {"failed", picture.raws.failed},
                                              {"quarantined", picture.raws.quarantined},
                                              {"oldestWaiting", json_time(picture.raws.oldest_waiting)}}}};
    json::array queues;
    for (const auto& [name, depth] : picture.queues)
        queues.push_back(json::object{
            {"name", name}, {"waiting", depth.waiting}, {"inFlight", depth.in_flight}, {"dead", depth.dead}});
    if (!queues.empty()) all["queues"] = queues;
    if (picture.pool) {
        const auto& ids = picture.pool->identities;
        all["pool"] = json::object{{"total", ids.total},
                                   {"available", ids.available},
                                   {"suspended", ids.suspended},
                                   {"blocked", ids.blocked},
                                   {"healthAverage", ids.health_average()},
                                   {"budgetLeft", ids.budget_left},
                                   {"leftThisHour", picture.pool->left_this_hour},
                                   {"breaker", to_string(picture.pool->breaker)}};
    }
    return json::serialize(all);
}

}  // namespace crawler::ctl

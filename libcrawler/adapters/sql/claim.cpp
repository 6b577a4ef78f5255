#include "adapters/sql/claim.hpp"

#include <algorithm>

namespace crawler::adapters::sql {
namespace {

struct Lane {
    std::string name;
    bool has_more = true;
    // The last row that we have of it: its time, and its id.
    std::string ready_at = "0";
    std::string id;
};

// A claim looks at so many lanes at most; the next one goes on behind them.
constexpr int most_lanes = 64;

// One jump in the index, over all rows of the lanes before it. (A recursive query in one statement reads every row on MariaDB.)
std::optional<std::string> lane_after(Session& session, std::string_view table, const std::string& lane) {
    const auto rest = "FROM " + std::string(table) + " WHERE waiting_lane > ? ORDER BY waiting_lane LIMIT 1";
    auto row = session.select_one({"waiting_lane"}, rest, {lane});
    if (!row) return std::nullopt;
    return row->text();
}

// The lanes that have unsent rows, beginning with the one after the last served, going round once.
std::vector<Lane> lanes_of(Session& session, std::string_view table, const std::string& last) {
    std::vector<Lane> lanes;
    auto next = lane_after(session, table, last);
    while (next && std::ssize(lanes) < most_lanes) {
        lanes.emplace_back().name = *next;
        next = lane_after(session, table, *next);
    }
    if (std::ssize(lanes) == most_lanes) return lanes;
    // Around: the nameless lane comes before all others.
    const auto rest = "FROM " + std::string(table) + " WHERE waiting_lane = '' LIMIT 1";
    if (session.select_one({"waiting_lane"}, rest)) lanes.emplace_back();
    next = lane_after(session, table, "");
    while (next && *next <= last && std::ssize(lanes) < most_lanes) {
        lanes.emplace_back().name = *next;
        next = lane_after(session, table, *next);
    }
    return lanes;
}

// The next `count` rows of a lane, behind the last one that we have of it already. What another transaction was at when we passed it
// and let go of since is for the next claim.
std::vector<Row> next_of(Session& session, const Line& line, Lane& lane, int count, TimePoint now) {
    auto columns = line.columns;
    columns.emplace_back("ready_at");
    auto rest = "FROM " + std::string(line.table) + " WHERE waiting_lane = ? AND ready_at <= ? ";
    Values values{lane.name, now};
    if (!lane.id.empty()) {
        rest += "AND ready_at >= ? AND (ready_at > ? OR id > ?) ";
        const auto ready_at = static_cast<std::int64_t>(std::stoll(lane.ready_at));
        values.insert(values.end(), {ready_at, ready_at, lane.id});
    }
    values.emplace_back(count);
    rest.append(line.condition).append(" ORDER BY ready_at, id LIMIT ? ");
    auto rows = session.select(columns, rest.append(session.dialect().lock_free_rows()), values);
    for (auto& row : rows) {
        lane.id = row.first();
        lane.ready_at = row.drop_last().value_or("0");
    }
    lane.has_more = std::ssize(rows) == count;
    return rows;
}

}  // namespace

std::vector<Row> lock_next_in_line(Session& session, const Line& line, int limit, TimePoint now, LastLane& last) {
    auto lanes = lanes_of(session, line.table, last.get());
    std::vector<Row> claimed;
    // First everybody's equal share; then what is left over goes to those who have more.
    while (std::ssize(claimed) < limit && !lanes.empty()) {
        for (std::size_t i = 0; i < lanes.size() && std::ssize(claimed) < limit; ++i) {
            auto& lane = lanes[i];
            const auto left = limit - static_cast<int>(claimed.size());
            const auto lanes_left = static_cast<int>(lanes.size() - i);
            const auto share = (left + lanes_left - 1) / lanes_left;
            auto rows = next_of(session, line, lane, share, now);
            last.set(lane.name);
            std::ranges::move(rows, std::back_inserter(claimed));
        }
        std::erase_if(lanes, [](const Lane& lane) { return !lane.has_more; });
    }
    return claimed;
}

}  // namespace crawler::adapters::sql

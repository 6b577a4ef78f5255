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

// A claim serves so many lanes at most, and looks for them in so many statements of so many rows; the next one goes on behind them.
// A page of the index costs the server about twice what one row does, and of short lanes it shows many: thousands of them that wait
// for their back-off take a claim some milliseconds. A long lane costs one statement, however long it is.
constexpr std::size_t most_lanes = 64;
constexpr int most_pages = 100;
constexpr int rows_a_page = 100;

// Goes along the index and keeps the lanes that have a row whose time has come. (A recursive query in one statement reads every row
// on MariaDB, and whether GROUP BY jumps from lane to lane depends on its statistics.)
class LaneSearch {
  public:
    LaneSearch(Session& session, std::string_view table, TimePoint now) : session_(session), table_(table), now_(now) {}

    // Those behind the last one served, going round once; the nameless lane comes before all others.
    void go_round(const std::string& last) {
        place_ = last;
        look(">", std::nullopt);
        if (is_enough()) return;
        place_.clear();
        look(">=", last);
    }
    std::vector<Lane> take_lanes() { return std::move(lanes_); }
    // The last lane that was looked at.
    const std::string& place() const { return place_; }

  private:
    bool is_enough() const { return lanes_.size() == most_lanes || pages_ == most_pages; }

    // The lanes behind the place, or from it on, up to `end`.
    void look(std::string_view comparison, const std::optional<std::string>& end) {
        for (; !is_enough(); comparison = ">") {
            ++pages_;
            const auto rest = "FROM " + std::string(table_) + " WHERE waiting_lane " + std::string(comparison) +
                              " ? ORDER BY waiting_lane, ready_at LIMIT ?";
            // Compared by the server, which takes a time that cannot be read, too.
            auto rows = session_.select({"waiting_lane", "CASE WHEN ready_at <= ? THEN 1 ELSE 0 END"}, rest,
                                        {now_, place_, rows_a_page});
            for (auto& row : rows) {
                auto lane = row.text();
                if (end && lane > *end) return;
                if (row.flag() && !keep(lane)) return;
                place_ = std::move(lane);
            }
            if (std::ssize(rows) < rows_a_page) return;
        }
    }
    bool keep(const std::string& lane) {
        if (!lanes_.empty() && lanes_.back().name == lane) return true;
        if (lanes_.size() == most_lanes) return false;
        lanes_.emplace_back().name = lane;
        return true;
    }

    Session& session_;
    std::string_view table_;
    TimePoint now_;
    std::vector<Lane> lanes_;
    std::string place_;
    int pages_ = 0;
};

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
    LaneSearch search(session, line.table, now);
    search.go_round(last.get());
    auto lanes = search.take_lanes();
    if (lanes.empty()) last.set(search.place());
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

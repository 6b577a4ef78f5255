// Takes what is next in line, fairly: sellers' lanes take turns, so that a lane of a hundred thousand rows never holds up one of
// ten. Used by the outboxes and the raw store, whose tables have the columns waiting_lane, ready_at and id, and an index on
// these three.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "adapters/sql/session.hpp"

namespace crawler::adapters::sql {

// Where the last claim of this process ended: the next begins with the lane after it.
class LastLane {
  public:
    std::string get() const {
        const std::lock_guard hold(guard_);
        return lane_;
    }
    void set(std::string lane) {
        const std::lock_guard hold(guard_);
        lane_ = std::move(lane);
    }

  private:
    mutable std::mutex guard_;
    std::string lane_;
};

struct Line {
    std::string_view table;
    const Columns&
        columns;  // the first is the id; none is there twice, or the server would sort instead of using its index
    std::string_view condition;  // what else a row must be, "AND ..."; may be empty
};

// Up to `limit` rows whose time has come, ours until the transaction ends; rows that another transaction is at are passed over.
std::vector<Row> lock_next_in_line(Session& session, const Line& line, int limit, TimePoint now, LastLane& last);

}  // namespace crawler::adapters::sql

// Takes what is next in line, fairly: sellers' lanes take turns, so that neither a lane of a hundred thousand rows nor lanes in which
// nothing is due hold up one of ten. Used by the outboxes and the raw store, whose tables have the columns waiting_lane, ready_at
// and id, and an index on these three.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "adapters/sql/session.hpp"
#include "ports/telemetry.hpp"

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

// What a claim took, and what it put out of the way so that the others are not held up.
template <class Thing>
struct Claimed {
    std::vector<Thing> things;
    std::vector<ports::RowSetAside> set_aside;
};

// A claim that has met so many goes on no more: what it does is one transaction.
inline constexpr std::size_t most_set_aside = 100;

// What stands in the row; invalid, with the reason, where it cannot be read.
template <class Thing>
Result<Thing> read_row(Row row, Thing (*read)(Row)) {
    try {
        return read(std::move(row));
    } catch (const DatabaseError& error) {
        if (error.trouble != Trouble::corrupt) throw;
        return Error{Errc::invalid, error.what()};
    }
}

// Up to `limit` rows whose time has come, ours until the transaction ends; rows that another transaction is at are passed over. What
// one call looks at is bounded: with hundreds of long lanes in which nothing is due it may come back with nothing, and the next call
// goes on behind them.
std::vector<Row> lock_next_in_line(Session& session, const Line& line, int limit, TimePoint now, LastLane& last);

}  // namespace crawler::adapters::sql

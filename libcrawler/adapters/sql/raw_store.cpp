#include "adapters/sql/claim.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/raw_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

class SqlRawStore final : public ports::RawStore {
  public:
    explicit SqlRawStore(SqlDatabase& database) : database_(database) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [=, this](Session& session) { return claim_in(session, limit, now, lease); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<>> settle(CrawledRaw raw) override {
        auto body = [raw = std::move(raw)](Session& session) -> Result<> {
            if (raw.state().status == RawStatus::pending || raw.state().lease_until)
                return Error{Errc::invalid, "nothing became of raw " + raw.state().id.value};
            if (auto settled = settle_raw(session, raw); !settled) return settled;
            if (raw.state().status == RawStatus::processed)
                end_superseded(session, {raw.state().id}, raw.state().fetched_at);
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    Result<std::vector<CrawledRaw>> claim_in(Session& session, int limit, TimePoint now, Duration lease) {
        std::vector<CrawledRaw> claimed;
        for (auto& row : lock_next_in_line(session, {"crawled_raw", raw_columns, ""}, limit, now, last_)) {
            auto raw = raw_of(std::move(row));
            if (const auto done = raw.claim(now, lease); !done) return done.error();
            session.execute(
                "UPDATE crawled_raw SET attempt = ?, lost_count = ?, lease_until = ?, ready_at = ? WHERE id = ?",
                {raw.state().attempt, raw.state().lost_count, raw.state().lease_until, raw.state().lease_until,
                 raw.state().id});
            claimed.push_back(std::move(raw));
        }
        return claimed;
    }

    SqlDatabase& database_;
    LastLane last_;
};

}  // namespace

std::unique_ptr<ports::RawStore> make_sql_raw_store(SqlDatabase& database) {
    return std::make_unique<SqlRawStore>(database);
}

}  // namespace crawler::adapters

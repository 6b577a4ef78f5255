#include <algorithm>

#include "adapters/sql/claim.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/raw_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// A claim on it was lost: it may be what kills whoever works on it.
bool is_suspect(const CrawledRaw& raw) {
    return raw.state().lost_count > 0;
}

// The first suspect alone or, where there are others with it already, none. Who is left out stays as it was, for the next claim.
void keep_suspects_alone(std::vector<CrawledRaw>& raws, bool is_first) {
    const auto suspect = std::ranges::find_if(raws, is_suspect);
    if (suspect == raws.end()) return;
    if (!is_first) {
        std::erase_if(raws, is_suspect);
        return;
    }
    auto alone = std::move(*suspect);
    raws.clear();
    raws.push_back(std::move(alone));
}

class SqlRawStore final : public ports::RawStore {
  public:
    explicit SqlRawStore(SqlDatabase& database) : database_(database) {}

    Async<Result<std::vector<CrawledRaw>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [=, this](Session& session) { return claim_in(session, limit, now, lease); };
        auto claimed = co_await database_.transact(std::move(body));
        if (!claimed) co_return claimed.error();
        database_.tell(claimed->set_aside);
        co_return std::move(claimed->things);
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
    // What is put aside leaves room for others.
    Result<Claimed<CrawledRaw>> claim_in(Session& session, int limit, TimePoint now, Duration lease) {
        Claimed<CrawledRaw> claimed;
        for (bool has_room = true; has_room;) {
            const auto known_bad = claimed.set_aside.size();
            claim_some(session, limit - static_cast<int>(claimed.things.size()), now, lease, claimed);
            has_room = claimed.set_aside.size() > known_bad && claimed.set_aside.size() < most_set_aside &&
                       std::ssize(claimed.things) < limit && std::ranges::none_of(claimed.things, is_suspect);
        }
        return claimed;
    }

    void claim_some(Session& session, int limit, TimePoint now, Duration lease, Claimed<CrawledRaw>& claimed) {
        std::vector<CrawledRaw> raws;
        for (auto& row : lock_next_in_line(session, {"crawled_raw", raw_columns, ""}, limit, now, last_)) {
            const RawId id{row.first()};
            auto raw = read_row(std::move(row), raw_of);
            const auto done = raw ? raw->claim(now, lease) : Result<>(raw.error());
            if (!done) {
                claimed.set_aside.push_back({"crawled_raw " + id.value, done.error().detail});
                raw ? put_in_place(session, *raw) : quarantine_row(session, id, done.error().detail);
                continue;
            }
            raws.push_back(*std::move(raw));
        }
        keep_suspects_alone(raws, claimed.things.empty());
        for (auto& raw : raws) {
            const auto& s = raw.state();
            session.execute(
                "UPDATE crawled_raw SET attempt = ?, lost_count = ?, lease_until = ?, ready_at = ? WHERE id = ?",
                {s.attempt, s.lost_count, s.lease_until, s.lease_until, s.id});
            claimed.things.push_back(std::move(raw));
        }
    }

    SqlDatabase& database_;
    LastLane last_;
};

}  // namespace

std::unique_ptr<ports::RawStore> make_sql_raw_store(SqlDatabase& database) {
    return std::make_unique<SqlRawStore>(database);
}

}  // namespace crawler::adapters

#include "adapters/sql/database.hpp"
#include "adapters/sql/ledger_rows.hpp"
#include "adapters/sql/pool_state.hpp"
#include "domain/host_ceiling.hpp"

namespace crawler::adapters {
namespace sql {

bool stamp_ledger(Session& session, const ports::LedgerStamp& stamp) {
    const auto stamped = session.execute(
        "UPDATE request_ledger SET answered_at = ?, outcome = ?, latest_at = CASE WHEN latest_at > ? THEN ? ELSE "
        "latest_at "
        "END WHERE reservation = ? AND answered_at IS NULL",
        {stamp.answered, stamp.outcome, stamp.answered, stamp.answered, stamp.reservation});
    return stamped == 1 ||
           session.number("COUNT(*) FROM request_ledger WHERE reservation = ?", {stamp.reservation}) == 1;
}

void insert_in_ledger(Session& session, const ports::LedgerEntry& entry, Duration guard) {
    const auto without_answer = entry.lease_end + guard;
    session.insert("request_ledger",
                   {"reservation", "identity_id", "reserved_at", "lease_end", "answered_at", "outcome", "latest_at"},
                   {{entry.reservation, entry.identity, entry.reserved, entry.lease_end, entry.answered, entry.outcome,
                     std::min(entry.answered.value_or(without_answer), without_answer)}});
}

void note_unanswered(Session& session, const std::string& reservation) {
    session.execute("UPDATE request_ledger SET outcome = ? WHERE reservation = ? AND answered_at IS NULL",
                    {RequestOutcome::unanswered, reservation});
}

}  // namespace sql

namespace {

using namespace sql;

const Columns columns{"reservation", "identity_id", "reserved_at", "lease_end", "answered_at", "outcome"};

ports::LedgerEntry entry_of(Row row) {
    ports::LedgerEntry entry;
    entry.reservation = row.text();
    entry.identity = row.id<UserAgentId>();
    entry.reserved = row.instant();
    entry.lease_end = row.instant();
    entry.answered = row.optional_instant();
    entry.outcome = row.optional_word<RequestOutcome>();
    return entry;
}

Result<std::vector<ports::LedgerEntry>> since_in(Session& session, TimePoint from,
                                                 const std::optional<UserAgentId>& identity) {
    Values values;
    std::string rest = "FROM request_ledger WHERE ";
    if (identity) {
        rest += "identity_id = ? AND ";
        values.emplace_back(*identity);
    }
    values.emplace_back(from);
    std::vector<ports::LedgerEntry> entries;
    for (auto& row : session.select(columns, rest + "reserved_at >= ? ORDER BY reserved_at, reservation", values))
        entries.push_back(entry_of(std::move(row)));
    return entries;
}

class SqlRequestLedger final : public ports::RequestLedger {
  public:
    explicit SqlRequestLedger(SqlDatabase& database) : database_(database) {}

    Async<Result<>> reserve(ports::LedgerEntry entry) override {
        auto body = [entry = std::move(entry)](Session& session) -> Result<> {
            count_hour_anew(session);
            insert_in_ledger(session, entry, CeilingLimits{}.guard);
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<>> answer(ports::LedgerStamp stamp) override {
        auto body = [stamp = std::move(stamp)](Session& session) -> Result<> {
            if (stamp_ledger(session, stamp)) return {};
            return Error{Errc::not_found, "there is no reservation " + stamp.reservation};
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::vector<ports::LedgerEntry>>> since(TimePoint from, std::optional<UserAgentId> identity) override {
        auto body = [=](Session& session) { return since_in(session, from, identity); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::vector<UserAgentId>>> identities(TimePoint from) override {
        auto body = [from](Session& session) -> Result<std::vector<UserAgentId>> {
            std::vector<UserAgentId> all;
            for (auto& row : session.select(
                     {"identity_id"},
                     "FROM request_ledger WHERE reserved_at >= ? GROUP BY identity_id ORDER BY identity_id", {from}))
                all.push_back(row.id<UserAgentId>());
            return all;
        };
        co_return co_await database_.read(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::RequestLedger> make_sql_request_ledger(SqlDatabase& database) {
    return std::make_unique<SqlRequestLedger>(database);
}

}  // namespace crawler::adapters

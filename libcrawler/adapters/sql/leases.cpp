#include "adapters/sql/database.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;
using Acquired = std::optional<ports::Lease>;

const Columns columns{"name", "holder", "fence", "until_at"};

// An empty holder: it was released.
Result<Acquired> acquire_in(Session& session, ports::Lease wanted, TimePoint now) {
    const auto rest = "FROM leases WHERE name = ? " + std::string(session.dialect().lock_rows());
    auto row = session.select_one({"holder", "fence", "until_at"}, rest, {wanted.name});
    if (!row) {
        wanted.fence = 1;
        session.insert("leases", columns, {{wanted.name, wanted.holder, wanted.fence, wanted.until}});
        return Acquired(std::move(wanted));
    }
    const auto holder = row->text();
    wanted.fence = row->number();
    if (holder != wanted.holder) {
        if (!holder.empty() && row->instant() > now) return Acquired{};
        ++wanted.fence;
    }
    session.execute("UPDATE leases SET holder = ?, fence = ?, until_at = ? WHERE name = ?",
                    {wanted.holder, wanted.fence, wanted.until, wanted.name});
    return Acquired(std::move(wanted));
}

class SqlLeases final : public ports::Leases {
  public:
    SqlLeases(SqlDatabase& database, const ports::Clock& clock) : database_(database), clock_(clock) {}

    Async<Result<Acquired>> acquire(std::string name, std::string holder, Duration length) override {
        const auto now = clock_.now();
        const ports::Lease wanted{std::move(name), std::move(holder), 0, now + length};
        auto body = [wanted, now](Session& session) { return acquire_in(session, wanted, now); };
        auto acquired = co_await database_.transact(body);
        // Two who want a lease that there never was both try to write its row; the second finds it on another look.
        if (!acquired && acquired.error().code == Errc::conflict) acquired = co_await database_.transact(body);
        co_return acquired;
    }

    Async<Result<>> release(ports::Lease lease) override {
        auto body = [lease = std::move(lease)](Session& session) -> Result<> {
            const auto freed = session.execute("UPDATE leases SET holder = '' WHERE name = ? AND fence = ?",
                                               {lease.name, lease.fence});
            if (freed == 1) return {};
            return Error{Errc::conflict, "lease " + lease.name + " was taken anew since"};
        };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    SqlDatabase& database_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::Leases> make_sql_leases(SqlDatabase& database, const ports::Clock& clock) {
    return std::make_unique<SqlLeases>(database, clock);
}

}  // namespace crawler::adapters

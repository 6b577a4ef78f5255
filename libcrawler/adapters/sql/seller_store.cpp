#include "adapters/sql/database.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/seller_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

Result<> add_in(Session& session, const ports::SellerAndSchedule& both, const OutboxEntry& order) {
    insert_seller(session, both.seller);
    insert_schedule(session, both.schedule);
    insert_entries(session, scheduler_outbox_table, {order});
    return {};
}

Result<ports::SellerAndSchedule> find_in(Session& session, const SellerId& id) {
    auto seller = load_seller(session, id);
    if (!seller) return seller.error();
    auto schedule = load_schedule(session, id);
    if (!schedule) return schedule.error();
    return ports::SellerAndSchedule{std::move(*seller), std::move(*schedule)};
}

Result<ports::SellerPage> page_in(Session& session, const ports::SellerQuery& query) {
    ports::SellerPage page{.sellers = {}, .total = count_sellers(session, query.status)};
    const auto sellers = load_sellers(session, query.status, query.offset, query.limit);
    const auto schedules = load_schedules(session, sellers);
    for (const auto& seller : sellers) {
        const auto schedule = schedules.find(seller.state().id);
        if (schedule == schedules.end())
            return Error{Errc::not_found, "there is no schedule of seller " + seller.state().id.value()};
        page.sellers.push_back({seller, schedule->second});
    }
    return page;
}

Result<> save_in(Session& session, const ports::SellerAndSchedule& both, const std::optional<OutboxEntry>& order) {
    if (auto saved = update_seller(session, both.seller); !saved) return saved;
    if (auto saved = update_schedule(session, both.schedule); !saved) return saved;
    if (order) insert_entries(session, scheduler_outbox_table, {*order});
    return {};
}

class SqlSellerStore final : public ports::SellerStore {
  public:
    explicit SqlSellerStore(SqlDatabase& database) : database_(database) {}

    Async<Result<>> add(ports::SellerAndSchedule both, OutboxEntry order) override {
        auto body = [both = std::move(both), order = std::move(order)](Session& s) { return add_in(s, both, order); };
        co_return co_await database_.transact(std::move(body));
    }
    Async<Result<Seller>> find(SellerId id) override {
        auto body = [id = std::move(id)](Session& session) { return load_seller(session, id); };
        co_return co_await database_.read(std::move(body));
    }
    Async<Result<ports::SellerAndSchedule>> find_both(SellerId id) override {
        auto body = [id = std::move(id)](Session& session) { return find_in(session, id); };
        co_return co_await database_.read(std::move(body));
    }
    Async<Result<ports::SellerPage>> page(ports::SellerQuery query) override {
        auto body = [query](Session& session) { return page_in(session, query); };
        co_return co_await database_.read(std::move(body));
    }
    Async<Result<>> save(ports::SellerAndSchedule both, std::optional<OutboxEntry> order) override {
        auto body = [both = std::move(both), order = std::move(order)](Session& s) { return save_in(s, both, order); };
        co_return co_await database_.transact(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::SellerStore> make_sql_seller_store(SqlDatabase& database) {
    return std::make_unique<SqlSellerStore>(database);
}

}  // namespace crawler::adapters

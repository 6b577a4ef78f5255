#include "adapters/sql/seller_rows.hpp"

#include "adapters/sql/free_text.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns seller_columns{"seller_id",     "name",       "interval_days", "status",  "total_product_count",
                             "external_code", "created_at", "updated_at",    "revision"};
const Columns schedule_columns{"id",         "seller_id",  "interval_days", "status", "failure_reason",
                               "created_at", "updated_at", "revision"};

Values row_of(const Seller::State& s) {
    return {s.id,         s.name,       s.interval.count(), s.status, s.total_product_count, s.external_code,
            s.created_at, s.updated_at, s.revision};
}

Values row_of(const CrawlingSchedule::State& s) {
    return {s.id,         s.seller,     s.interval.count(), s.status, free_text(s.failure_reason),
            s.created_at, s.updated_at, s.revision};
}

CrawlingInterval interval_of(Row& row) {
    return row.checked(CrawlingInterval::days(row.small_number()));
}

Seller seller_of(Row row) {
    Seller::State state{.id = row.seller()};
    state.name = row.text();
    state.interval = interval_of(row);
    state.status = row.word<SellerStatus>();
    state.total_product_count = row.number();
    state.external_code = row.optional_text();
    state.created_at = row.instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    return Seller::restore(std::move(state));
}

CrawlingSchedule schedule_of(Row row) {
    auto id = row.id<ScheduleId>();
    CrawlingSchedule::State state{.id = std::move(id), .seller = row.seller()};
    state.interval = interval_of(row);
    state.status = row.word<ScheduleStatus>();
    state.failure_reason = row.text();
    state.created_at = row.instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    return CrawlingSchedule::restore(std::move(state));
}

std::string of_status(std::optional<SellerStatus> status) {
    return status ? "WHERE status = ? " : "";
}

// A row whose revision is the one that was read, one revision on.
template <class State>
Result<> update(Session& session, std::string_view table, const Columns& columns, State state, const SellerId& seller) {
    const auto read = state.revision++;
    auto values = row_of(state);
    values.emplace_back(seller);
    values.emplace_back(read);
    if (session.execute(update_text(table, columns, "seller_id = ? AND revision = ?"), values) == 1) return {};
    const auto there = session.number("COUNT(*) FROM " + std::string(table) + " WHERE seller_id = ?", {seller});
    if (there == 0) return Error{Errc::not_found, "there is no seller " + seller.value()};
    return Error{Errc::conflict, "seller " + seller.value() + " was saved since it was read"};
}

}  // namespace

Result<Seller> load_seller(Session& session, const SellerId& id) {
    auto row = session.select_one(seller_columns, "FROM sellers WHERE seller_id = ?", {id});
    if (!row) return Error{Errc::not_found, "there is no seller " + id.value()};
    return seller_of(std::move(*row));
}

std::vector<Seller> load_sellers(Session& session, std::optional<SellerStatus> status, std::int64_t offset, int limit) {
    auto values = status ? Values{*status} : Values{};
    values.insert(values.end(), {limit, offset});
    const auto rest = "FROM sellers " + of_status(status) + "ORDER BY seller_id LIMIT ? OFFSET ?";
    std::vector<Seller> sellers;
    for (auto& row : session.select(seller_columns, rest, values)) sellers.push_back(seller_of(std::move(row)));
    return sellers;
}

std::int64_t count_sellers(Session& session, std::optional<SellerStatus> status) {
    return session.number("COUNT(*) FROM sellers " + of_status(status), status ? Values{*status} : Values{});
}

void insert_seller(Session& session, const Seller& seller) {
    session.insert("sellers", seller_columns, {row_of(seller.state())});
}

Result<> update_seller(Session& session, const Seller& seller) {
    return update(session, "sellers", seller_columns, seller.state(), seller.state().id);
}

Result<CrawlingSchedule> load_schedule(Session& session, const SellerId& seller, ForUpdate lock) {
    auto rest = std::string("FROM crawling_schedules WHERE seller_id = ? ");
    if (lock == ForUpdate::yes) rest += session.dialect().lock_rows();
    auto row = session.select_one(schedule_columns, rest, {seller});
    if (!row) return Error{Errc::not_found, "there is no schedule of seller " + seller.value()};
    return schedule_of(std::move(*row));
}

std::map<SellerId, CrawlingSchedule> load_schedules(Session& session, const std::vector<Seller>& sellers) {
    std::map<SellerId, CrawlingSchedule> schedules;
    if (sellers.empty()) return schedules;
    Values ids;
    for (const auto& seller : sellers) ids.emplace_back(seller.state().id);
    const auto rest = "FROM crawling_schedules WHERE seller_id IN " + placeholders(ids.size());
    for (auto& row : session.select(schedule_columns, rest, ids)) {
        auto schedule = schedule_of(std::move(row));
        schedules.emplace(schedule.state().seller, std::move(schedule));
    }
    return schedules;
}

void insert_schedule(Session& session, const CrawlingSchedule& schedule) {
    session.insert("crawling_schedules", schedule_columns, {row_of(schedule.state())});
}

Result<> update_schedule(Session& session, const CrawlingSchedule& schedule) {
    return update(session, "crawling_schedules", schedule_columns, schedule.state(), schedule.state().seller);
}

}  // namespace crawler::adapters::sql

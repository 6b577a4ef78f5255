// Sellers and schedules as rows.
#pragma once
#include <map>

#include "adapters/sql/session.hpp"
#include "domain/schedule.hpp"
#include "domain/seller.hpp"

namespace crawler::adapters::sql {

// not_found: there is no such seller.
Result<Seller> load_seller(Session& session, const SellerId& id);
// Those of one status or of all, by id; how many there are.
std::vector<Seller> load_sellers(Session& session, std::optional<SellerStatus> status, std::int64_t offset, int limit);
std::int64_t count_sellers(Session& session, std::optional<SellerStatus> status);
void insert_seller(Session& session, const Seller& seller);
// One revision on. conflict: somebody saved it since it was read. not_found: there is no such seller.
Result<> update_seller(Session& session, const Seller& seller);

Result<CrawlingSchedule> load_schedule(Session& session, const SellerId& seller, ForUpdate lock = ForUpdate::no);
// Of those sellers, by seller id.
std::map<SellerId, CrawlingSchedule> load_schedules(Session& session, const std::vector<Seller>& sellers);
void insert_schedule(Session& session, const CrawlingSchedule& schedule);
Result<> update_schedule(Session& session, const CrawlingSchedule& schedule);

}  // namespace crawler::adapters::sql

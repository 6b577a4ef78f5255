// Sellers and schedules as rows.
#pragma once
#include "adapters/sql/session.hpp"
#include "domain/schedule.hpp"
#include "domain/seller.hpp"

namespace crawler::adapters::sql {

// not_found: there is no such seller.
Result<Seller> load_seller(Session& session, const SellerId& id);
void insert_seller(Session& session, const Seller& seller);
// One revision on. conflict: somebody saved it since it was read. not_found: there is no such seller.
Result<> update_seller(Session& session, const Seller& seller);

Result<CrawlingSchedule> load_schedule(Session& session, const SellerId& seller);
void insert_schedule(Session& session, const CrawlingSchedule& schedule);
Result<> update_schedule(Session& session, const CrawlingSchedule& schedule);

}  // namespace crawler::adapters::sql

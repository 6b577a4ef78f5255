// Raw answers as rows, for the stores that write some or end a claim on one.
#pragma once
#include <vector>

#include "adapters/sql/session.hpp"
#include "domain/crawled_raw.hpp"

namespace crawler::adapters::sql {

extern const Columns raw_columns;
CrawledRaw raw_of(Row row);
void insert_raws(Session& session, const std::vector<CrawledRaw>& raws);
// What became of a claimed raw. conflict: the claim was lost to another, or has ended.
Result<> settle_raw(Session& session, const CrawledRaw& raw);
// For raws that stand in line and cannot be claimed: QUARANTINED, where the row cannot be read; else to where it should have stood.
void quarantine_row(Session& session, const RawId& id, const std::string& why);
void put_in_place(Session& session, const CrawledRaw& raw);
// Those of the answers that are no product's latest any more have come to their end at that time, and may be purged. To be called
// once what took their place is written.
void end_superseded(Session& session, std::vector<RawId> answers, TimePoint at);

}  // namespace crawler::adapters::sql

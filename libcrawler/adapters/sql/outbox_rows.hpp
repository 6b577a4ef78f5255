// Outbox entries as rows, for every store that writes some together with what they tell about.
#pragma once
#include <string_view>
#include <vector>

#include "adapters/sql/session.hpp"
#include "domain/outbox.hpp"

namespace crawler::adapters::sql {

inline constexpr std::string_view task_outbox_table = "crawl_task_outbox";
inline constexpr std::string_view scheduler_outbox_table = "scheduler_outbox";
inline constexpr std::string_view product_outbox_table = "product_outbox";

extern const Columns outbox_columns;  // those that an entry is read from
OutboxEntry outbox_entry(Row row);
void insert_entries(Session& session, std::string_view table, const std::vector<OutboxEntry>& entries);
// Deletes entries of the product outbox that others took the place of. conflict where one was claimed since it was read.
Result<> melt_entries(Session& session, const std::vector<OutboxId>& entries);

// For entries that stand in line and cannot be claimed: DEAD, where the row cannot be read; else to where it should have stood.
void kill_entry(Session& session, std::string_view table, const OutboxId& id, const std::string& why);
void put_in_place(Session& session, std::string_view table, const OutboxEntry& entry);

}  // namespace crawler::adapters::sql

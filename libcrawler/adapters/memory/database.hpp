// The tables behind the memory stores, and what every transaction on them needs: all checks first, then all writes.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "adapters/memory/answer_ends.hpp"
#include "adapters/memory/lane_turns.hpp"
#include "adapters/memory/memory.hpp"
#include "adapters/memory/outbox_table.hpp"

namespace crawler::adapters {

struct LeaseRow {
    std::string holder;  // empty: released
    std::int64_t fence = 0;
    TimePoint until;
};

struct MemoryDatabase::Tables {
    Faults* faults = nullptr;
    std::map<SellerId, Seller> sellers;
    std::map<SellerId, CrawlingSchedule> schedules;
    std::map<std::string, ports::LedgerEntry> ledger;
    std::map<UserAgentId, UserAgent> user_agents;
    std::map<ExecutionId, CrawlingScheduleExecution> executions;
    std::map<ExecutionId, TimePoint> conclude_at;  // of an unproven run that was looked at: when it is due again
    std::map<TaskId, CrawlerTask> tasks;
    OutboxTable task_outbox;
    OutboxTable scheduler_outbox;
    OutboxTable product_outbox;
    std::map<RawId, CrawledRaw> raws;
    LaneTurns<RawId> open_raws;  // PENDING or FAILED
    AnswerEnds answers;          // PROCESSED
    std::map<ItemNo, Product> products;
    std::map<ItemNo, std::map<std::int64_t, ports::ProductChange>> product_history;  // by version
    std::map<std::string, LeaseRow> leases;
    std::map<std::string, PlannedRule> rules;  // by name

    // A raw is stored only by this, which keeps open_raws right.
    void put_raw(CrawledRaw raw);
    // False: there is no such reservation. The first answer holds.
    bool stamp(const ports::LedgerStamp& stamp);
    // conflict unless the stored raw is still under the claim that this copy of it ended.
    Result<> check_claim(const CrawledRaw& raw) const;
};

// conflict where the table has one of the rows already, or two rows share an id.
template <class Table, class Row>
Result<> check_new(const Table& table, const std::vector<Row>& rows) {
    std::set<std::string> ids;
    for (const auto& row : rows) {
        const auto& id = row.state().id;
        if (table.contains(id) || !ids.insert(id.value).second)
            return Error{Errc::conflict, id.value + " is there already"};
    }
    return {};
}

// conflict where the row was saved since this copy of it was read; not_found where there is none.
template <class Key, class Row>
Result<> check_unchanged(const std::map<Key, Row>& table, const Key& key, const Row& row, const std::string& name) {
    const auto stored = table.find(key);
    if (stored == table.end()) return Error{Errc::not_found, "there is no " + name};
    if (stored->second.state().revision != row.state().revision)
        return Error{Errc::conflict, name + " was saved since it was read"};
    return {};
}

// The same row, saved once more.
template <class Row>
Row next_revision(const Row& row) {
    auto state = row.state();
    ++state.revision;
    return Row::restore(std::move(state));
}

}  // namespace crawler::adapters

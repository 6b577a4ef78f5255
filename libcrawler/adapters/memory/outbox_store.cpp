#include <functional>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

// What is done to what an entry is about, once it is SENT or DEAD.
using OnSettled = std::function<void(const OutboxEntry&, TimePoint now)>;

class MemoryOutboxStore final : public ports::OutboxStore {
  public:
    MemoryOutboxStore(MemoryDatabase::Tables& tables, OutboxTable& outbox, OnSettled on_settled)
        : tables_(tables), outbox_(outbox), on_settled_(std::move(on_settled)) {}

    Async<Result<std::vector<OutboxEntry>>> claim(int limit, TimePoint now, Duration lease) override {
        auto body = [&]() -> Result<std::vector<OutboxEntry>> { return outbox_.claim(limit, now, lease); };
        co_return with_faults(tables_.faults, "outbox_store.claim", body);
    }

    Async<Result<std::size_t>> settle(std::vector<OutboxEntry> entries, TimePoint now) override {
        auto body = [&]() -> Result<std::size_t> {
            std::size_t stored = 0;
            for (const auto& entry : entries) {
                if (!outbox_.settle(entry, now)) continue;
                ++stored;
                on_settled_(entry, now);
            }
            return stored;
        };
        co_return with_faults(tables_.faults, "outbox_store.settle", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
    OutboxTable& outbox_;
    OnSettled on_settled_;
};

void nothing_else(const OutboxEntry&, TimePoint) {}

}  // namespace

std::unique_ptr<ports::OutboxStore> make_memory_task_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    auto publish = [&tables](const OutboxEntry& entry, TimePoint now) {
        if (entry.state().status != OutboxStatus::sent) return;
        const auto stored = tables.tasks.find(TaskId{entry.state().subject});
        if (stored == tables.tasks.end()) return;
        auto task = stored->second;
        if (task.publish(now)) stored->second = next_revision(task);  // one that has moved on stays as it is
    };
    return std::make_unique<MemoryOutboxStore>(tables, tables.task_outbox, publish);
}

std::unique_ptr<ports::OutboxStore> make_memory_scheduler_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    auto fail_schedule = [&tables](const OutboxEntry& entry, TimePoint now) {
        if (entry.state().status != OutboxStatus::dead) return;
        const auto seller = SellerId::parse(entry.state().subject);
        const auto stored = seller ? tables.schedules.find(*seller) : tables.schedules.end();
        if (stored == tables.schedules.end() || tables.scheduler_outbox.has_younger(entry)) return;
        auto schedule = stored->second;
        if (schedule.mark_failed(entry.state().error_message, now)) stored->second = next_revision(schedule);
    };
    return std::make_unique<MemoryOutboxStore>(tables, tables.scheduler_outbox, fail_schedule);
}

std::unique_ptr<ports::OutboxStore> make_memory_product_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    return std::make_unique<MemoryOutboxStore>(tables, tables.product_outbox, nothing_else);
}

}  // namespace crawler::adapters

#include <functional>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

using OnSent = std::function<void(const OutboxEntry&, TimePoint now)>;

class MemoryOutboxStore final : public ports::OutboxStore {
  public:
    MemoryOutboxStore(MemoryDatabase::Tables& tables, OutboxTable& outbox, OnSent on_sent)
        : tables_(tables), outbox_(outbox), on_sent_(std::move(on_sent)) {}

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
                if (entry.state().status == OutboxStatus::sent) on_sent_(entry, now);
            }
            return stored;
        };
        co_return with_faults(tables_.faults, "outbox_store.settle", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
    OutboxTable& outbox_;
    OnSent on_sent_;
};

void nothing_else(const OutboxEntry&, TimePoint) {}

}  // namespace

std::unique_ptr<ports::OutboxStore> make_memory_task_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    auto publish = [&tables](const OutboxEntry& entry, TimePoint now) {
        const auto stored = tables.tasks.find(TaskId{entry.state().subject});
        if (stored == tables.tasks.end()) return;
        auto task = stored->second;
        if (task.publish(now)) stored->second = next_revision(task);  // one that has moved on stays as it is
    };
    return std::make_unique<MemoryOutboxStore>(tables, tables.task_outbox, publish);
}

std::unique_ptr<ports::OutboxStore> make_memory_scheduler_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    return std::make_unique<MemoryOutboxStore>(tables, tables.scheduler_outbox, nothing_else);
}

std::unique_ptr<ports::OutboxStore> make_memory_product_outbox(MemoryDatabase& database) {
    auto& tables = database.tables();
    return std::make_unique<MemoryOutboxStore>(tables, tables.product_outbox, nothing_else);
}

}  // namespace crawler::adapters

#include "application/new_tasks.hpp"

namespace crawler::application {

OutboxEntry publication(const CrawlerTask& task, ports::IdGenerator& ids, TimePoint now, Duration wait) {
    const auto& id = task.state().id.value;
    auto key = "outbox-" + id + "-" + std::to_string(task.state().attempt + 1);
    return OutboxEntry::create(ids.make<OutboxId>(), id, id, std::move(key), now, wait);
}

void NewTasks::add(CrawlerTask task, ports::IdGenerator& ids, TimePoint now) {
    outbox.push_back(publication(task, ids, now));
    tasks.push_back(std::move(task));
}

}  // namespace crawler::application

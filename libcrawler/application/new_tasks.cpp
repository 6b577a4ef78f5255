#include "application/new_tasks.hpp"

namespace crawler::application {

void NewTasks::add(CrawlerTask task, ports::IdGenerator& ids, TimePoint now) {
    outbox.push_back(task.publication(ids.make<OutboxId>(), now));
    tasks.push_back(std::move(task));
}

}  // namespace crawler::application

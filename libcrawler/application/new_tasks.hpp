// A task always comes with the outbox entry that will publish it; both are stored in one transaction.
#pragma once
#include <vector>

#include "domain/crawler_task.hpp"
#include "ports/id_generator.hpp"

namespace crawler::application {

struct NewTasks {
    std::vector<CrawlerTask> tasks;
    std::vector<OutboxEntry> outbox;

    void add(CrawlerTask task, ports::IdGenerator& ids, TimePoint now);
};

}  // namespace crawler::application

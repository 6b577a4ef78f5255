// A task always comes with the outbox entry that will publish it; both are stored in one transaction.
#pragma once
#include <vector>

#include "domain/crawler_task.hpp"
#include "domain/outbox.hpp"
#include "ports/id_generator.hpp"

namespace crawler::application {

// The message that publishes the task's next attempt. Its key is the same however often it is sent.
OutboxEntry publication(const CrawlerTask& task, ports::IdGenerator& ids, TimePoint now, Duration wait = {});

struct NewTasks {
    std::vector<CrawlerTask> tasks;
    std::vector<OutboxEntry> outbox;

    void add(CrawlerTask task, ports::IdGenerator& ids, TimePoint now);
};

}  // namespace crawler::application

// Crawler tasks as rows, for every store that writes some.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "adapters/sql/session.hpp"
#include "domain/crawler_task.hpp"

namespace crawler::adapters::sql {

// not_found: there is no such task.
Result<CrawlerTask> load_task(Session& session, const TaskId& id);
void insert_tasks(Session& session, const std::vector<CrawlerTask>& tasks);
// Which of the requests of these tasks other tasks of that run make.
std::set<std::string> asked_already(Session& session, const ExecutionId& run, const std::vector<CrawlerTask>& tasks);
// One revision on. conflict: somebody saved it since it was read. not_found: there is no such task.
Result<CrawlerTask> update_task(Session& session, const CrawlerTask& task);

}  // namespace crawler::adapters::sql

#include "ports/task_store.hpp"

namespace crawler::ports {

void TaskOutcome::drop_repeated(std::set<std::string> asked) {
    std::set<std::string> dropped;
    std::erase_if(follow_ups, [&](const CrawlerTask& next) {
        if (asked.insert(next.state().request_url.text()).second) return false;
        dropped.insert(next.state().id.value);
        return true;
    });
    std::erase_if(outbox, [&](const OutboxEntry& entry) { return dropped.contains(entry.state().subject); });
}

}  // namespace crawler::ports

// worker: takes crawl tasks from the queue, asks the marketplace and stores what it says. Opens sessions for identities that need one.
#include "adapters/system/system.hpp"
#include "application/execute_task.hpp"
#include "application/renew_sessions.hpp"
#include "common/outside.hpp"
#include "coro/together.hpp"
#include "runtime/start.hpp"
#include "worker/config.hpp"

namespace {

using namespace crawler;
using services::WorkerConfig;

int run(const WorkerConfig& config) {
    services::Daemon daemon(config.common, "worker", {ports::Loop::crawl_queue, ports::Loop::sessions});

    // The outside world.
    const auto aws = services::open_aws(config.aws, *daemon.clock, *daemon.ids, daemon.io);
    const auto queue = services::open_queue(config.queue, ports::LineQueue::tasks, aws, daemon);
    const auto identities = services::open_pool(config.pool, daemon);
    const auto http = services::open_http_client(config.http_client, daemon);
    const auto marketplace = services::open_marketplace(config.marketplace, *http);
    const auto tasks = adapters::make_sql_task_store(*daemon.database);
    const auto pause = adapters::make_pause();

    // The work.
    application::SlotShelf slots(*identities, *daemon.clock, config.slots.margin);
    application::ExecuteTask execute(
        {*tasks, *identities, *marketplace, *daemon.ids, *daemon.clock, *pause, *daemon.telemetry}, slots, config.task);
    application::RenewSessions renew({*identities, *marketplace, *daemon.telemetry});

    // The loops.
    const auto handle = [&](ports::Delivery message) { return execute.handle(TaskId{std::move(message.body)}); };
    const auto admit = services::admit_by_slots(slots, *queue, *daemon.clock, config.slots);
    const auto crawl = daemon.loop(ports::Loop::crawl_queue);
    const auto sessions = daemon.loop(ports::Loop::sessions);
    return daemon.run([&](const std::stop_token& stop) {
        return coro::together(runtime::consume(*queue, handle, admit, config.consumer, crawl, stop),
                              runtime::repeat([&] { return renew.run_once(); }, config.sessions, sessions, stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(argc, argv, {"worker", "Crawls the marketplace, task by task, and keeps every answer."},
                          WorkerConfig::read, run);
}

// worker: takes crawl tasks from the queue, asks the marketplace and stores what it says.
#include "application/execute_task.hpp"
#include "common/daemon.hpp"
#include "runtime/consumer.hpp"
#include "runtime/start.hpp"
#include "worker/config.hpp"

namespace {

using namespace crawler;
using services::WorkerConfig;

int run(const WorkerConfig& config) {
    services::Daemon daemon(config.common, "worker", {ports::Loop::crawl_queue}, config.queue.visibility);
    auto& world = daemon.world;

    // The work.
    application::SlotShelf slots(*world.identities, *daemon.clock, config.slot_margin);
    application::ExecuteTask execute(
        {*world.tasks, *world.identities, *world.marketplace, *daemon.ids, *daemon.clock, *daemon.telemetry}, slots,
        config.task);

    // The loop.
    auto handle = [&](ports::Delivery message) { return execute.handle(TaskId{std::move(message.body)}); };
    const auto admit = services::admit_by_slots(slots, *daemon.clock);
    const auto loop = daemon.loop(ports::Loop::crawl_queue);
    return daemon.run(services::Stage::crawl, [&](std::stop_token stop) {
        return runtime::consume(*world.task_queue, handle, admit, config.consumer, loop, std::move(stop));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(argc, argv, {"worker", "Crawls the marketplace, task by task, and keeps every answer."},
                          WorkerConfig::read, run);
}

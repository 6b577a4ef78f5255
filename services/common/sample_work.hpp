// Fills a world of memory with the work that the stages before a daemon would have left for it, by running their use cases.
#pragma once
#include "application/execute_task.hpp"
#include "common/memory_world.hpp"

namespace crawler::services {

class SampleWork {
  public:
    SampleWork(MemoryWorld& world, const adapters::Catalogue& catalogue, const ports::Clock& clock,
               ports::IdGenerator& ids, std::stop_token stop);

    Async<Result<>> put(Stage stage);

  private:
    Async<Result<>> enroll_sellers();
    Async<Result<>> send_triggers();
    Async<Result<>> trigger();
    Async<Result<>> publish_tasks();
    Async<Result<>> execute_tasks();
    Async<Result<>> execute(std::vector<ports::Delivery> deliveries);

    // The sample's own steps are not what the daemon did: nobody hears of them.
    struct Silence : ports::Telemetry {
        void emit(const ports::Event&) noexcept override {}
    };

    MemoryWorld& world_;
    const adapters::Catalogue& catalogue_;
    const ports::Clock& clock_;
    ports::IdGenerator& ids_;
    std::stop_token stop_;
    Silence silence_;
    const std::unique_ptr<ports::Marketplace> marketplace_;  // the same catalogue, without the latency
    application::SlotShelf slots_;
    application::ExecuteTask execute_task_;
};

}  // namespace crawler::services

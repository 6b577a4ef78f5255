// Proves how whole a run is once everything it brought has been worked in, and tells the products that a complete listing lacks. Used by
// product-sync.
#pragma once
#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/run_conclusions.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

class ConcludeRuns {
  public:
    struct Ports {
        ports::RunConclusions& runs;
        ports::ProductStore& products;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        int batch = 20;                            // runs that are looked at per pass
        Duration lease = std::chrono::minutes{5};  // longer than one of them takes; then another replica may look at it
        Duration again =
            std::chrono::seconds{10};  // until the next look at a run of which something is still under way
        // A run that was given up may have tasks that end all the same: they are waited for so long, and then count as not finished.
        Duration late_tasks = std::chrono::hours{24};
        int page = 5000;     // item numbers read at a time
        int delisted = 200;  // products told in one transaction
    };

    ConcludeRuns(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many runs were proven. The proof is stored last: what is cut off before is done again, and the same listing told twice counts
    // once. A run that failed deserves a proof too, though it removes nothing. One that fails to be concluded holds up no other.
    Async<Result<std::size_t>> run_once();

  private:
    using Run = CrawlingScheduleExecution;

    // Whether the run was proven; where not, it is due again later.
    Async<Result<bool>> conclude(Run run);
    bool must_wait(const Run& run, const RunEvidence& evidence) const;
    // How many products were told that the run's listing lacks them, and how many of them are DELETED by that.
    struct Delisted {
        std::size_t told = 0;
        std::size_t deleted = 0;
    };
    Async<Result<Delisted>> delist(Run run, std::set<ItemNo> listed);
    Async<Result<std::size_t>> delist_batch(Run run, std::vector<ItemNo> items);
    Async<Result<std::size_t>> try_delist(Run run, std::vector<ItemNo> items);

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application

// outbox-relay: publishes the tasks that the database says must be published, puts and removes the rules of schedules, deletes what is
// done with, and checks what is stored and how often the marketplace was asked.
#include "common/outside.hpp"
#include "coro/together.hpp"
#include "outbox-relay/config.hpp"
#include "runtime/one_for_all.hpp"
#include "runtime/start.hpp"

namespace {

using namespace crawler;
using services::OutboxRelayConfig;

// A connection for what asks long questions: nobody else waits for it, and it may be silent for longer.
adapters::Database open_for_audits(const OutboxRelayConfig& config, ports::Telemetry& telemetry) {
    auto database = config.common.database;
    database.min_connections = database.max_connections = 1;
    database.read_timeout = config.audit_timeout;
    return runtime::starting("database", [&] { return adapters::open_database(database, telemetry); });
}

int run(const OutboxRelayConfig& config) {
    services::Daemon daemon(config.common, "outbox-relay",
                            {ports::Loop::task_outbox, ports::Loop::scheduler_outbox, ports::Loop::retention,
                             ports::Loop::invariants, ports::Loop::rate_audit});
    auto& database = *daemon.database;
    const auto& clock = *daemon.clock;
    auto& telemetry = *daemon.telemetry;

    // The outside world.
    const auto aws = services::open_aws(config.aws, clock, *daemon.ids, daemon.io);
    const auto queue = services::open_queue(config.queue, ports::LineQueue::tasks, aws, daemon);
    const auto identities = services::open_pool(config.pool, daemon);
    const auto rules = services::open_rules(config.rules, aws, daemon);
    const auto task_outbox = adapters::make_sql_task_outbox(database);
    const auto scheduler_outbox = adapters::make_sql_scheduler_outbox(database);
    const auto retention = adapters::make_sql_retention(database);
    const auto audits = open_for_audits(config, telemetry);
    const auto invariants = adapters::make_sql_invariants(*audits);
    const auto ledger = adapters::make_sql_request_ledger(*audits);

    // The work.
    application::RelayTaskOutbox publish({*task_outbox, *queue, *identities, clock, telemetry}, config.task_outbox);
    application::RelaySchedulerOutbox order({*scheduler_outbox, *rules, clock, telemetry}, config.scheduler_outbox);
    application::PurgeExpired purge({*retention, clock, telemetry}, config.retention);
    application::CheckInvariants check({*invariants, clock, telemetry}, config.invariants);
    application::AuditRate audit({*ledger, clock, telemetry}, config.pool.rules.limits);

    // One replica audits for all: what it finds is the same whoever looks. It goes on for as long as it comes back in time.
    const auto me = daemon.ids->make<ReservationId>().value;
    const auto for_all = [&](const std::string& name, const runtime::PeriodicConfig& loop, runtime::Pass pass) {
        return runtime::one_for_all(identities.leases(), {"relay/" + name, me, loop.interval + loop.interval / 2},
                                    std::move(pass));
    };
    const auto check_for_all = for_all("invariants", config.invariants_loop, [&] { return check.run_once(); });
    const auto audit_for_all = for_all("rate_audit", config.rate_audit_loop, [&] { return audit.run_once(); });

    // The loops.
    const auto tasks = daemon.loop(ports::Loop::task_outbox);
    const auto schedules = daemon.loop(ports::Loop::scheduler_outbox);
    const auto purging = daemon.loop(ports::Loop::retention);
    const auto checking = daemon.loop(ports::Loop::invariants);
    const auto auditing = daemon.loop(ports::Loop::rate_audit);
    return daemon.run([&](const std::stop_token& stop) {
        std::vector<Async<>> loops;
        loops.push_back(runtime::repeat([&] { return publish.run_once(); }, config.loop, tasks, stop));
        loops.push_back(runtime::repeat([&] { return order.run_once(); }, config.loop, schedules, stop));
        loops.push_back(runtime::repeat([&] { return purge.run_once(); }, config.retention_loop, purging, stop));
        loops.push_back(runtime::repeat(check_for_all, config.invariants_loop, checking, stop));
        loops.push_back(runtime::repeat(audit_for_all, config.rate_audit_loop, auditing, stop));
        return coro::together(std::move(loops));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return runtime::start(
        argc, argv,
        {"outbox-relay", "Publishes crawl tasks from the outbox to the task queue, and purges what is done with."},
        OutboxRelayConfig::read, run);
}

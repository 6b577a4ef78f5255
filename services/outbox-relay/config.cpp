#include "outbox-relay/config.hpp"

#include "common/timing.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

namespace {

void read_retention(runtime::Node section, application::RetentionSettings& settings) {
    section.read("batch", settings.batch, between(1, 1000));
    section.read("most_batches", settings.most_batches, between(1, 1000));

    // What went wrong over a weekend can still be looked at, and no entry goes before its task is known to be stuck.
    constexpr std::chrono::days shortest{3};
    constexpr std::chrono::days longest{3650};
    auto age = section.section("age");
    age.read("finished_tasks", settings.age.finished_tasks, between(shortest, longest));
    age.read("sent_tasks", settings.age.sent_tasks, between(shortest, longest));
    age.read("sent_schedules", settings.age.sent_schedules, between(shortest, longest));
    age.read("sent_products", settings.age.sent_products, between(shortest, longest));
    age.read("superseded_raws", settings.age.superseded_raws, between(shortest, longest));
    age.read("ledger_entries", settings.age.ledger_entries, between(shortest, longest));
}

void read_invariants(runtime::Node section, application::CheckInvariants::Settings& settings) {
    section.read("most", settings.most, between(1, 10'000));
    auto patience = section.section("patience");
    patience.read("lease_over", settings.patience.lease_over, between(1s, 24h));
    patience.read("unpublished", settings.patience.unpublished, between(1s, 168h));
    patience.read("run_without_progress", settings.patience.run_without_progress, between(1h, 720h));
}

void check_times(runtime::Node root, const OutboxRelayConfig& config) {
    check_silence(root, config.common,
                  {{"task_outbox", "lease", config.task_outbox.outbox.lease},
                   {"scheduler_outbox", "lease", config.scheduler_outbox.lease}});
    // What is purged neither counts against a limit any more nor can be audited.
    const auto& limits = config.pool.rules.limits;
    const bool is_kept = config.retention.age.ledger_entries >= 2 * (limits.span + limits.guard);
    root.section("retention")
        .section("age")
        .check("ledger_entries", is_kept, "must not be shorter than two of pool.window with pool.guard");
    // Else what was published and never started would look as if it had never been published.
    must_exceed(root, {"retention.age", "sent_tasks", config.retention.age.sent_tasks},
                {"invariants.patience", "run_without_progress", config.invariants.patience.run_without_progress});
}

}  // namespace

OutboxRelayConfig OutboxRelayConfig::read(runtime::Node root) {
    OutboxRelayConfig config;
    read_common(root, config.common);
    read_queue(root.section("queue"), config.queue);
    read_rules(root.section("rules"), config.rules);
    read_aws(root.section("aws"), config.aws);
    read_pool(root.section("pool"), config.pool);
    read_periodic(root.section("loop"), config.loop);

    auto tasks = root.section("task_outbox");
    read_outbox(tasks, config.task_outbox.outbox);
    tasks.read("horizon", config.task_outbox.horizon, between(1s, 1h));
    read_outbox(root.section("scheduler_outbox"), config.scheduler_outbox);

    auto retention = root.section("retention");
    read_periodic(retention.section("loop"), config.retention_loop);
    read_retention(retention, config.retention);

    auto invariants = root.section("invariants");
    read_periodic(invariants.section("loop"), config.invariants_loop);
    read_invariants(invariants, config.invariants);
    invariants.read("read_timeout", config.audit_timeout, between(1s, 1h));

    auto audit = root.section("rate_audit");
    read_periodic(audit.section("loop"), config.rate_audit_loop);
    check_times(root, config);
    return config;
}

}  // namespace crawler::services

#include "outbox-relay/config.hpp"

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

}  // namespace

OutboxRelayConfig OutboxRelayConfig::read(runtime::Node root) {
    OutboxRelayConfig config;
    read_common(root, config.common);
    read_address(root.section("queue"), config.queue);
    read_periodic(root.section("loop"), config.loop);

    read_outbox(root.section("task_outbox"), config.task_outbox);

    auto retention = root.section("retention");
    read_periodic(retention.section("loop"), config.retention_loop);
    read_retention(retention, config.retention);
    return config;
}

}  // namespace crawler::services

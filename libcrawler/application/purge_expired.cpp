#include "application/purge_expired.hpp"

namespace crawler::application {

using ports::Expendable;

Duration RetentionAges::of(Expendable what) const {
    switch (what) {
        case Expendable::finished_tasks:
            return finished_tasks;
        case Expendable::sent_tasks:
            return sent_tasks;
        case Expendable::sent_schedules:
            return sent_schedules;
        case Expendable::sent_products:
            return sent_products;
        case Expendable::superseded_raws:
            return superseded_raws;
        case Expendable::ledger_entries:
            break;
    }
    return ledger_entries;
}

Async<Result<std::size_t>> PurgeExpired::run_once() {
    std::size_t unfinished = 0;
    std::optional<Error> first_failure;
    for (const auto& kind : names(Expendable{})) {
        const auto purged = co_await purge(kind.value);
        if (purged.rows > 0) p_.telemetry.emit(ports::Purged{kind.value, purged.rows});
        if (purged.has_more) unfinished += purged.rows;
        if (purged.failure && !first_failure) first_failure = purged.failure;
    }
    if (first_failure) co_return *first_failure;
    co_return unfinished;
}

Async<PurgeExpired::Purge> PurgeExpired::purge(Expendable what) {
    const auto before = p_.clock.now() - settings_.age.of(what);
    Purge purge;
    for (int batch = 0; batch < settings_.most_batches; ++batch) {
        const auto gone = co_await p_.retention.purge(what, before, settings_.batch);
        if (!gone) {
            purge.failure = gone.error();
            co_return purge;
        }
        purge.rows += *gone;
        purge.has_more = *gone == static_cast<std::size_t>(settings_.batch);
        if (!purge.has_more) break;
    }
    co_return purge;
}

}  // namespace crawler::application

// What the events of the identity pool say, and how an event is told at all. Part of event_specs.cpp.
#pragma once
#include <type_traits>

#include "adapters/telemetry/event_words.hpp"

namespace crawler::adapters {

using namespace ports;
using enum LogLevel;

template <class E>
using Of = std::type_identity<E>;

template <std::same_as<Metric>... More>
EventSpec told(std::string_view event, Severity severity, std::vector<Field> fields, Metric metric, More... more) {
    return {event, std::move(severity), std::move(fields), {std::move(metric), std::move(more)...}, {}};
}

inline EventSpec only_in(Loop loop, EventSpec spec) {
    spec.only_in = loop;
    return spec;
}

inline EventSpec describe(Of<SessionOpened>) {
    using E = SessionOpened;
    return only_in(Loop::sessions,
                   told("session_opened", info, {field("identity_id", &E::identity), field("renewed", &E::renewed)},
                        counter("crawler_sessions_opened_total", "Tokens that identities were given.",
                                {label("renewed", &E::renewed)})));
}

inline EventSpec describe(Of<SessionFailed>) {
    using E = SessionFailed;
    return only_in(Loop::sessions,
                   told("session_failed", warning,
                        {field("identity_id", &E::identity), error_code(&E::error), error_text(&E::error)},
                        counter("crawler_sessions_failed_total", "Tries for a token that failed.",
                                {label("error_code", &E::error)})));
}

inline EventSpec describe(Of<IdentitiesEnrolled>) {
    return told("identities_enrolled", info, {field("count", &IdentitiesEnrolled::count)},
                counter("crawler_identities_enrolled_total", "Identities that were added to the pool.", {},
                        of(&IdentitiesEnrolled::count)));
}

inline EventSpec describe(Of<PoolObserved>) {
    using E = PoolObserved;
    return told(
        "pool_observed", debug,
        {field("total", &E::total), field("available", &E::available), field("suspended", &E::suspended),
         field("blocked", &E::blocked), field("health_min", &E::health_min),
         field("health_average", &E::health_average), field("budget_left", &E::budget_left),
         field("left_this_hour", &E::left_this_hour), field("paused", &E::paused)},
        gauge("crawler_pool_identities", "Identities, blocked ones too.", {}, of(&E::total)),
        gauge("crawler_pool_available_identities", "Identities that may ask.", {}, of(&E::available)),
        gauge("crawler_pool_suspended_identities", "Identities that rest for a while.", {}, of(&E::suspended)),
        gauge("crawler_pool_blocked_identities", "Identities that wait for an operator.", {}, of(&E::blocked)),
        gauge("crawler_pool_health_min", "The health of the least healthy identity.", {}, of(&E::health_min)),
        gauge("crawler_pool_health_average", "The health of all identities on average.", {}, of(&E::health_average)),
        gauge("crawler_pool_budget_left", "Requests that the available identities may still make in their windows.", {},
              of(&E::budget_left)),
        gauge("crawler_pool_left_this_hour", "Requests left of the ceiling that all identities share.", {},
              of(&E::left_this_hour)),
        gauge("crawler_pool_paused", "1 while the breaker lets nobody ask but its probe.", {}, of(&E::paused)));
}

inline EventSpec describe(Of<PoolServed>) {
    using E = PoolServed;
    return told("pool_served", info, {field("by_redis", &E::by_redis), field("why", &E::why)},
                gauge("crawler_pool_served_by_redis",
                      "1 while Redis answers for the identity pool, 0 while the database does.", {}, of(&E::by_redis)),
                counter("crawler_pool_handovers_total",
                        "How often the identity pool went to Redis, or from there to the database.",
                        {label("to_redis", &E::by_redis)}));
}

inline EventSpec describe(Of<RateAudited>) {
    using E = RateAudited;
    return told(
        "rate_audited", {info, {raised(warning, "unproven", &E::unproven), raised(error, "broken", &E::broken)}},
        {field("identities", &E::identities), field("requests", &E::requests),
         field("most_possible", &E::most_possible), field("unproven", &E::unproven), field("broken", &E::broken)},
        gauge("crawler_rate_audit_worst_requests",
              "The most requests of one identity that can have arrived within the span of the limit.", {},
              of(&E::most_possible)),
        gauge("crawler_rate_audit_unproven_identities", "Identities whose limit the ledger does not prove.", {},
              of(&E::unproven)),
        gauge("crawler_rate_audit_broken_identities", "Identities whose limit was broken for certain.", {},
              of(&E::broken)));
}

inline EventSpec describe(Of<SlotUnreported>) {
    using E = SlotUnreported;
    return told("slot_unreported", warning, {error_code(&E::error), error_text(&E::error)},
                counter("crawler_slots_unreported_total", "Requests whose outcome the identity pool was not told.",
                        {label("error_code", &E::error)}));
}

}  // namespace crawler::adapters

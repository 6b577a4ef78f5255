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

// What the events of the queues say. Part of event_specs.cpp.
#pragma once
#include "adapters/telemetry/event_specs_of_pool.hpp"

namespace crawler::adapters {

inline EventSpec describe(Of<MessagesSent>) {
    using E = MessagesSent;
    const auto queue = label("queue", &E::queue);
    return told(
        "messages_sent", {debug, {raised(warning, "refused", &E::refused)}},
        {field("queue", &E::queue), field("accepted", &E::accepted), field("refused", &E::refused)},
        counter("crawler_queue_sent_messages_total", "Messages that a queue took from us.", {queue}, of(&E::accepted)),
        counter("crawler_queue_refused_messages_total", "Messages that a queue did not take.", {queue},
                of(&E::refused)));
}

inline EventSpec describe(Of<MessagesReceived>) {
    using E = MessagesReceived;
    const auto queue = label("queue", &E::queue);
    return told(
        "messages_received", debug,
        {field("queue", &E::queue), field("count", &E::count), field("again", &E::again),
         field("oldest_seconds", &E::oldest)},
        counter("crawler_queue_received_messages_total", "Messages received.", {queue}, of(&E::count)),
        counter("crawler_queue_redelivered_messages_total", "Messages received, not for the first time.", {queue},
                of(&E::again)),
        gauge("crawler_queue_oldest_received_age_seconds",
              "How long the oldest message of the latest receive had been in the queue.", {queue}, of(&E::oldest)));
}

inline EventSpec describe(Of<QueueObserved>) {
    using E = QueueObserved;
    const auto queue = label("queue", &E::queue);
    return told("queue_observed", debug,
                {field("queue", &E::queue), field("waiting", &E::waiting), field("in_flight", &E::in_flight),
                 field("dead", &E::dead)},
                gauge("crawler_queue_waiting_messages", "Messages that may be received.", {queue}, of(&E::waiting)),
                gauge("crawler_queue_in_flight_messages", "Messages somebody works on, or that were put off.", {queue},
                      of(&E::in_flight)),
                gauge("crawler_queue_dead_messages", "Dead letters; an operator must act.", {queue}, of(&E::dead)));
}

}  // namespace crawler::adapters

#include "queue_commands.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "coro/block_on.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;

constexpr int most_at_once = 500;

// One queue, for as long as the command runs.
class Desk {
  public:
    Desk(const QueuePlace& place, const std::string& queue) : door_(place), desk_(door_.desk(queue)) {}

    ports::QueueDepth depth() { return done(desk_->depth()); }
    std::vector<ports::StoredMessage> peek(ports::QueuePart part, int limit) { return done(desk_->peek(part, limit)); }
    std::size_t redrive(int limit) {
        return in_parts(limit, [this](int few) { return done(desk_->redrive(few)); });
    }
    std::size_t purge(ports::QueuePart part, int limit) {
        return in_parts(limit, [this, part](int few) { return done(desk_->purge(part, few)); });
    }

  private:
    template <class T>
    T done(Async<Result<T>> work) {
        auto result = coro::block_on(door_.io, std::move(work));
        if (!result) throw std::runtime_error(result.error().detail);
        return *std::move(result);
    }
    template <class Step>
    static std::size_t in_parts(int limit, Step step) {
        std::size_t all = 0;
        for (auto left = limit; left > 0;) {
            const auto count = step(std::min(left, most_at_once));
            if (count == 0) break;
            all += count;
            left -= static_cast<int>(count);
        }
        return all;
    }

    QueueDoor door_;
    std::unique_ptr<ports::QueueDesk> desk_;
};

json::value or_null(const std::optional<TimePoint>& time) {
    return time ? json::value(to_rfc3339(*time)) : json::value(nullptr);
}

json::object as_json(const ports::StoredMessage& m) {
    return {{"id", m.message_id},
            {"group", m.group},
            {"sentAt", to_rfc3339(m.sent_at)},
            {"receiveCount", m.receive_count},
            {"inFlightUntil", or_null(m.in_flight_until)},
            {"diedAt", or_null(m.died_at)},
            {"body", m.body}};
}

std::string state_of(const ports::StoredMessage& m, ports::QueuePart part) {
    if (part == ports::QueuePart::dead && !m.died_at) return "dead";  // SQS does not say since when
    if (m.died_at) return "dead since " + to_rfc3339(*m.died_at);
    if (m.in_flight_until) return "in flight until " + to_rfc3339(*m.in_flight_until);
    return "waiting";
}

int tell_count(const QueueChoice& choice, const char* done, std::size_t count) {
    if (choice.format == Format::json) {
        std::cout << json::object{{"queue", choice.queue}, {done, count}} << "\n";
    } else {
        std::cout << choice.queue << ": " << count << " " << done << "\n";
    }
    return 0;
}

}  // namespace

int show_queues(const QueuePlace& place, const std::vector<std::string>& queues, Format format) {
    json::array list;
    bool has_dead = false;
    if (format == Format::table)
        std::cout << std::left << std::setw(34) << "queue" << std::right << std::setw(10) << "waiting" << std::setw(12)
                  << "in flight" << std::setw(8) << "dead"
                  << "\n";
    for (const auto& queue : queues) {
        const auto depth = Desk(place, queue).depth();
        has_dead = has_dead || depth.dead > 0;
        list.push_back(json::object{
            {"queue", queue}, {"waiting", depth.waiting}, {"inFlight", depth.in_flight}, {"dead", depth.dead}});
        if (format == Format::table)
            std::cout << std::left << std::setw(34) << queue << std::right << std::setw(10) << depth.waiting
                      << std::setw(12) << depth.in_flight << std::setw(8) << depth.dead << "\n";
    }
    if (format == Format::json) std::cout << list << "\n";
    return has_dead ? 1 : 0;
}

int peek_queue(const QueueChoice& choice) {
    json::array list;
    for (const auto& message : Desk(choice.place, choice.queue).peek(choice.part, choice.limit)) {
        list.push_back(as_json(message));
        if (choice.format == Format::table)
            std::cout << message.message_id << "  sent " << to_rfc3339(message.sent_at) << ", received "
                      << message.receive_count << (message.receive_count == 1 ? " time" : " times") << ", "
                      << state_of(message, choice.part) << (message.group.empty() ? "" : ", group " + message.group)
                      << "\n    " << message.body << "\n";
    }
    if (choice.format == Format::json) {
        std::cout << list << "\n";
    } else if (list.empty()) {
        std::cout << choice.queue << ": nothing\n";
    }
    return 0;
}

int redrive_queue(const QueueChoice& choice) {
    return tell_count(choice, "redriven", Desk(choice.place, choice.queue).redrive(choice.limit));
}

int purge_queue(const QueueChoice& choice) {
    return tell_count(choice, "purged", Desk(choice.place, choice.queue).purge(choice.part, choice.limit));
}

}  // namespace crawler::ctl

// The steps that the suites about queues share. `Fixture` is a queue fixture.
#pragma once
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "contract/quirks.hpp"
#include "ports/queue_desk.hpp"

namespace crawler::test {

using Bodies = std::vector<std::string>;

template <class Fixture>
void send(Fixture& f, std::vector<ports::OutgoingMessage> messages) {
    const auto count = messages.size();
    auto sent = f.run(f.queue->send(std::move(messages)));
    REQUIRE(sent);
    REQUIRE(sent->size() == count);
    for (const auto& one : *sent) REQUIRE(one);
}

template <class Fixture>
std::vector<ports::Delivery> receive(Fixture& f, int limit = 10, Duration wait = {}) {
    auto received = f.run(f.queue->receive(limit, wait));
    REQUIRE(received);
    return *received;
}

template <class Fixture>
ports::Delivery receive_one(Fixture& f) {
    auto received = receive(f, 1);
    REQUIRE(received.size() == 1);
    return received.front();
}

// Makes a dead letter of what is received next.
template <class Fixture>
void kill_one(Fixture& f) {
    for (int i = 0; i < f.max_receive_count; ++i)
        REQUIRE(f.run(f.queue->retry_after(receive_one(f).receipt, Duration{0})));
}

template <class Message>
Bodies bodies(const std::vector<Message>& messages) {
    Bodies bodies;
    for (const auto& message : messages) bodies.push_back(message.body);
    return bodies;
}

template <class Fixture>
ports::QueueDepth depth(Fixture& f) {
    f.let_it_count();
    auto depth = f.run(f.queue->depth());
    REQUIRE(depth);
    return *depth;
}

// In virtual time exactly so long. In real time no less, but for what clocks round, and not so long as the 20 s that nothing but the
// end of a long poll takes.
template <class Fixture>
bool lasted(Duration took, Duration expected) {
    if constexpr (requires { Fixture::takes_real_time; }) {
        return took >= expected - std::chrono::milliseconds{100} && took < expected + std::chrono::seconds{15};
    } else {
        return took == expected;
    }
}

}  // namespace crawler::test

// A pause that remembers how long it was, in virtual time.
#pragma once
#include <vector>

#include "coro/sleep.hpp"
#include "ports/pause.hpp"

namespace crawler::test {

struct RememberedPause final : ports::Pause {
    std::vector<Duration> passed;

    Async<> pass(Duration length) override {
        passed.push_back(length);
        co_await coro::sleep(length);
    }
};

}  // namespace crawler::test

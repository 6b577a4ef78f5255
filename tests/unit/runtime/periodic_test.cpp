#include "runtime/periodic.hpp"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <vector>

#include "loop_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// A pass that takes its time and gives the results it was told to, then nothing to do for ever.
struct ScriptedPass {
    std::vector<Result<std::size_t>> results;
    std::chrono::nanoseconds length{};
    std::vector<std::chrono::nanoseconds> begun{};
    std::size_t finished = 0;

    runtime::Pass on(LoopWorld& w) {
        return [this, &w] { return once(w); };
    }
    Async<Result<std::size_t>> once(LoopWorld& w) {
        const auto index = begun.size();
        begun.push_back(w.time.elapsed());
        co_await coro::sleep(length);
        ++finished;
        if (index < results.size()) co_return results[index];
        co_return std::size_t{0};
    }
};

constexpr runtime::PeriodicConfig config{.interval = 10s, .error_wait = 30s, .drain = 20s};

Async<Result<std::size_t>> throwing() {
    throw std::runtime_error("broken pass");
    co_return std::size_t{0};
}

}  // namespace

TEST_CASE("periodic: while there is work the passes follow each other, then it pauses") {
    LoopWorld w;
    ScriptedPass pass{.results = {std::size_t{5}, std::size_t{1}, std::size_t{0}}};
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);

    w.time.advance(25s);

    CHECK(pass.begun == std::vector<std::chrono::nanoseconds>{0s, 0s, 0s, 10s, 20s});
    w.stop_and_finish(ended);
}

TEST_CASE("periodic: a pass that fails is told and tried again after a longer pause") {
    LoopWorld w;
    ScriptedPass pass{.results = {Error{Errc::unavailable, "no database"}}};
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);

    w.time.advance(35s);

    CHECK(pass.begun == std::vector<std::chrono::nanoseconds>{0s, 30s});
    const auto failures = w.events<ports::LoopFailed>();
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].error == Error{Errc::unavailable, "no database"});
    w.stop_and_finish(ended);
}

TEST_CASE("periodic: an exception out of a pass does not end the loop") {
    LoopWorld w;
    Ended<void> ended;
    start(w.io, runtime::repeat(throwing, config, w.loop(), w.stop.get_token()), ended);

    w.time.advance(61s);

    const auto crashes = w.events<ports::LoopCrashed>();
    CHECK(crashes.size() == 3);
    CHECK(crashes.at(0).what == "broken pass");
    w.stop_and_finish(ended);
}

TEST_CASE("periodic: a stop during the pause ends the loop at once") {
    LoopWorld w;
    ScriptedPass pass;
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);
    w.time.advance(3s);

    w.stop.request_stop();
    w.time.advance(0s);

    CHECK(ended.done);
    CHECK(pass.begun.size() == 1);
}

TEST_CASE("periodic: a stop during a pass lets it finish, and no other begins") {
    LoopWorld w;
    ScriptedPass pass{.results = {std::size_t{1}, std::size_t{1}}, .length = 5s};
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);
    w.time.advance(2s);

    w.stop.request_stop();
    w.time.advance(1h);

    CHECK(ended.done);
    CHECK(pass.begun.size() == 1);
    CHECK(pass.finished == 1);
    CHECK(w.events<ports::LoopDrained>().at(0).cut == 0);
}

TEST_CASE("periodic: a pass that does not finish within the drain is let go") {
    LoopWorld w;
    ScriptedPass pass{.length = 1h};
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);
    w.time.advance(1s);

    w.stop.request_stop();
    w.time.advance(20s);

    CHECK(ended.done);
    CHECK(pass.finished == 0);
    CHECK(w.events<ports::LoopDrained>().at(0).cut == 1);
}

TEST_CASE("periodic: the pulse beats with every pass, also with one that fails") {
    LoopWorld w;
    ScriptedPass pass{.results = {Error{Errc::unavailable, "no database"}}};
    Ended<void> ended;
    start(w.io, runtime::repeat(pass.on(w), config, w.loop(), w.stop.get_token()), ended);

    w.time.advance(30s);

    CHECK(w.pulse.silence() == 0s);
    w.stop_and_finish(ended);
}

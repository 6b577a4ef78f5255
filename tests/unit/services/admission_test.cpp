// Whether work may be taken off a queue: what is asked of the pool, and how soon it is asked again.
#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/memory.hpp"
#include "common/outside.hpp"
#include "support/clocks.hpp"
#include "support/run.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// Has no slot, and says when it will.
struct SpentPool final : ports::IdentityPool {
    using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

    TimePoint next;
    int asked = 0;

    Async<Result<Reservation>> reserve() override {
        ++asked;
        co_return Reservation(ports::NextSlotAt{next});
    }
    Async<Result<>> report(ports::Slot, ports::SlotReport) override { co_return Result<>{}; }
    Async<Result<Reservation>> reserve_for_session() override { co_return Reservation(ports::NextSlotAt{next}); }
    Async<Result<>> report_session(ports::Slot, Result<Secret>) override { co_return Result<>{}; }
    Async<Result<ports::PoolView>> look(Duration) override { co_return ports::PoolView{}; }
};

struct AdmissionWorld {
    boost::asio::io_context io{1};
    coro::VirtualTime time{io};
    VirtualClock clock{time};
    std::unique_ptr<adapters::MemoryQueue> queue =
        adapters::make_memory_queue({.visibility = 30s, .max_receive_count = 3}, clock, io.get_executor());
    SpentPool pool;
    application::SlotShelf slots{pool, clock, 30s};
    services::SlotsConfig config{.idle = 700ms, .look_again = 30s};

    void send_one() {
        std::vector<ports::OutgoingMessage> messages;
        messages.push_back({.body = "m", .group = {}, .deduplication_id = {}});
        REQUIRE(run(io, time, queue->send(std::move(messages))));
    }
    runtime::Admission admission() {
        const auto admit = services::admit_by_slots(slots, *queue, clock, config);
        const auto answer = run(io, time, admit(1));
        REQUIRE(answer);
        return *answer;
    }
};

}  // namespace

TEST_CASE("admission: while there is nothing to do no slot is asked for") {
    AdmissionWorld w;

    const auto admission = w.admission();

    CHECK(admission.allowed == 0);
    CHECK(admission.ask_again == 700ms);
    CHECK(w.pool.asked == 0);
}

TEST_CASE("admission: a pool without a slot is asked again when it says") {
    AdmissionWorld w;
    w.send_one();
    w.pool.next = w.clock.now() + 12s;

    const auto admission = w.admission();

    CHECK(admission.allowed == 0);
    CHECK(admission.ask_again == 12s);
}

TEST_CASE("admission: however late the next slot, the pool is asked again soon: somebody may bring identities back") {
    AdmissionWorld w;
    w.send_one();
    w.pool.next = w.clock.now() + 1h;

    CHECK(w.admission().ask_again == 30s);
}

TEST_CASE("admission: a pool whose next slot is overdue is not stormed") {
    AdmissionWorld w;
    w.send_one();
    w.pool.next = w.clock.now() - 1s;

    CHECK(w.admission().ask_again > 0s);
}

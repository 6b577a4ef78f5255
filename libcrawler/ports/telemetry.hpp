// Everything this system tells about itself: the one list of events. Each becomes one JSON log line and moves its metrics.
#pragma once
#include <cstdint>
#include <string>
#include <variant>

#include "domain/crawler_task.hpp"
#include "domain/ids.hpp"
#include "domain/product.hpp"
#include "ports/queue_events.hpp"
#include "ports/retention.hpp"

namespace crawler::ports {

// The loops of all daemons; a label, so an enum.
enum class Loop {
    trigger_queue,
    scheduler,
    task_outbox,
    scheduler_outbox,
    retention,
    crawl_queue,
    sessions,
    raw_intake,
    product_outbox,
    conclusions,
    invariants,
    rate_audit
};
constexpr auto names(Loop) {
    return std::to_array<EnumName<Loop>>({{Loop::trigger_queue, "trigger_queue"},
                                          {Loop::scheduler, "scheduler"},
                                          {Loop::task_outbox, "task_outbox"},
                                          {Loop::scheduler_outbox, "scheduler_outbox"},
                                          {Loop::retention, "retention"},
                                          {Loop::crawl_queue, "crawl_queue"},
                                          {Loop::sessions, "sessions"},
                                          {Loop::raw_intake, "raw_intake"},
                                          {Loop::product_outbox, "product_outbox"},
                                          {Loop::conclusions, "conclusions"},
                                          {Loop::invariants, "invariants"},
                                          {Loop::rate_audit, "rate_audit"}});
}

// What a consumer did with a delivery.
enum class Settled { acked, retried, abandoned };
constexpr auto names(Settled) {
    return std::to_array<EnumName<Settled>>(
        {{Settled::acked, "acked"}, {Settled::retried, "retried"}, {Settled::abandoned, "abandoned"}});
}

// clang-format off: one event, one line

// The daemon's life.
struct ServiceStarted { std::string version; std::uint16_t port = 0; std::string world; };  // world: which adapters surround it
struct ServiceStopping { std::string reason; };
struct ServiceStopped { Duration took{}; };
struct ServiceFailed { std::string what; };
struct HttpServerFailed { std::string what; };  // a request that crashed, or connections that cannot be accepted

// Any loop.
struct LoopPassed { Loop loop{}; std::size_t work = 0; Duration took{}; };
struct LoopFailed { Loop loop{}; Error error; };
struct LoopCrashed { Loop loop{}; std::string what; };                    // an exception that nobody expected
struct LoopDrained { Loop loop{}; std::size_t cut = 0; Duration took{}; };  // after stop; `cut` pieces of work were let go
struct InFlight { Loop loop{}; std::size_t count = 0; };
struct DeliverySettled { Loop loop{}; std::string message_id; Settled settled{}; Duration took{}; };
struct DeliveryLost { Loop loop{}; std::string message_id; Error error; };  // settled too late, or not at all

// The line.
struct CrawlTriggered { ExecutionId execution; SellerId seller; std::int64_t products = 0; std::size_t tasks = 0; };
struct CrawlRefused { std::string seller; Error error; };
struct CrawlDelayed { std::string seller; Error error; Duration wait{}; };  // the marketplace did not say how much there is to crawl
struct ScheduleFailed { std::string seller; std::string rule; Error error; };  // its rule could not be put or removed in the end
struct RulesChanged { std::size_t put = 0; std::size_t removed = 0; std::size_t retried = 0; };
struct PublishingHeldBack { bool held = false; std::int64_t servable = 0; std::int64_t waiting = 0; };  // told when it changes
struct TasksPublished { std::size_t sent = 0; std::size_t retried = 0; std::size_t dead = 0; };
struct TaskSucceeded { TaskId task; TaskType type{}; std::size_t follow_ups = 0; CompletedAs outcome{}; };
struct TaskFailed { TaskId task; TaskType type{}; Error error; bool final = false; };
struct TaskPostponed { TaskId task; TaskType type{}; };  // there was no capacity after all; no retry is burned
struct TransactionRetried { int retry = 0; Error error; Duration wait{}; };  // it lost to another one
struct RowSetAside { std::string row; std::string why; };  // it stood in line and could not be claimed
struct Purged { Expendable what{}; std::size_t rows = 0; };
struct LeaseUnreleased { Error error; };  // it ends by time
struct ClaimsLost { Loop loop{}; std::size_t count = 0; };  // outbox entries that others had claimed before ours were settled
struct SessionOpened { UserAgentId identity; bool renewed = false; };  // never the token itself
struct SessionFailed { UserAgentId identity; Error error; };
struct IdentitiesEnrolled { std::size_t count = 0; };
struct PoolObserved { int total = 0; int available = 0; int suspended = 0; int blocked = 0; int health_min = 0; int health_average = 0; std::int64_t budget_left = 0; std::int64_t left_this_hour = 0; bool paused = false; };  // paused: its breaker is not closed
struct PoolServed { bool by_redis = false; std::string why; };  // who answers for the pool, told when it changes; why it is not Redis
struct RateAudited { std::size_t identities = 0; std::size_t requests = 0; int most_possible = 0; std::size_t unproven = 0; std::size_t broken = 0; };
struct SlotUnreported { Error error; };  // the pool was not told what became of a request
struct RawAbsorbed { RawId raw; std::size_t facets = 0; std::size_t changed = 0; std::size_t refused = 0; };
struct FacetRefused { RawId raw; ItemNo item = 0; std::string why; };  // one of an answer whose others were taken
struct RawQuarantined { RawId raw; Error error; };
struct ProductPushed { OutboxId entry; std::string item; };
struct ProductPushFailed { OutboxId entry; std::string item; Error error; bool final = false; };
// A run of which nothing more will come. `listed`: its listing is complete, so what it lacks was told so; some were deleted by that.
struct RunConcluded { ExecutionId execution; SellerId seller; bool whole = false; bool listed = false; std::int64_t announced = 0; std::int64_t seen = 0; std::int64_t complete = 0; std::size_t delisted = 0; std::size_t deleted = 0; };
struct InvariantBroken { std::string rule; std::string row; std::size_t rows = 0; };  // by this row, and by so many in all
struct InvariantsChecked { std::size_t rules = 0; std::size_t broken = 0; std::size_t violations = 0; };

// clang-format on
using Event =
    std::variant<ServiceStarted, ServiceStopping, ServiceStopped, ServiceFailed, HttpServerFailed, LoopPassed,
                 LoopFailed, LoopCrashed, LoopDrained, InFlight, DeliverySettled, DeliveryLost, MessagesSent,
                 MessagesReceived, QueueObserved, CrawlTriggered, CrawlRefused, CrawlDelayed, ScheduleFailed,
                 RulesChanged, PublishingHeldBack, TasksPublished, TaskSucceeded, TaskFailed, TaskPostponed,
                 TransactionRetried, RowSetAside, Purged, LeaseUnreleased, ClaimsLost, SessionOpened, SessionFailed,
                 IdentitiesEnrolled, PoolObserved, PoolServed, RateAudited, SlotUnreported, RawAbsorbed, FacetRefused,
                 RawQuarantined, ProductPushed, ProductPushFailed, RunConcluded, InvariantBroken, InvariantsChecked>;

class Telemetry {
  public:
    virtual ~Telemetry() = default;
    // Never fails: telling must not change what is told about, nor keep it from unwinding.
    virtual void emit(const Event& event) noexcept = 0;
};

}  // namespace crawler::ports

// What is done with and old enough is deleted, a little at a time. Runs of sellers are kept for ever.
#pragma once
#include "coro/async.hpp"
#include "domain/enum_names.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::ports {

enum class Expendable {
    finished_tasks,   // COMPLETED or FAILED, of a run that is over and proven
    sent_tasks,       // SENT entries of the task outbox ...
    sent_schedules,   // ... of the scheduler outbox ...
    sent_products,    // ... and of the product outbox
    superseded_raws,  // PROCESSED, no product's latest answer, and of no run that has yet to be proven
    ledger_entries,   // reserved so long ago that no window and no audit looks at them
};
constexpr auto names(Expendable) {
    return std::to_array<EnumName<Expendable>>({{Expendable::finished_tasks, "finished_tasks"},
                                                {Expendable::sent_tasks, "sent_tasks"},
                                                {Expendable::sent_schedules, "sent_schedules"},
                                                {Expendable::sent_products, "sent_products"},
                                                {Expendable::superseded_raws, "superseded_raws"},
                                                {Expendable::ledger_entries, "ledger_entries"}});
}

class Retention {
  public:
    virtual ~Retention() = default;

    // Deletes up to `limit` of what came to its end before `before`, oldest first; how many. Fewer than the limit: there is no
    // more. Holds up nobody for long.
    virtual Async<Result<std::size_t>> purge(Expendable what, TimePoint before, int limit) = 0;
};

}  // namespace crawler::ports

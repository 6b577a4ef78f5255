#include "application/execute_task.hpp"

#include "application/new_tasks.hpp"
#include "application/slot_outcome.hpp"

namespace crawler::application {

Async<Result<ports::Disposition>> ExecuteTask::handle(TaskId id) {
    auto slot = slots_.take();
    if (!slot) co_return ports::RetryAfter{settings_.soon};

    auto task = co_await p_.tasks.load(id);
    if (!task && task.error().code != Errc::not_found) {
        slots_.put_back(std::move(*slot));
        co_return task.error();
    }
    const auto now = p_.clock.now();
    if (!task || !task->start(now, settings_.lease)) {
        slots_.put_back(std::move(*slot));
        if (task && task->awaits_publication()) co_return ports::RetryAfter{settings_.soon};
        // Another worker is at it; if it dies, this message is what brings the task back.
        if (const auto until = task ? task->busy_until(now) : std::nullopt) co_return ports::RetryAfter{*until - now};
        co_return ports::Ack{};  // gone or done: a second delivery
    }
    auto claimed = co_await p_.tasks.save(std::move(*task));
    if (!claimed) {
        slots_.put_back(std::move(*slot));
        if (claimed.error().code == Errc::conflict) co_return ports::Ack{};
        co_return claimed.error();
    }

    auto page = co_await crawl(*claimed, std::move(*slot));
    if (!page) co_return co_await give_up(std::move(*claimed), page.error());
    co_return co_await complete(std::move(*claimed), std::move(*page));
}

Async<Result<ports::Page>> ExecuteTask::crawl(CrawlerTask task, ports::Slot slot) {
    auto page = co_await p_.marketplace.fetch(std::move(task), slot);
    const auto reported = co_await p_.identities.report(std::move(slot), slot_outcome(page));
    // The pool's leases mend a missing report; a good answer is not thrown away for it.
    if (!reported) p_.telemetry.emit(ports::SlotUnreported{reported.error()});
    co_return page;
}

Async<Result<ports::Disposition>> ExecuteTask::complete(CrawlerTask task, ports::Page page) {
    const auto now = p_.clock.now();
    if (const auto completed = task.complete(now); !completed) co_return completed.error();

    NewTasks next;
    for (auto& follow_up : page.follow_ups) {
        auto created = CrawlerTask::create(p_.ids.make<TaskId>(), task.state().execution, task.state().seller,
                                           follow_up.type, std::move(follow_up.request_url), now);
        next.add(std::move(created), p_.ids, now);
    }
    CrawledRaw raw{.id = p_.ids.make<RawId>(),
                   .task = task.state().id,
                   .seller = task.state().seller,
                   .type = task.state().type,
                   .fetched_at = now,
                   .http_status = page.http_status,
                   .body = std::move(page.body)};

    const auto event = ports::TaskSucceeded{task.state().id, task.state().type, next.tasks.size()};
    ports::TaskOutcome outcome{std::move(task), {}, std::move(next.tasks), std::move(next.outbox)};
    outcome.raws.push_back(std::move(raw));
    const auto stored = co_await p_.tasks.finish(std::move(outcome));
    if (!stored) co_return stored.error();
    p_.telemetry.emit(event);
    co_return ports::Ack{};
}

// The message has done its duty either way: a retry is a new outbox entry, stored with the task's state.
Async<Result<ports::Disposition>> ExecuteTask::give_up(CrawlerTask task, Error why) {
    const auto now = p_.clock.now();
    const auto wait = task.fail(why, settings_.retry, now);
    if (!wait) co_return wait.error();

    const auto event = ports::TaskFailed{task.state().id, task.state().type, why, !wait->has_value()};
    ports::TaskOutcome outcome{std::move(task), {}, {}, {}};
    if (*wait) outcome.outbox.push_back(publication(outcome.task, p_.ids, now, **wait));
    const auto stored = co_await p_.tasks.finish(std::move(outcome));
    if (!stored) co_return stored.error();
    p_.telemetry.emit(event);
    co_return ports::Ack{};
}

}  // namespace crawler::application

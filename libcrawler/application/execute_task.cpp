#include "application/execute_task.hpp"

#include "application/new_tasks.hpp"
#include "codec/sha256.hpp"

namespace crawler::application {

Async<Result<ports::Disposition>> ExecuteTask::handle(TaskId id) {
    auto slot = co_await attempt_.find_slot();
    // Between our look at the task and our claim somebody may save it: another worker, or the relay, who notes that it has sent this very
    // message. Only a second look tells which.
    constexpr int most_looks = 3;
    for (int look = 0; look < most_looks; ++look) {
        auto claimed = co_await claim(id);
        if (!claimed && claimed.error().code == Errc::conflict) continue;
        if (claimed && claimed->is_ours) co_return co_await begin(std::move(*claimed->task), std::move(slot));

        put_back(std::move(slot));
        if (!claimed) co_return claimed.error();
        auto& task = claimed->task;
        // Another worker is at it; if it dies, this message is what brings the task back.
        const auto now = p_.clock.now();
        if (const auto until = task ? task->busy_until(now) : std::nullopt) co_return ports::RetryAfter{*until - now};
        if (task && !task->is_terminal()) co_return co_await abandon(std::move(*task));
        co_return ports::Ack{};  // gone or done: a second delivery
    }
    put_back(std::move(slot));
    co_return ports::RetryAfter{settings_.soon};
}

Async<Result<ExecuteTask::Claimed>> ExecuteTask::claim(TaskId id) {
    auto task = co_await p_.tasks.load(std::move(id));
    if (!task && task.error().code == Errc::not_found) co_return Claimed{};
    if (!task) co_return task.error();
    const auto now = p_.clock.now();
    // That the message is there proves that it was published, whether or not the relay lived to note it. (An old message that comes
    // again may bring a retry forward: it costs the task nothing but the rest of its wait.)
    if (task->awaits_publication()) (void)task->publish(now);
    if (!task->start(now, settings_.lease)) co_return Claimed{.task = std::move(*task)};
    auto saved = co_await p_.tasks.save(std::move(*task));
    if (!saved) co_return saved.error();
    co_return Claimed{.task = std::move(*saved), .is_ours = true};
}

Async<Result<ports::Disposition>> ExecuteTask::begin(CrawlerTask task, std::optional<ports::Slot> slot) {
    // What was reserved too long ago must not be sent with; nothing was asked, so no retry is burned.
    if (!slot || slot->valid_until <= p_.clock.now()) co_return co_await postpone(std::move(task));
    co_return co_await work_on(std::move(task), std::move(*slot));
}

Async<Result<ports::Disposition>> ExecuteTask::work_on(CrawlerTask task, ports::Slot slot) {
    Attempt::Ask<ports::Page> ask = [this, &task](ports::Slot with) {
        return p_.marketplace.fetch(task, std::move(with));
    };
    Attempt::Question question{task.type(), task.state().id.value, *task.state().lease_until};
    auto answer = co_await attempt_.make(std::move(ask), std::move(question), std::move(slot));
    if (answer.what) co_return co_await complete(std::move(task), *std::move(answer.what), answer.at);
    if (answer.step == NextStep::complete_as_gone) co_return co_await complete_as_gone(std::move(task), answer.at);
    co_return co_await fail(std::move(task), answer.what.error());
}

void ExecuteTask::put_back(std::optional<ports::Slot> slot) {
    if (slot) slots_.put_back(std::move(*slot));
}

// Who had it is gone. That costs a retry, so that a task which kills its worker comes to an end.
Async<Result<ports::Disposition>> ExecuteTask::abandon(CrawlerTask task) {
    const auto now = p_.clock.now();
    const auto wait = task.abandon(settings_.retry, now);
    if (!wait) co_return wait.error();
    Error why{Errc::timeout, task.state().error_message};
    co_return co_await finish_failed(std::move(task), std::move(why), *wait, now);
}

Async<Result<ports::Disposition>> ExecuteTask::complete(CrawlerTask task, ports::Page page, TimePoint fetched_at) {
    const auto now = p_.clock.now();
    if (const auto completed = task.complete(now); !completed) co_return completed.error();

    NewTasks next;
    for (auto& url : page.follow_ups) {
        auto created = CrawlerTask::create(p_.ids.make<TaskId>(), task.state().execution, task.state().seller,
                                           std::move(url), now);
        next.add(std::move(created), p_.ids, now);
    }
    auto raw = kept(task, page.http_status, std::move(page.body), fetched_at);

    auto event = ports::TaskSucceeded{task.state().id, task.type(), 0, CompletedAs::fetched};
    ports::TaskOutcome outcome{std::move(task), {}, std::move(next.tasks), std::move(next.outbox)};
    outcome.raws.push_back(std::move(raw));
    outcome.announced = page.announced;
    const auto added = co_await store(std::move(outcome));
    if (!added) co_return unstored(added.error());
    event.follow_ups = *added;
    p_.telemetry.emit(event);
    co_return ports::Ack{};
}

// That it is gone is an answer too: kept without a body, so that the product hears of it as of any other answer.
Async<Result<ports::Disposition>> ExecuteTask::complete_as_gone(CrawlerTask task, TimePoint fetched_at) {
    const auto completed = task.complete(p_.clock.now(), CompletedAs::gone);
    if (!completed) co_return completed.error();

    const auto event = ports::TaskSucceeded{task.state().id, task.type(), 0, CompletedAs::gone};
    auto raw = kept(task, 404, {}, fetched_at);
    ports::TaskOutcome outcome{std::move(task), {}, {}, {}};
    outcome.raws.push_back(std::move(raw));
    co_return co_await finish(std::move(outcome), event);
}

CrawledRaw ExecuteTask::kept(const CrawlerTask& task, int http_status, std::string body, TimePoint fetched_at) {
    const auto hash = codec::sha256(body);
    return CrawledRaw::keep({.id = p_.ids.make<RawId>(),
                             .task = task.state().id,
                             .seller = task.state().seller,
                             .item = task.state().request_url.item(),
                             .type = task.type(),
                             .fetched_at = fetched_at,
                             .http_status = http_status,
                             .body = std::move(body),
                             .content_hash = hash});
}

// The message has done its duty either way: a retry is a new outbox entry, stored with the task's state.
Async<Result<ports::Disposition>> ExecuteTask::fail(CrawlerTask task, Error why) {
    const auto now = p_.clock.now();
    const auto wait = task.fail(why, settings_.retry, now, why.retry_after.value_or(Duration{0}));
    if (!wait) co_return wait.error();
    co_return co_await finish_failed(std::move(task), std::move(why), *wait, now);
}

Async<Result<ports::Disposition>> ExecuteTask::finish_failed(CrawlerTask task, Error why, std::optional<Duration> wait,
                                                             TimePoint now) {
    const auto event = ports::TaskFailed{task.state().id, task.type(), std::move(why), !wait};
    ports::TaskOutcome outcome{std::move(task), {}, {}, {}};
    if (wait) outcome.outbox.push_back(outcome.task.publication(p_.ids.make<OutboxId>(), now, *wait));
    co_return co_await finish(std::move(outcome), event);
}

Async<Result<ports::Disposition>> ExecuteTask::postpone(CrawlerTask task) {
    const auto now = p_.clock.now();
    if (const auto postponed = task.postpone(now); !postponed) co_return postponed.error();

    const auto event = ports::TaskPostponed{task.state().id, task.type()};
    ports::TaskOutcome outcome{std::move(task), {}, {}, {}};
    outcome.outbox.push_back(outcome.task.publication(p_.ids.make<OutboxId>(), now, settings_.soon));
    co_return co_await finish(std::move(outcome), event);
}

// Told only once it is stored.
Async<Result<ports::Disposition>> ExecuteTask::finish(ports::TaskOutcome outcome, ports::Event event) {
    const auto stored = co_await store(std::move(outcome));
    if (!stored) co_return unstored(stored.error());
    p_.telemetry.emit(event);
    co_return ports::Ack{};
}

// What was answered has been paid for with a slot: it is not thrown away because the database is gone for a moment.
Async<Result<std::size_t>> ExecuteTask::store(ports::TaskOutcome outcome) {
    for (int retries = 0;; ++retries) {
        auto stored = co_await p_.tasks.finish(outcome);
        if (stored || !is_retryable(stored.error().code)) co_return stored;
        const auto wait = settings_.storing.next_wait(retries, outcome.task.state().id.value);
        if (!wait) co_return stored;
        co_await p_.pause.pass(*wait);
    }
}

// Our lease was over and another has taken the task over, or a try to store it happened though its answer was lost: what becomes of
// the task is not ours to say any more, and this message has nothing left to bring back.
Result<ports::Disposition> ExecuteTask::unstored(const Error& why) {
    if (why.code != Errc::conflict) return why;
    p_.telemetry.emit(ports::ClaimsLost{ports::Loop::crawl_queue, 1});
    return ports::Disposition(ports::Ack{});
}

}  // namespace crawler::application

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

constexpr RetryPolicy two_retries{.max_retries = 2};

template <class Stores>
CrawlerTask load(Stores& f, const std::string& id) {
    auto task = f.run(f.tasks->load(TaskId{id}));
    REQUIRE(task);
    return *task;
}

template <class Stores>
CrawlingScheduleExecution::State run_of(Stores& f) {
    return f.run(f.executions->find(ExecutionId{"e-1"}))->state();
}

// t-8 asks for item 8, in the run e-1.
CrawlerTask asking(ItemNo item) {
    return a_task("t-" + std::to_string(item)).asking(a_detail_url(item));
}

// What a completed listing leaves behind.
ports::TaskOutcome completed(CrawlerTask task) {
    REQUIRE(task.complete(t0 + 9s));
    return {task, {a_raw("r-1")}, {asking(8), asking(9)}, {an_entry("o-8", "t-8"), an_entry("o-9", "t-9")}};
}

// True if nothing of `completed` is in the database.
template <class Stores>
bool left_nothing(Stores& f) {
    return code_of(f.run(f.tasks->load(TaskId{"t-8"}))) == "NOT_FOUND" && f.run(f.raws->claim(10, t0, 1s))->empty() &&
           f.run(f.task_outbox->claim(10, t0 + 1h, 1s))->empty() && run_of(f).completed_tasks == 0 &&
           run_of(f).total_tasks == 2;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("task store: a task that is not there is not_found", "[contract][task_store]", StoreFixtures) {
    TestType f;

    CHECK(code_of(f.run(f.tasks->load(TaskId{"t-1"}))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.tasks->save(a_task("t-1")))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.tasks->finish(completed(a_running_task("t-1"))))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("task store: a saved task is loaded as it was saved", "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1")});
    auto task = load(f, "t-1");
    REQUIRE(task.fail({Errc::timeout, "it's late; 늦었다"}, two_retries, t0 + 1s));
    REQUIRE(task.publish(t0 + 2s));
    REQUIRE(task.start(t0 + 3s, 60s));

    REQUIRE(f.run(f.tasks->save(task)));

    auto expected = task.state();
    ++expected.revision;
    CHECK(load(f, "t-1").state() == expected);
    CHECK(expected.error_message == "TIMEOUT: it's late; 늦었다");
}

TEMPLATE_LIST_TEST_CASE("task store: what a task was asked for and what came of it is kept, whatever its type",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    const auto url =
        GENERATE(*RequestUrl::minishop(seller_id("머스트잇"), 12), *RequestUrl::detail(9'007'199'254'740'993),
                 *RequestUrl::option(4711), *RequestUrl::search("스톤 아일랜드"),
                 *RequestUrl::search_next("/v1/search/items?keyword=dmont&previousIdx=0%2C0"));
    start_run(f, "e-1", {a_running_task("t-1").asking(url), a_running_task("t-2")});
    auto task = load(f, "t-1");
    REQUIRE(task.state().request_url == url);
    REQUIRE(task.complete(t0 + 2s, asks_about_item(url.type()) ? CompletedAs::gone : CompletedAs::fetched));

    REQUIRE(f.run(f.tasks->finish({.task = task})));

    auto expected = task.state();
    ++expected.revision;
    CHECK(load(f, "t-1").state() == expected);
}

TEMPLATE_LIST_TEST_CASE("task store: the count of publications is stored with the entry it was counted for",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1")});
    auto task = load(f, "t-1");
    REQUIRE(task.postpone(t0));
    const auto entry = task.publication(OutboxId{"o-2"}, t0);

    REQUIRE(f.run(f.tasks->finish({.task = task, .outbox = {entry}})));

    CHECK(load(f, "t-1").state().publications == 2);
    CHECK(f.run(f.task_outbox->claim(10, t0, 60s))->at(0).state().idempotency_key == "outbox-t-1-2");
}

TEMPLATE_LIST_TEST_CASE("task store: of two who loaded the same task only the first saves", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_task("t-1")});
    auto first = load(f, "t-1");
    auto second = load(f, "t-1");
    REQUIRE(first.publish(t0 + 1s));
    REQUIRE(second.publish(t0 + 2s));

    CHECK(f.run(f.tasks->save(first)));
    CHECK(code_of(f.run(f.tasks->save(second))) == "CONFLICT");
    CHECK(load(f, "t-1").state().updated_at == t0 + 1s);
}

TEMPLATE_LIST_TEST_CASE("task store: what save returns can be saved again without loading", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_task("t-1")});
    auto task = load(f, "t-1");
    REQUIRE(task.publish(t0));
    auto published = f.run(f.tasks->save(task));
    REQUIRE(published);
    CHECK(published->state().revision == task.state().revision + 1);
    REQUIRE(published->start(t0, 60s));

    CHECK(f.run(f.tasks->save(*published)));
    CHECK(load(f, "t-1").state().status == TaskStatus::in_progress);
}

TEMPLATE_LIST_TEST_CASE(
    "task store: a completed task leaves its raw, its follow-ups and their outbox, and counts in its run",
    "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});

    REQUIRE(f.run(f.tasks->finish(completed(load(f, "t-1")))));

    CHECK(load(f, "t-1").state().status == TaskStatus::completed);
    CHECK(load(f, "t-8").state().status == TaskStatus::waiting);
    CHECK(load(f, "t-9").state().status == TaskStatus::waiting);
    CHECK(run_of(f).status == ExecutionStatus::in_progress);
    CHECK(run_of(f).total_tasks == 4);
    CHECK(run_of(f).completed_tasks == 1);
    CHECK(run_of(f).failed_tasks == 0);
    CHECK(run_of(f).updated_at == t0 + 9s);
    CHECK(f.run(f.task_outbox->claim(10, t0, 60s))->size() == 2);
    const auto raw = claim_raw(f);
    CHECK(raw.state().id == RawId{"r-1"});
    CHECK(raw.state().body == "body of r-1");
}

TEMPLATE_LIST_TEST_CASE("task store: a failed task counts as failed in its run", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto task = load(f, "t-1");
    REQUIRE(task.fail({Errc::invalid, "no"}, two_retries, t0));

    REQUIRE(f.run(f.tasks->finish({.task = task})));

    CHECK(load(f, "t-1").state().status == TaskStatus::failed);
    CHECK(run_of(f).failed_tasks == 1);
    CHECK(run_of(f).completed_tasks == 0);
}

TEMPLATE_LIST_TEST_CASE("task store: a task that shall be retried leaves its outbox entry and does not count",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1")});
    auto task = load(f, "t-1");
    REQUIRE(task.fail({Errc::timeout, "late"}, two_retries, t0));

    REQUIRE(f.run(f.tasks->finish({.task = task, .outbox = {an_entry("o-2", "t-1")}})));

    CHECK(load(f, "t-1").state().status == TaskStatus::retry);
    CHECK(run_of(f).status == ExecutionStatus::in_progress);
    CHECK(run_of(f).completed_tasks + run_of(f).failed_tasks == 0);
    CHECK(f.run(f.task_outbox->claim(10, t0, 60s))->size() == 1);
}

TEMPLATE_LIST_TEST_CASE("task store: the last task to finish finishes the run", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto first = load(f, "t-1");
    auto second = load(f, "t-2");
    REQUIRE(first.complete(t0));
    REQUIRE(second.fail({Errc::invalid, "no"}, two_retries, t0));

    REQUIRE(f.run(f.tasks->finish({.task = first})));
    CHECK(run_of(f).status == ExecutionStatus::in_progress);
    REQUIRE(f.run(f.tasks->finish({.task = second})));
    CHECK(run_of(f).status == ExecutionStatus::completed);
}

TEMPLATE_LIST_TEST_CASE("task store: finishing a task that somebody saved since is a conflict and leaves nothing",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    const auto outcome = completed(load(f, "t-1"));
    REQUIRE(f.run(f.tasks->save(load(f, "t-1"))));

    CHECK(code_of(f.run(f.tasks->finish(outcome))) == "CONFLICT");

    CHECK(load(f, "t-1").state().status == TaskStatus::in_progress);
    CHECK(left_nothing(f));
}

TEMPLATE_LIST_TEST_CASE("task store: a task is finished once, however often it is told", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    const auto outcome = completed(load(f, "t-1"));

    CHECK(f.run(f.tasks->finish(outcome)));
    CHECK(code_of(f.run(f.tasks->finish(outcome))) == "CONFLICT");

    CHECK(run_of(f).completed_tasks == 1);
    CHECK(run_of(f).total_tasks == 4);
}

TEMPLATE_LIST_TEST_CASE("task store: an id that is taken is a conflict and leaves nothing", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto outcome = completed(load(f, "t-1"));

    SECTION("two raws share one") {
        outcome.raws.push_back(outcome.raws.front());
    }
    SECTION("a follow-up's") {
        outcome.follow_ups.back() = a_task("t-2").asking(a_detail_url(9));
    }
    SECTION("two outbox entries share one") {
        outcome.outbox.back() = an_entry("o-8", "t-9");
    }

    CHECK(code_of(f.run(f.tasks->finish(outcome))) == "CONFLICT");

    CHECK(load(f, "t-1").state().status == TaskStatus::in_progress);
    CHECK(left_nothing(f));
}

TEMPLATE_LIST_TEST_CASE("task store: what is not an end is invalid and leaves nothing", "[contract][task_store]",
                        StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto outcome = completed(load(f, "t-1"));

    SECTION("a task still in progress") {
        outcome.task = load(f, "t-1");
        outcome.follow_ups.clear();
    }
    SECTION("a failed task with follow-ups") {
        outcome.task = load(f, "t-1");
        REQUIRE(outcome.task.fail({Errc::invalid, "no"}, two_retries, t0));
    }

    CHECK(code_of(f.run(f.tasks->finish(outcome))) == "INVALID");

    CHECK(load(f, "t-1").state().status == TaskStatus::in_progress);
    CHECK(left_nothing(f));
}

TEMPLATE_LIST_TEST_CASE("task store: two who finish tasks of one run at once are both counted",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto first = load(f, "t-1");
    auto second = load(f, "t-2");
    REQUIRE(first.complete(t0));
    REQUIRE(second.complete(t0));

    const auto [one, two] = f.run_both(f.tasks->finish({.task = first}), f.tasks->finish({.task = second}));

    CHECK(one);
    CHECK(two);
    CHECK(run_of(f).completed_tasks == 2);
    CHECK(run_of(f).status == ExecutionStatus::completed);
}

TEMPLATE_LIST_TEST_CASE(
    "task store: what the run asks already is not asked again: dropped, with its entry, and not counted",
    "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2").asking(a_detail_url(8))});
    start_run(f, "e-2", {a_running_task("t-7", "e-2").asking(a_detail_url(9))});
    auto outcome = completed(load(f, "t-1"));  // items 8 and 9
    outcome.follow_ups.push_back(a_task("t-10").asking(a_detail_url(9)));
    outcome.outbox.push_back(an_entry("o-10", "t-10"));
    outcome.follow_ups.push_back(a_task("t-11"));  // asks what t-1 itself asks
    outcome.outbox.push_back(an_entry("o-11", "t-11"));

    const auto added = f.run(f.tasks->finish(outcome));

    REQUIRE(added);
    CHECK(*added == 1);  // item 9, which another run asks for too
    CHECK(load(f, "t-9").state().status == TaskStatus::waiting);
    for (const auto* dropped : {"t-8", "t-10", "t-11"})
        CHECK(code_of(f.run(f.tasks->load(TaskId{dropped}))) == "NOT_FOUND");
    CHECK(run_of(f).total_tasks == 3);
    CHECK(run_of(f).completed_tasks == 1);
    const auto entries = f.run(f.task_outbox->claim(10, t0 + 1h, 60s));
    REQUIRE(entries->size() == 1);
    CHECK(entries->front().state().subject == "t-9");
}

TEMPLATE_LIST_TEST_CASE("task store: two pages that show the same item at once ask for it once",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2").asking(a_listing_url(1))});
    auto first = load(f, "t-1");
    auto second = load(f, "t-2");
    REQUIRE(first.complete(t0));
    REQUIRE(second.complete(t0));
    ports::TaskOutcome one{first, {}, {a_task("t-8").asking(a_detail_url(4711))}, {an_entry("o-8", "t-8")}};
    ports::TaskOutcome two{second, {}, {a_task("t-9").asking(a_detail_url(4711))}, {an_entry("o-9", "t-9")}};

    const auto [a, b] = f.run_both(f.tasks->finish(one), f.tasks->finish(two));

    REQUIRE(a);
    REQUIRE(b);
    CHECK(*a + *b == 1);
    CHECK(run_of(f).total_tasks == 3);
    CHECK(run_of(f).completed_tasks == 2);
    CHECK(f.run(f.task_outbox->claim(10, t0 + 1h, 60s))->size() == 1);
}

TEMPLATE_LIST_TEST_CASE("task store: what listings announce is noted with their run, the highest of all",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    std::vector<CrawlerTask> pages;
    for (int page = 0; page < 4; ++page)
        pages.push_back(a_running_task("t-" + std::to_string(page)).asking(a_listing_url(page)));
    start_run(f, "e-1", pages);
    const auto finish = [&](const std::string& id, std::optional<std::int64_t> announced) {
        auto task = load(f, id);
        REQUIRE(task.complete(t0));
        REQUIRE(f.run(f.tasks->finish({.task = task, .announced = announced})));
        return run_of(f).announced;
    };

    CHECK(run_of(f).announced == 0);
    CHECK(finish("t-0", 1'234'567'890'123) == 1'234'567'890'123);
    CHECK(finish("t-1", 7) == 1'234'567'890'123);
    CHECK(finish("t-2", std::nullopt) == 1'234'567'890'123);
    CHECK(finish("t-3", 1'234'567'890'124) == 1'234'567'890'124);
}

TEMPLATE_LIST_TEST_CASE("task store: a failure is stored and can be read, whatever bytes came with it",
                        "[contract][task_store]", StoreFixtures) {
    TestType f;
    start_run(f, "e-1", {a_running_task("t-1"), a_running_task("t-2")});
    auto cut = load(f, "t-1");
    auto endless = load(f, "t-2");
    REQUIRE(cut.fail({Errc::timeout, "cut off: \xEA\xB0"}, two_retries, t0 + 1s));
    REQUIRE(endless.fail({Errc::timeout, std::string(17'000'000, 'x')}, two_retries, t0 + 1s));

    CHECK(f.run(f.tasks->finish({.task = cut})));
    CHECK(f.run(f.tasks->save(endless)));

    CHECK(load(f, "t-1").state().error_message.starts_with("TIMEOUT: cut off: "));
    CHECK(load(f, "t-1").state().status == TaskStatus::retry);
    CHECK((load(f, "t-2").state().error_message.starts_with("TIMEOUT: xxx")));
}

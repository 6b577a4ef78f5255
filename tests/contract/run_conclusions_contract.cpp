#include <catch2/catch_template_test_macros.hpp>
#include <set>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Run = CrawlingScheduleExecution;

// A run of shop-1 that was over at that time.
template <class Stores>
void end_run(Stores& f, const std::string& id, TimePoint at) {
    start_run(f, id, {a_running_task("t-" + id, id)});
    auto task = f.run(f.tasks->load(TaskId{"t-" + id}));
    REQUIRE(task->complete(at));
    REQUIRE(f.run(f.tasks->finish({.task = *task, .raws = {}, .follow_ups = {}, .outbox = {}})));
}

template <class Stores>
Run run_of(Stores& f, const std::string& id) {
    auto run = f.run(f.executions->find(ExecutionId{id}));
    REQUIRE(run);
    return *run;
}

// The ids, in order.
template <class Stores>
std::vector<std::string> claim(Stores& f, TimePoint now, int limit = 10, Duration lease = 60s) {
    const auto claimed = f.run(f.conclusions->claim(limit, now, lease));
    REQUIRE(claimed);
    std::vector<std::string> ids;
    for (const auto& run : *claimed) ids.push_back(run.state().id.value);
    return ids;
}
using Ids = std::vector<std::string>;

template <class Stores>
RunEvidence evidence_of(Stores& f, const std::string& id) {
    const auto evidence = f.run(f.conclusions->evidence(ExecutionId{id}));
    REQUIRE(evidence);
    return *evidence;
}

// Stored as it is.
template <class Stores>
void put_products(Stores& f, const std::vector<Product>& products, const std::string& name = "products") {
    put_raws(f, {a_raw("r-" + name)}, "e-" + name);
    auto raw = claim_raw(f, t0 + 1h);
    REQUIRE(raw.mark_processed());
    REQUIRE(f.run(f.products->absorb({.raw = raw, .products = products, .history = {}, .events = {}, .melted = {}})));
}

template <class Stores>
Product product_of(Stores& f, ItemNo item) {
    const auto known = f.run(f.products->find({item}));
    REQUIRE(known);
    REQUIRE(known->size() == 1);
    return known->front().product;
}

template <class Stores>
std::vector<ItemNo> on_record(Stores& f, ItemNo after = 0, int limit = 10, TimePoint listed_at = t0 + 1h) {
    const auto items = f.run(f.conclusions->on_record(seller_id(), listed_at, after, limit));
    REQUIRE(items);
    return *items;
}
using Items = std::vector<ItemNo>;

// The product missed by the run, with its history and an event about it.
template <class Stores>
ports::Delisting missed(Stores& f, Run run, ItemNo item) {
    auto product = product_of(f, item);
    REQUIRE(product.missing_from_listing(t0 + 1h, flat_diff, t0 + 2h));
    const ports::ProductChange change{item, product.state().version + 1, RawId{}, t0 + 2h, {}};
    return {.run = std::move(run),
            .products = {product},
            .history = {change},
            .events = {an_entry("p-missed", std::to_string(item))},
            .melted = {}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("run conclusions: runs that are over and not proven are claimed, longest over first",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-later", t0 + 2s);
    end_run(f, "e-sooner", t0 + 1s);
    end_run(f, "e-proven", t0);
    prove_run(f, "e-proven");
    auto seller = f.run(f.sellers->find(seller_id()));
    REQUIRE(f.run(f.executions->start({*seller, a_run("e-failed").in(ExecutionStatus::failed), {}, {}})));
    start_run(f, "e-open", {a_running_task("t-open", "e-open")});

    CHECK(claim(f, t0 + 1h) == Ids{"e-failed", "e-sooner", "e-later"});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: a claimed run is not due again before the lease is over",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-1", t0);

    REQUIRE(claim(f, t0, 10, 60s) == Ids{"e-1"});

    CHECK(claim(f, t0 + 59s).empty());
    CHECK(claim(f, t0 + 60s) == Ids{"e-1"});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: no more than the limit are claimed, and what waits goes behind the others",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    for (const auto* id : {"e-1", "e-2", "e-3"}) end_run(f, id, t0);

    CHECK(claim(f, t0, 2, 10s) == Ids{"e-1", "e-2"});
    CHECK(claim(f, t0 + 10s, 2, 10s) == Ids{"e-3", "e-1"});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: two callers at once never get the same run", "[contract][run_conclusions]",
                        StoreFixtures) {
    TestType f;
    for (int i = 0; i < 10; ++i) end_run(f, "e-" + std::to_string(i), t0);

    const auto [a, b] = f.run_both(f.conclusions->claim(5, t0, 60s), f.conclusions->claim(5, t0, 60s));

    REQUIRE(a);
    REQUIRE(b);
    std::set<std::string> ids;
    for (const auto& run : *a) ids.insert(run.state().id.value);
    for (const auto& run : *b) ids.insert(run.state().id.value);
    CHECK(ids.size() == a->size() + b->size());
    CHECK(a->size() + b->size() + claim(f, t0).size() == 10);
}

TEMPLATE_LIST_TEST_CASE("run conclusions: a run can be looked at again earlier or later, unless it is proven",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-1", t0);
    end_run(f, "e-2", t0);
    REQUIRE(claim(f, t0).size() == 2);
    prove_run(f, "e-2");

    REQUIRE(f.run(f.conclusions->look_again(ExecutionId{"e-1"}, t0 + 10s)));
    REQUIRE(f.run(f.conclusions->look_again(ExecutionId{"e-2"}, t0 + 10s)));

    CHECK(claim(f, t0 + 9s).empty());
    CHECK(claim(f, t0 + 10s) == Ids{"e-1"});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: a proof is stored with its run, which is never claimed again",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-1", t0);
    auto run = run_of(f, "e-1");
    const auto proof = *CompletenessProof::of(2, {{.item = 4711, .listed = true, .detail = FacetOutcome::gone}});
    REQUIRE(run.prove(proof, t0 + 1s));

    REQUIRE(f.run(f.conclusions->conclude(run)));

    CHECK(run_of(f, "e-1").state().proof == proof);
    CHECK(run_of(f, "e-1").state().updated_at == t0 + 1s);
    CHECK(claim(f, t0 + 24h).empty());
}

TEMPLATE_LIST_TEST_CASE("run conclusions: a run that was saved since it was read is not concluded",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-1", t0);
    auto run = run_of(f, "e-1");
    REQUIRE(run.prove(*CompletenessProof::of(0, {}), t0));
    prove_run(f, "e-1");

    CHECK(code_of(f.run(f.conclusions->conclude(run))) == "CONFLICT");
}

TEMPLATE_LIST_TEST_CASE("run conclusions: without a proof, or without the run, there is nothing to conclude",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    end_run(f, "e-1", t0);
    auto unknown = a_run("e-2").with_tasks(1).completed(1).proven(*CompletenessProof::of(0, {})).build();

    CHECK(code_of(f.run(f.conclusions->conclude(run_of(f, "e-1")))) == "INVALID");
    CHECK(code_of(f.run(f.conclusions->conclude(unknown))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.conclusions->evidence(ExecutionId{"e-2"}))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("run conclusions: the evidence counts the tasks of the run, and no others",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    const auto url = *RequestUrl::search("가방");
    start_run(f, "e-1",
              {a_running_task("t-1"), a_running_task("t-2").asking(a_listing_url(1)), a_task("t-3").asking(url),
               a_task("t-4").asking(a_detail_url(4711))});
    start_run(f, "e-2", {a_task("t-5", "e-2")});
    auto done = f.run(f.tasks->load(TaskId{"t-1"}));
    REQUIRE(done->complete(t0));
    REQUIRE(f.run(f.tasks->finish({.task = *done, .raws = {}, .follow_ups = {}, .outbox = {}})));

    const auto evidence = evidence_of(f, "e-1");

    CHECK(evidence.tasks == 4);
    CHECK(evidence.open_tasks == 3);
    CHECK(evidence.pages == 2);
    CHECK(evidence.pages_completed == 1);
    CHECK(evidence.searches == 1);
    REQUIRE(evidence.questions.size() == 1);
    CHECK(evidence.questions[0].item == 4711);
    CHECK(evidence.questions[0].task == TaskStatus::waiting);
    CHECK_FALSE(evidence.questions[0].answer);
}

TEMPLATE_LIST_TEST_CASE("run conclusions: of a run of thousands of tasks nothing is left out of the evidence",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    std::vector<CrawlerTask> tasks;
    for (int i = 0; i < 4'100; ++i)
        tasks.push_back(a_task("t-" + std::to_string(i)).asking(a_detail_url(5'000'000'000 + i)));
    start_run(f, "e-1", tasks);

    const auto evidence = evidence_of(f, "e-1");

    CHECK(evidence.tasks == 4'100);
    CHECK(evidence.questions.size() == 4'100);
    CHECK(evidence.listed().size() == 4'100);
}

TEMPLATE_LIST_TEST_CASE("run conclusions: the evidence has what the listing announced", "[contract][run_conclusions]",
                        StoreFixtures) {
    TestType f;
    (void)enlist(f, a_seller());
    const auto seller = f.run(f.sellers->find(seller_id()));
    auto run = Run::begin(ExecutionId{"e-1"}, seller_id(), t0);
    run.announce(700);
    REQUIRE(run.tasks_created(0, t0));
    REQUIRE(f.run(f.executions->start({*seller, run, {}, {}})));

    CHECK(evidence_of(f, "e-1").announced == 700);
}

TEMPLATE_LIST_TEST_CASE("run conclusions: answers that have yet to be worked in are told, and nothing else then",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    auto task = a_running_task("t-1").asking(a_detail_url(4711)).build();
    start_run(f, "e-1", {task});
    REQUIRE(task.complete(t0));
    REQUIRE(f.run(f.tasks->finish({.task = task, .raws = {a_raw("r-1").by_task("t-1").of(TaskType::product_detail)}})));
    CHECK(evidence_of(f, "e-1").has_unread_answers);
    CHECK(evidence_of(f, "e-1").questions.empty());

    auto raw = claim_raw(f);
    REQUIRE(raw.mark_failed({Errc::timeout, "no answer"}, RetryPolicy{}, t0));
    REQUIRE(f.run(f.raws->settle(raw)));
    CHECK(evidence_of(f, "e-1").has_unread_answers);

    raw = claim_raw(f, t0 + 1h);
    REQUIRE(raw.quarantine("/name: is no text"));
    REQUIRE(f.run(f.raws->settle(raw)));
    const auto evidence = evidence_of(f, "e-1");
    CHECK_FALSE(evidence.has_unread_answers);
    REQUIRE(evidence.questions.size() == 1);
    CHECK(evidence.questions[0].task == TaskStatus::completed);
    CHECK(evidence.questions[0].completed_as == CompletedAs::fetched);
    CHECK(evidence.questions[0].answer == RawStatus::quarantined);
}

TEMPLATE_LIST_TEST_CASE("run conclusions: the evidence knows the seller's items, and whose the others are",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    put_products(f, {a_product().of_item(1).knowing(a_detail().of_item(1)),
                     a_product().of_item(2).knowing(an_option().of_item(2)).knowing(a_listing().of_item(2)),
                     a_product().of_item(3).of_seller("shop-2"), a_product().of_item(4).of_seller("shop-2")});
    start_run(f, "e-1", {a_task("t-1").asking(a_detail_url(3)), a_task("t-2").asking(a_detail_url(5))});

    const auto known = evidence_of(f, "e-1").known;

    CHECK(known.at(1).has_detail);
    CHECK_FALSE(known.at(1).has_option);
    CHECK_FALSE(known.at(2).has_detail);
    CHECK(known.at(2).has_option);
    CHECK(known.at(1).seller == seller_id());
    CHECK(known.at(3).seller == seller_id("shop-2"));
    CHECK_FALSE(known.contains(5));
}

TEMPLATE_LIST_TEST_CASE("run conclusions: on record is what is the seller's and not deleted, page by page",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    put_products(f, {a_product().of_item(9'000'000'000), a_product().of_item(2), a_product().of_item(1),
                     a_product().of_item(3).gone(t0), a_product().of_item(4).of_seller("shop-2")});

    CHECK(on_record(f) == Items{1, 2, 9'000'000'000});
    CHECK(on_record(f, 0, 2) == Items{1, 2});
    CHECK(on_record(f, 2, 2) == Items{9'000'000'000});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: what was told of this listing already is not on record for it",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    const auto seen = a_listing().fetched(t0 + 3h).build();
    put_products(f, {a_product().of_item(1).missing(t0 + 1h), a_product().of_item(2).missing(t0 + 2h),
                     a_product().of_item(3).knowing(seen).missing(t0 + 2h, t0 + 1h)});

    CHECK(on_record(f, 0, 10, t0 + 1h) == Items{2});
    CHECK(on_record(f, 0, 10, t0 + 2h) == Items{1});
    CHECK(on_record(f, 0, 10, t0 + 3h) == Items{1, 2, 3});
}

TEMPLATE_LIST_TEST_CASE("run conclusions: products that are missing are stored with their history and events",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    put_products(f, {a_product().complete(t0)});
    end_run(f, "e-1", t0);

    REQUIRE(f.run(f.conclusions->delist(missed(f, run_of(f, "e-1"), 4711))));

    const auto product = product_of(f, 4711);
    CHECK(product.state().missing_at[0] == t0 + 1h);
    CHECK(product.is_complete());
    const auto history = f.run(f.products->history(4711, 10));
    REQUIRE(history->size() == 1);
    CHECK(history->front().raw == RawId{});
    CHECK(f.run(f.product_outbox->claim(10, t0 + 1h, 60s))->size() == 1);
    CHECK(claim(f, t0).size() == 2);  // it is not concluded by that
}

TEMPLATE_LIST_TEST_CASE("run conclusions: of products whose run or who themselves were saved since, nothing is stored",
                        "[contract][run_conclusions]", StoreFixtures) {
    TestType f;
    put_products(f, {a_product().complete(t0), a_product().of_item(4712).complete(t0)});
    end_run(f, "e-1", t0);
    auto delisting = missed(f, run_of(f, "e-1"), 4711);

    SECTION("the run") {
        prove_run(f, "e-1");
    }
    SECTION("one of the products") {
        auto other = product_of(f, 4712);
        delisting.products.push_back(other);
        put_products(f, {other}, "again");
    }
    SECTION("an entry that should have melted") {
        delisting.melted.push_back(OutboxId{"p-gone"});
    }

    CHECK(code_of(f.run(f.conclusions->delist(delisting))) == "CONFLICT");
    CHECK_FALSE(product_of(f, 4711).state().missing_at[0]);
    CHECK(f.run(f.products->history(4711, 10))->empty());
    CHECK(f.run(f.product_outbox->claim(10, t0 + 1h, 60s))->empty());
}

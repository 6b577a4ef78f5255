#include "domain/run_evidence.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/builders/execution.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using R = MissingReason;
constexpr ItemNo bag = 5'000'000'001;
const SellerId shop = seller_id("shop-1");

ItemQuestion detail_of(ItemNo item) {
    return {item, TaskType::product_detail, TaskStatus::completed, CompletedAs::fetched, RawStatus::processed};
}
ItemQuestion option_of(ItemNo item) {
    return {item, TaskType::product_option, TaskStatus::completed, CompletedAs::fetched, RawStatus::processed};
}

// A listing of one page with one item, of which everything is there.
RunEvidence one_item() {
    return {.announced = 1,
            .tasks = 3,
            .pages = 1,
            .pages_completed = 1,
            .questions = {detail_of(bag), option_of(bag)},
            .known = {{bag, {shop, true, true}}}};
}

CompletenessProof proof_of(const RunEvidence& evidence) {
    auto proof = prove(shop, evidence);
    REQUIRE(proof);
    return *proof;
}

R reason_in(const RunEvidence& evidence) {
    const auto proof = proof_of(evidence);
    REQUIRE(proof.state().missing.size() == 1);
    return proof.state().missing.front().reason;
}

CrawlingScheduleExecution run_of(std::int64_t tasks) {
    return a_run().with_tasks(tasks).completed(tasks);
}

bool removes(const RunEvidence& evidence, const CrawlingScheduleExecution& run = run_of(3)) {
    return proves_removal(run, evidence, proof_of(evidence));
}

}  // namespace

TEST_CASE("run evidence: an item whose answers brought both facets is complete") {
    const auto proof = proof_of(one_item());

    CHECK(proof.state().seen == 1);
    CHECK(proof.state().complete == 1);
    CHECK(proof.is_whole());
}

TEST_CASE("run evidence: what became of the task, of its answer and of the item says why a facet is missing") {
    auto evidence = one_item();
    auto& detail = evidence.questions[0];
    auto& option = evidence.questions[1];

    SECTION("a task that failed") {
        detail.task = TaskStatus::failed;
        CHECK(reason_in(evidence) == R::detail_failed);
    }
    SECTION("a task that is still open") {
        option.task = TaskStatus::published;
        CHECK(reason_in(evidence) == R::not_finished);
    }
    SECTION("an item that is gone") {
        detail.completed_as = CompletedAs::gone;
        CHECK(reason_in(evidence) == R::gone);
    }
    SECTION("an answer that was put aside") {
        option.answer = RawStatus::quarantined;
        CHECK(reason_in(evidence) == R::option_unreadable);
    }
    SECTION("an item of another seller") {
        evidence.known.at(bag).seller = seller_id("shop-2");
        CHECK(reason_in(evidence) == R::foreign);
    }
    SECTION("an answer that was worked in and brought nothing") {
        evidence.known.at(bag).has_detail = false;
        CHECK(reason_in(evidence) == R::detail_unreadable);
    }
    SECTION("an answer that was worked in, of an item that nobody knows") {
        evidence.known.clear();
        CHECK(reason_in(evidence) == R::detail_unreadable);
    }
    SECTION("an answer that is not stored any more, and nothing is known") {
        option.answer = std::nullopt;
        evidence.known.at(bag).has_option = false;
        CHECK(reason_in(evidence) == R::not_finished);
    }
}

TEST_CASE("run evidence: a facet that is known counts though its answer is not stored any more") {
    auto evidence = one_item();
    evidence.questions[0].answer = std::nullopt;

    CHECK(proof_of(evidence).is_whole());
}

TEST_CASE("run evidence: options that are gone are an answer like any other") {
    auto evidence = one_item();
    evidence.questions[1].completed_as = CompletedAs::gone;

    CHECK(proof_of(evidence).is_whole());
}

TEST_CASE("run evidence: of several answers to one question the best counts") {
    auto evidence = one_item();
    evidence.questions.push_back(detail_of(bag));
    evidence.questions.back().answer = RawStatus::quarantined;

    CHECK(proof_of(evidence).is_whole());
}

TEST_CASE("run evidence: a negative total proves nothing") {
    CHECK_FALSE(prove(shop, {.announced = -1}));
}

TEST_CASE("run evidence: what a complete listing lacks is missing from it") {
    CHECK(removes(one_item()));
}

TEST_CASE("run evidence: a listing of nothing at all is complete") {
    CHECK(removes({}, run_of(0)));
}

TEST_CASE("run evidence: in doubt nothing is missing") {
    auto evidence = one_item();

    SECTION("a page failed") {
        evidence.pages = 2;
        evidence.tasks = 4;
        CHECK_FALSE(removes(evidence, run_of(4)));
    }
    SECTION("a page was short") {
        evidence.announced = 2;
        CHECK_FALSE(removes(evidence));
    }
    SECTION("tasks of the run are not stored any more") {
        CHECK_FALSE(removes(evidence, run_of(4)));
    }
    SECTION("none of its tasks is stored any more, and nothing was announced") {
        CHECK_FALSE(removes({}, run_of(3)));
    }
    SECTION("part of it was a search") {
        evidence.searches = 1;
        evidence.tasks = 4;
        CHECK_FALSE(removes(evidence, run_of(4)));
    }
    SECTION("the run was given up") {
        CHECK_FALSE(removes(evidence, a_run().with_tasks(3).completed(3).in(ExecutionStatus::failed)));
    }
}

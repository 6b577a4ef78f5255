#include "domain/completeness.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <random>
#include <set>

using namespace crawler;

namespace {

using O = FacetOutcome;
using R = MissingReason;

constexpr ItemNo bag = 5'000'000'001;  // beyond 32 bits

ItemFacts listed(ItemNo item, O detail = O::present, O option = O::present) {
    return {.item = item, .listed = true, .detail = detail, .option = option};
}

CompletenessProof prove(std::int64_t announced, const std::vector<ItemFacts>& facts) {
    auto proof = CompletenessProof::of(announced, facts);
    REQUIRE(proof);
    return *proof;
}

R reason_of(O detail, O option) {
    const auto proof = prove(1, {listed(bag, detail, option)});
    REQUIRE(proof.state().missing.size() == 1);
    CHECK(proof.state().missing.front().item == bag);
    return proof.state().missing.front().reason;
}

}  // namespace

TEST_CASE("completeness: an empty catalogue is whole, and its listing complete") {
    const auto proof = prove(0, {});

    CHECK((proof.state() == CompletenessProof::State{}));
    CHECK(proof.is_whole());
    CHECK(proof.listing_is_complete(true));
}

TEST_CASE("completeness: less than nothing cannot be announced") {
    const auto proof = CompletenessProof::of(-1, {});

    REQUIRE_FALSE(proof);
    CHECK(proof.error().code == Errc::invalid);
    CHECK(proof.error().detail.find("-1") != std::string::npos);
}

TEST_CASE("completeness: an item with all facets is complete") {
    const auto proof = prove(1, {listed(bag)});

    CHECK(proof.state().announced == 1);
    CHECK(proof.state().seen == 1);
    CHECK(proof.state().complete == 1);
    CHECK(proof.state().missing.empty());
    CHECK(proof.is_whole());
}

TEST_CASE("completeness: facts of one item add up, one per answer") {
    const auto proof = prove(
        1, {{.item = bag, .option = O::present}, {.item = bag, .listed = true}, {.item = bag, .detail = O::present}});

    CHECK(proof.state().seen == 1);
    CHECK(proof.state().complete == 1);
}

TEST_CASE("completeness: one good answer outweighs every failure, before or after it") {
    const auto bad = GENERATE(O::open, O::failed, O::unreadable, O::gone, O::foreign);

    CHECK(prove(1, {listed(bag, bad), listed(bag)}).state().complete == 1);
    CHECK(prove(1, {listed(bag), listed(bag, O::present, bad)}).state().complete == 1);
}

TEST_CASE("completeness: an item that was not listed is not part of the proof") {
    const auto proof = prove(1, {listed(1), {.item = 2, .detail = O::present, .option = O::failed}});

    CHECK(proof.state().seen == 1);
    CHECK(proof.state().missing.empty());
}

TEST_CASE("completeness: a missing item says why") {
    CHECK(reason_of(O::failed, O::present) == R::detail_failed);
    CHECK(reason_of(O::unreadable, O::present) == R::detail_unreadable);
    CHECK(reason_of(O::present, O::failed) == R::option_failed);
    CHECK(reason_of(O::present, O::unreadable) == R::option_unreadable);
    CHECK(reason_of(O::gone, O::present) == R::gone);
    CHECK(reason_of(O::foreign, O::present) == R::foreign);
    CHECK(reason_of(O::present, O::foreign) == R::foreign);
    CHECK(reason_of(O::open, O::present) == R::not_finished);
    CHECK(reason_of(O::present, O::open) == R::not_finished);
}

TEST_CASE("completeness: options that are gone are options that there are none of") {
    const auto proof = prove(1, {listed(1, O::present, O::gone)});

    CHECK(proof.state().complete == 1);
    CHECK(proof.is_whole());
}

TEST_CASE("completeness: of two reasons the one that explains more is told") {
    CHECK(reason_of(O::foreign, O::gone) == R::foreign);
    CHECK(reason_of(O::gone, O::failed) == R::gone);
    CHECK(reason_of(O::failed, O::gone) == R::detail_failed);
    CHECK(reason_of(O::failed, O::unreadable) == R::detail_failed);
    CHECK(reason_of(O::unreadable, O::failed) == R::detail_unreadable);
    CHECK(reason_of(O::open, O::failed) == R::option_failed);
    CHECK(reason_of(O::failed, O::open) == R::detail_failed);
}

TEST_CASE("completeness: missing items stand in the order of their numbers and are counted by reason") {
    const auto proof = prove(6, {listed(9, O::failed), listed(3, O::gone), listed(7, O::failed), listed(1)});

    CHECK((proof.state().missing ==
           std::vector<MissingItem>{{3, R::gone}, {7, R::detail_failed}, {9, R::detail_failed}}));
    CHECK(proof.missing_because(R::detail_failed) == 2);
    CHECK(proof.missing_because(R::gone) == 1);
    CHECK(proof.missing_because(R::option_failed) == 0);
    CHECK(proof.missing_because(R::never_listed) == 2);
}

TEST_CASE("completeness: what was announced but never listed is missing, and nobody knows which items") {
    const auto proof = prove(3, {listed(1), listed(2)});

    CHECK(proof.never_listed() == 1);
    CHECK(proof.surplus() == 0);
    CHECK_FALSE(proof.is_whole());
}

TEST_CASE("completeness: more seen than announced is a surplus, never a negative lack") {
    const auto proof = prove(1, {listed(1), listed(2), listed(3)});

    CHECK(proof.never_listed() == 0);
    CHECK(proof.surplus() == 2);
    CHECK(proof.is_whole());
}

TEST_CASE("completeness: what the marketplace itself explains leaves a run whole") {
    CHECK(prove(2, {listed(1, O::gone, O::gone), listed(2, O::foreign)}).is_whole());
}

TEST_CASE("completeness: a failure, an unreadable answer or open work does not") {
    const auto bad = GENERATE(O::open, O::failed, O::unreadable);

    CHECK_FALSE(prove(1, {listed(1, bad)}).is_whole());
    CHECK_FALSE(prove(1, {listed(1, O::present, bad)}).is_whole());
}

TEST_CASE("completeness: what is explained does not excuse what is not") {
    CHECK_FALSE(prove(2, {listed(1, O::gone, O::gone), listed(2, O::failed)}).is_whole());
    CHECK_FALSE(prove(2, {listed(1, O::failed), listed(2, O::foreign)}).is_whole());
}

TEST_CASE(
    "completeness: only a listing whose pages all came and hold all that was announced says what is not for sale") {
    const std::vector<ItemFacts> two{listed(1, O::failed), listed(2)};

    CHECK(prove(2, two).listing_is_complete(true));
    CHECK_FALSE(prove(2, two).listing_is_complete(false));  // a page failed
    CHECK_FALSE(prove(3, two).listing_is_complete(true));   // a page was short
    CHECK(prove(1, two).listing_is_complete(true));         // items were added
}

TEST_CASE("completeness: a proof comes back as it was stored") {
    const auto proof = prove(9, {listed(1), listed(2, O::failed)});

    CHECK((CompletenessProof::restore(proof.state()) == proof));
}

namespace {

// Judges by counting, item by item, without adding facts up.
CompletenessProof::State judge(std::int64_t announced, const std::vector<ItemFacts>& facts) {
    std::set<ItemNo> seen;
    for (const auto& fact : facts) {
        if (fact.listed) seen.insert(fact.item);
    }
    CompletenessProof::State expected{.announced = announced, .seen = std::ssize(seen)};
    for (const auto item : seen) {
        std::set<O> details, options;
        for (const auto& fact : facts) {
            if (fact.item != item) continue;
            details.insert(fact.detail);
            options.insert(fact.option);
        }
        const bool has_detail = details.contains(O::present),
                   has_option = *options.rbegin() == O::present || *options.rbegin() == O::gone;
        const auto best = [](const std::set<O>& told, O outcome) { return *told.rbegin() == outcome; };
        if (has_detail && has_option) {
            ++expected.complete;
        } else if (best(details, O::foreign) || best(options, O::foreign)) {
            expected.missing.push_back({item, R::foreign});
        } else if (best(details, O::gone)) {
            expected.missing.push_back({item, R::gone});
        } else if (!has_detail && !best(details, O::open)) {
            expected.missing.push_back(
                {item, details.contains(O::unreadable) ? R::detail_unreadable : R::detail_failed});
        } else if (!has_option && !best(options, O::open)) {
            expected.missing.push_back(
                {item, options.contains(O::unreadable) ? R::option_unreadable : R::option_failed});
        } else {
            expected.missing.push_back({item, R::not_finished});
        }
    }
    return expected;
}

}  // namespace

TEST_CASE("completeness: facts in any order and however often give the same proof, which always adds up") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto below = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
        };
        const auto outcome = [&] { return static_cast<O>(below(6)); };
        std::vector<ItemFacts> facts;
        for (auto count = below(60); count > 0; --count)
            facts.push_back({4'000'000'000 + below(20), below(2) == 0, outcome(), outcome()});
        const auto announced = below(25);

        const auto proof = prove(announced, facts);
        CHECK((proof.state() == judge(announced, facts)));
        CHECK(proof.state().seen == proof.state().complete + std::ssize(proof.state().missing));
        CHECK(proof.never_listed() - proof.surplus() == announced - proof.state().seen);
        CHECK(std::min(proof.never_listed(), proof.surplus()) == 0);

        for (auto copies = below(20); copies > 0 && !facts.empty(); --copies)
            facts.push_back(facts[static_cast<std::size_t>(below(std::ssize(facts)))]);
        std::ranges::shuffle(facts, random);
        CHECK((prove(announced, facts) == proof));
    }
}

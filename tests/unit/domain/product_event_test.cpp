#include "domain/product_event.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

#include "support/model_server.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

using enum ProductEventType;
using Reason = ProductEventReason;
constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const Fields nothing;
const Fields bag{{"/name", "\"가방\""}, {"/price", "1000"}};
const Fields cheaper_bag{{"/name", "\"가방\""}, {"/price", "900"}};

ProductEvent event(ProductEventType type, Reason reason, std::int64_t version, const Fields& before,
                   const Fields& after) {
    return {.type = type,
            .reason = reason,
            .item = 9'007'199'254'740'993,
            .seller = *SellerId::parse("머스트잇"),
            .version = version,
            .diff = diff_fields(before, after),
            .occurred_at = t0 + version * 1s};
}
ProductEvent is_created(std::int64_t version, const Fields& as) {
    return event(created, Reason::first_complete, version, nothing, as);
}
ProductEvent is_updated(std::int64_t version, const Fields& from, const Fields& to) {
    return event(updated, Reason::detail_changed, version, from, to);
}
ProductEvent is_deleted(std::int64_t version, const Fields& was) {
    return event(deleted, Reason::gone, version, was, nothing);
}
ProductEvent is_back(std::int64_t version, const Fields& as) {
    return event(created, Reason::seen_again, version, nothing, as);
}

// What a product's life tells: at every step it is there with some content, or not there.
std::vector<ProductEvent> random_life(std::mt19937_64& random) {
    std::vector<ProductEvent> told;
    Fields now;
    bool there = false;
    const auto length = 1 + random() % 8;
    for (std::int64_t version = 1; told.size() < length; version += static_cast<std::int64_t>(1 + random() % 3)) {
        if (there && random() % 3 == 0) {
            told.push_back(is_deleted(version, now));
            there = false;
            continue;
        }
        Fields next{{"/name", std::to_string(random() % 2)}};
        if (random() % 2 == 0) next.emplace("/price", std::to_string(random() % 3));
        if (there && next == now) continue;
        told.push_back(there ? is_updated(version, now, next) : is_back(version, next));
        now = next;
        there = true;
    }
    return told;
}

std::optional<ProductEvent> coalesce(const std::optional<ProductEvent>& older,
                                     const std::optional<ProductEvent>& newer) {
    if (older && newer) return crawler::coalesce(*older, *newer);
    return older ? older : newer;
}

bool same_effect(const std::optional<ProductEvent>& one, const std::optional<ProductEvent>& other) {
    if (!one || !other) return one.has_value() == other.has_value();
    return one->type == other->type && one->diff == other->diff;
}

}  // namespace

TEST_CASE("product event: created and updated is created as it is now") {
    const auto both = crawler::coalesce(is_created(3, bag), is_updated(5, bag, cheaper_bag));

    REQUIRE(both);
    CHECK(both->type == created);
    CHECK(both->diff == diff_fields(nothing, cheaper_bag));
    CHECK(both->version == 5);
}

TEST_CASE("product event: two updates are one") {
    const auto both = crawler::coalesce(is_updated(4, bag, {{"/name", "\"가방\""}}),
                                        is_updated(5, {{"/name", "\"가방\""}}, cheaper_bag));

    REQUIRE(both);
    CHECK(both->type == updated);
    CHECK(both->diff == FieldDiff({{"/price", "1000", "900"}}));
    CHECK(both->version == 5);
}

TEST_CASE("product event: changed there and back is nothing to tell") {
    CHECK_FALSE(crawler::coalesce(is_updated(4, bag, cheaper_bag), is_updated(5, cheaper_bag, bag)));
}

TEST_CASE("product event: updated and deleted is deleted as the server knows it") {
    const auto both = crawler::coalesce(is_updated(4, bag, cheaper_bag), is_deleted(5, cheaper_bag));

    REQUIRE(both);
    CHECK(both->type == deleted);
    CHECK(both->diff == diff_fields(bag, nothing));
}

TEST_CASE("product event: created and deleted is nothing to tell, the server never heard of it") {
    CHECK_FALSE(crawler::coalesce(is_created(3, bag), is_deleted(4, bag)));
}

TEST_CASE("product event: deleted and created again is an update, the server still has it") {
    const auto both = crawler::coalesce(is_deleted(4, bag), is_back(6, cheaper_bag));

    REQUIRE(both);
    CHECK(both->type == updated);
    CHECK(both->diff == FieldDiff({{"/price", "1000", "900"}}));
    CHECK(both->reason == Reason::seen_again);
}

TEST_CASE("product event: deleted and created again as it was is nothing to tell") {
    CHECK_FALSE(crawler::coalesce(is_deleted(4, bag), is_back(5, bag)));
}

TEST_CASE("product event: changed, deleted and created again is an update from what the server knows") {
    const Fields renamed{{"/name", "\"새 가방\""}, {"/price", "1000"}};
    const auto gone = crawler::coalesce(is_updated(4, bag, cheaper_bag), is_deleted(5, cheaper_bag));
    REQUIRE(gone);

    const auto all = crawler::coalesce(*gone, is_back(7, renamed));

    REQUIRE(all);
    CHECK(all->type == updated);
    CHECK(all->diff == FieldDiff({{"/name", "\"가방\"", "\"새 가방\""}}));
}

TEST_CASE("product event: the newer one says why, when and which version; the product stays the same") {
    const auto newer = is_updated(5, bag, cheaper_bag);

    const auto both = crawler::coalesce(is_created(3, bag), newer);

    REQUIRE(both);
    CHECK(both->reason == Reason::detail_changed);
    CHECK(both->version == 5);
    CHECK(both->occurred_at == newer.occurred_at);
    CHECK(both->item == 9'007'199'254'740'993);
    CHECK(both->seller.value() == "머스트잇");
}

TEST_CASE("product event: one that nobody tried to tell may melt into another, one that was tried may not") {
    auto entry = OutboxEntry::create({OutboxId{"o-1"}, "4711", "{}", "product-4711-3"}, t0);
    CHECK(may_coalesce(entry));

    REQUIRE(entry.claim(t0, 60s));
    CHECK_FALSE(may_coalesce(entry));

    auto state = entry.state();
    state.status = OutboxStatus::pending;  // the claim is over, but it may have arrived
    CHECK_FALSE(may_coalesce(OutboxEntry::restore(state)));
}

TEST_CASE("product event: two are equal only if all they say is") {
    const auto one = is_updated(4, bag, cheaper_bag);
    std::vector<ProductEvent> others(7, one);
    others[0].type = deleted;
    others[1].reason = Reason::listing_changed;
    others[2].item = 4711;
    others[3].seller = *SellerId::parse("shop-1");
    others[4].version = 5;
    others[5].diff = {};
    others[6].occurred_at += 1us;

    CHECK(one == is_updated(4, bag, cheaper_bag));
    for (const auto& other : others) CHECK(one != other);
}

TEST_CASE("product event: types and reasons have names") {
    CHECK(to_string(created) == "PRODUCT_CREATED");
    CHECK(to_string(updated) == "PRODUCT_UPDATED");
    CHECK(to_string(deleted) == "PRODUCT_DELETED");
    CHECK(parse<ProductEventType>("PRODUCT_DELETED") == deleted);
    std::set<std::string_view> reasons;
    for (const auto& entry : names(Reason{})) reasons.insert(entry.name);
    CHECK(reasons == std::set<std::string_view>{"FIRST_COMPLETE", "LISTING_CHANGED", "DETAIL_CHANGED", "OPTION_CHANGED",
                                                "DELISTED", "GONE", "SEEN_AGAIN"});
    CHECK(parse<Reason>("SEEN_AGAIN") == Reason::seen_again);
}

TEST_CASE("product event: an event and the same event again is that event") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        for (const auto& one : random_life(random)) CHECK(crawler::coalesce(one, one) == one);
    }
}

TEST_CASE("product event: it does not matter which of three melt first") {
    std::size_t cancelled = 0;
    std::size_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto told = random_life(random);
        for (std::size_t i = 2; i < told.size(); ++i) {
            const auto left = crawler::coalesce(told[i - 2], told[i - 1]);
            const auto right = crawler::coalesce(told[i - 1], told[i]);
            const auto left_first = coalesce(left, told[i]);
            const auto right_first = coalesce(told[i - 2], right);

            CHECK(same_effect(left_first, right_first));
            // Where two of them cancelled each other out, the version of the third is what is left.
            if (left && right) CHECK(left_first == right_first);
            ++(left && right ? compared : cancelled);
        }
    }
    CHECK(compared > 100);
    CHECK(cancelled > 100);
}

TEST_CASE("product event: a server that hears the melted events ends where one that hears all of them does") {
    std::set<std::pair<ProductEventType, ProductEventType>> met;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto told = random_life(random);
        ModelServer patient;
        for (const auto& one : told) patient.apply(one);

        // Runs of unsent events, each melted from its oldest to its newest, between deliveries.
        ModelServer hurried;
        std::optional<ProductEvent> unsent;
        for (std::size_t i = 0; i < told.size(); ++i) {
            if (unsent) met.insert({unsent->type, told[i].type});
            unsent = coalesce(unsent, told[i]);
            if (unsent && random() % 3 == 0) {
                hurried.apply(*unsent);
                unsent.reset();
            }
        }
        if (unsent) hurried.apply(*unsent);

        CHECK(patient.consistent);
        CHECK(hurried.consistent);
        CHECK(hurried.present == patient.present);
        CHECK(hurried.fields == patient.fields);
    }
    CHECK(met ==
          std::set<std::pair<ProductEventType, ProductEventType>>{
              {created, updated}, {created, deleted}, {updated, updated}, {updated, deleted}, {deleted, created}});
}

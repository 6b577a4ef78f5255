#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "domain/product.hpp"
#include "support/builders/product.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr TimePoint now = t0 + 240h;

// LIVE, everything fetched at t0.
Product a_live_product() {
    return a_product().complete(t0).build();
}

Absorbed missing(Product& product, TimePoint listed_at) {
    auto absorbed = product.missing_from_listing(listed_at, flat_diff, now);
    REQUIRE(absorbed);
    return *absorbed;
}
Absorbed gone(Product& product, TimePoint fetched_at) {
    auto absorbed = product.gone(fetched_at, flat_diff, now);
    REQUIRE(absorbed);
    return *absorbed;
}
Absorbed absorb(Product& product, const Facet& facet) {
    auto absorbed = product.absorb(facet, flat_diff, now);
    REQUIRE(absorbed);
    return *absorbed;
}

// DELETED by its listings alone, and by its detail alone.
Product a_delisted_product() {
    return a_product().complete(t0).missing(t0 + 48h, t0 + 24h).build();
}
Product a_gone_product() {
    return a_product().complete(t0).gone(t0 + 24h).build();
}

}  // namespace

TEST_CASE("product presence: missing from one complete listing is no end") {
    auto product = a_live_product();

    const auto once = missing(product, t0 + 24h);

    CHECK_FALSE(once.changed);
    CHECK_FALSE(once.event);
    CHECK(product.status() == ProductStatus::live);
    CHECK(product.state().version == 3);
}

TEST_CASE("product presence: missing from two complete listings in a row is") {
    auto product = a_live_product();
    missing(product, t0 + 24h);

    const auto twice = missing(product, t0 + 48h);

    CHECK(twice.changed);
    CHECK(twice.diff.empty());
    REQUIRE(twice.event);
    CHECK(twice.event->type == ProductEventType::deleted);
    CHECK(twice.event->reason == ProductEventReason::delisted);
    CHECK(twice.event->version == 4);
    CHECK(twice.event->occurred_at == now);
    CHECK(product.is_deleted());
    CHECK(product.is_complete());
    CHECK(product.state().updated_at == now);
}

TEST_CASE("product presence: a deletion takes every field away from the server") {
    auto product = a_live_product();

    const auto event = gone(product, t0 + 24h).event;

    REQUIRE(event);
    CHECK(event->diff == FieldDiff({{"/listing/name", "\"가방\"", std::nullopt},
                                    {"/detail/name", "\"가방\"", std::nullopt},
                                    {"/option/name", "\"가방\"", std::nullopt}}));
}

TEST_CASE("product presence: the same listing told twice counts once") {
    auto product = a_live_product();
    missing(product, t0 + 24h);
    const auto before = product.state();

    CHECK_FALSE(missing(product, t0 + 24h).changed);

    CHECK(product.state() == before);
    CHECK(product.status() == ProductStatus::live);
}

TEST_CASE("product presence: a listing that has it in between starts the count anew") {
    auto product = a_live_product();
    missing(product, t0 + 24h);
    absorb(product, a_listing().fetched(t0 + 48h));

    CHECK_FALSE(missing(product, t0 + 72h).changed);
    CHECK(product.status() == ProductStatus::live);
    CHECK(missing(product, t0 + 96h).changed);
    CHECK(product.is_deleted());
}

TEST_CASE("product presence: listings that are told late count for when they were, not for when they came") {
    auto product = a_live_product();
    missing(product, t0 + 72h);
    CHECK_FALSE(missing(product, t0 - 24h).changed);  // before it was last listed
    CHECK(product.status() == ProductStatus::live);

    CHECK(missing(product, t0 + 24h).changed);

    CHECK(product.is_deleted());
    CHECK(product.state().missing_at[0] == t0 + 72h);
    CHECK(product.state().missing_at[1] == t0 + 24h);
}

TEST_CASE("product presence: of many absences the two newest are kept") {
    auto product = a_live_product();
    for (const auto days : {3, 1, 5, 2, 4, 5, 4}) missing(product, t0 + days * 24h);

    CHECK(product.state().missing_at[0] == t0 + 5 * 24h);
    CHECK(product.state().missing_at[1] == t0 + 4 * 24h);
}

TEST_CASE("product presence: both absences must be later than the last listing; at the same time it is there") {
    auto product = a_live_product();
    missing(product, t0 + 1us);
    missing(product, t0);
    CHECK(product.status() == ProductStatus::live);

    missing(product, t0 + 2us);

    CHECK(product.is_deleted());
}

TEST_CASE("product presence: one that no listing ever had is missing after two as well") {
    auto product = a_product().knowing(a_detail().fetched(t0)).build();
    missing(product, t0 - 24h);
    CHECK(product.status() == ProductStatus::incomplete);

    const auto twice = missing(product, t0 - 48h);

    CHECK(twice.changed);
    CHECK_FALSE(twice.event);  // the server never heard of it
    CHECK(product.is_deleted());
    CHECK_FALSE(product.is_complete());
}

TEST_CASE("product presence: 'gone' in answer to its detail ends it at once") {
    auto product = a_live_product();

    const auto absorbed = gone(product, t0 + 1us);

    CHECK(absorbed.changed);
    REQUIRE(absorbed.event);
    CHECK(absorbed.event->type == ProductEventType::deleted);
    CHECK(absorbed.event->reason == ProductEventReason::gone);
    CHECK(product.is_deleted());
}

TEST_CASE("product presence: 'gone' from before the last detail says nothing; at the same time it is there") {
    auto product = a_live_product();

    CHECK_FALSE(gone(product, t0 - 1us).changed);
    CHECK_FALSE(gone(product, t0).changed);

    CHECK(product.status() == ProductStatus::live);
    CHECK(product.state().version == 3);
}

TEST_CASE("product presence: an older 'gone' does not hide a newer one") {
    auto product = a_live_product();
    gone(product, t0 + 48h);
    CHECK_FALSE(gone(product, t0 + 24h).changed);

    CHECK(product.state().gone_at == t0 + 48h);
    absorb(product, a_detail().fetched(t0 + 36h));
    CHECK(product.is_deleted());
}

TEST_CASE("product presence: one that is gone before its detail ever came is deleted, and nobody hears of it") {
    auto product = a_product().knowing(a_listing().fetched(t0)).build();

    const auto absorbed = gone(product, t0);

    CHECK(absorbed.changed);
    CHECK_FALSE(absorbed.event);
    CHECK(product.is_deleted());
}

TEST_CASE("product presence: a delisted one is back when a listing has it again") {
    auto product = a_delisted_product();

    const auto absorbed = absorb(product, a_listing().fetched(t0 + 72h));

    CHECK(absorbed.changed);
    CHECK(absorbed.diff.empty());
    REQUIRE(absorbed.event);
    CHECK(absorbed.event->type == ProductEventType::created);
    CHECK(absorbed.event->reason == ProductEventReason::seen_again);
    CHECK(absorbed.event->version == 4);
    CHECK(absorbed.event->diff.changes().size() == 3);
    CHECK(product.status() == ProductStatus::live);
}

TEST_CASE("product presence: a listing told late brings it back only if it was later than one of the two absences") {
    auto product = a_delisted_product();
    CHECK_FALSE(absorb(product, a_listing().fetched(t0 + 24h - 1us)).event);
    CHECK(product.is_deleted());

    CHECK(absorb(product, a_listing().fetched(t0 + 24h)).event);
    CHECK(product.status() == ProductStatus::live);
}

TEST_CASE("product presence: one that was gone is back when its detail is there again") {
    auto product = a_gone_product();

    const auto event = absorb(product, a_detail().fetched(t0 + 24h)).event;

    REQUIRE(event);
    CHECK(event->type == ProductEventType::created);
    CHECK(event->reason == ProductEventReason::seen_again);
    CHECK(product.status() == ProductStatus::live);
}

TEST_CASE("product presence: a detail does not bring back what listings have lost") {
    auto product = a_delisted_product();

    CHECK_FALSE(absorb(product, a_detail().fetched(t0 + 72h)).event);

    CHECK(product.is_deleted());
}

TEST_CASE("product presence: a listing does not bring back what its detail calls gone") {
    auto product = a_gone_product();

    CHECK_FALSE(absorb(product, a_listing().fetched(t0 + 72h)).event);

    CHECK(product.is_deleted());
}

TEST_CASE("product presence: options bring nothing back") {
    auto product = GENERATE(a_delisted_product(), a_gone_product());

    CHECK_FALSE(absorb(product, an_option().fetched(t0 + 72h)).event);

    CHECK(product.is_deleted());
}

TEST_CASE("product presence: lost by both, it is back when both see it again") {
    auto product = a_product().complete(t0).missing(t0 + 48h, t0 + 24h).gone(t0 + 24h).build();

    CHECK_FALSE(absorb(product, a_detail().fetched(t0 + 72h)).event);
    CHECK(product.is_deleted());
    CHECK(absorb(product, a_listing().fetched(t0 + 72h)).event);
    CHECK(product.status() == ProductStatus::live);
}

TEST_CASE("product presence: it is deleted once, however many say so") {
    auto product = a_delisted_product();

    CHECK_FALSE(missing(product, t0 + 72h).changed);
    const auto absorbed = gone(product, t0 + 72h);

    CHECK_FALSE(absorbed.changed);
    CHECK_FALSE(absorbed.event);
    CHECK(product.state().version == 3);
    CHECK(product.state().gone_at == t0 + 72h);
}

TEST_CASE("product presence: what changes while it is deleted is kept, and told when it is back") {
    auto product = a_gone_product();
    const auto meanwhile = absorb(product, a_listing().saying(R"({"name":"새 가방"})").fetched(t0 + 48h));
    CHECK(meanwhile.changed);
    CHECK(meanwhile.diff == FieldDiff({{"/listing/name", "\"가방\"", "\"새 가방\""}}));
    CHECK_FALSE(meanwhile.event);
    CHECK(product.state().version == 4);

    const auto event = absorb(product, a_detail().fetched(t0 + 72h)).event;

    REQUIRE(event);
    CHECK(event->version == 5);
    CHECK(event->diff == FieldDiff({{"/listing/name", std::nullopt, "\"새 가방\""},
                                    {"/detail/name", std::nullopt, "\"가방\""},
                                    {"/option/name", std::nullopt, "\"가방\""}}));
}

TEST_CASE("product presence: found again before it ever was complete, it waits for its facets") {
    auto product = a_product().knowing(a_listing().fetched(t0)).gone(t0 + 24h).build();
    REQUIRE(product.is_deleted());

    const auto absorbed = absorb(product, a_detail().fetched(t0 + 48h));

    CHECK(absorbed.changed);
    CHECK_FALSE(absorbed.event);
    CHECK(product.status() == ProductStatus::incomplete);
    CHECK(absorb(product, an_option()).event->reason == ProductEventReason::first_complete);
}

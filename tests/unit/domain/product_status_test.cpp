#include <catch2/catch_test_macros.hpp>
#include <set>
#include <tuple>

#include "domain/product.hpp"
#include "support/builders/product.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr auto incomplete = ProductStatus::incomplete;
constexpr auto live = ProductStatus::live;
constexpr auto deleted = ProductStatus::deleted;

enum class Told { nothing, created, updated, deleted };

// One fact, at t0 + 3d, on a product in one of the situations below.
struct Step {
    std::string situation;
    ProductStatus from;
    std::string fact;
    ProductStatus to;
    Told told;
};

// Every situation that leads to a status, times every fact, each with what must come of it.
const std::vector<Step> grid{
    {"two facets", incomplete, "listing", incomplete, Told::nothing},
    {"two facets", incomplete, "detail", incomplete, Told::nothing},
    {"two facets", incomplete, "option", live, Told::created},
    {"two facets", incomplete, "missing", incomplete, Told::nothing},
    {"two facets", incomplete, "gone", deleted, Told::nothing},
    {"two facets", incomplete, "gone long ago", incomplete, Told::nothing},
    {"two facets, missing once", incomplete, "listing", incomplete, Told::nothing},
    {"two facets, missing once", incomplete, "detail", incomplete, Told::nothing},
    {"two facets, missing once", incomplete, "option", live, Told::created},
    {"two facets, missing once", incomplete, "missing", deleted, Told::nothing},
    {"two facets, missing once", incomplete, "gone", deleted, Told::nothing},
    {"two facets, missing once", incomplete, "gone long ago", incomplete, Told::nothing},
    {"complete", live, "listing", live, Told::updated},
    {"complete", live, "detail", live, Told::updated},
    {"complete", live, "option", live, Told::updated},
    {"complete", live, "missing", live, Told::nothing},
    {"complete", live, "gone", deleted, Told::deleted},
    {"complete", live, "gone long ago", live, Told::nothing},
    {"complete, missing once", live, "listing", live, Told::updated},
    {"complete, missing once", live, "detail", live, Told::updated},
    {"complete, missing once", live, "option", live, Told::updated},
    {"complete, missing once", live, "missing", deleted, Told::deleted},
    {"complete, missing once", live, "gone", deleted, Told::deleted},
    {"complete, missing once", live, "gone long ago", live, Told::nothing},
    {"delisted", deleted, "listing", live, Told::created},
    {"delisted", deleted, "detail", deleted, Told::nothing},
    {"delisted", deleted, "option", deleted, Told::nothing},
    {"delisted", deleted, "missing", deleted, Told::nothing},
    {"delisted", deleted, "gone", deleted, Told::nothing},
    {"delisted", deleted, "gone long ago", deleted, Told::nothing},
    {"gone", deleted, "listing", deleted, Told::nothing},
    {"gone", deleted, "detail", live, Told::created},
    {"gone", deleted, "option", deleted, Told::nothing},
    {"gone", deleted, "missing", deleted, Told::nothing},
    {"gone", deleted, "gone", deleted, Told::nothing},
    {"gone", deleted, "gone long ago", deleted, Told::nothing},
    {"two facets, gone", deleted, "listing", deleted, Told::nothing},
    {"two facets, gone", deleted, "detail", incomplete, Told::nothing},
    {"two facets, gone", deleted, "option", deleted, Told::nothing},
    {"two facets, gone", deleted, "missing", deleted, Told::nothing},
    {"two facets, gone", deleted, "gone", deleted, Told::nothing},
    {"two facets, gone", deleted, "gone long ago", deleted, Told::nothing},
};

Product in(const std::string& situation) {
    auto product = a_product().knowing(a_listing().fetched(t0)).knowing(a_detail().fetched(t0));
    if (!situation.starts_with("two facets")) product.knowing(an_option().fetched(t0));
    if (situation.ends_with("missing once")) product.missing(t0 + 24h);
    if (situation.ends_with("delisted")) product.missing(t0 + 48h, t0 + 24h);
    if (situation.ends_with("gone")) product.gone(t0 + 24h);
    return product;
}

ProductVerb verb_of(const std::string& fact) {
    if (fact == "missing") return ProductVerb::miss;
    return fact.starts_with("gone") ? ProductVerb::lose : ProductVerb::describe;
}

Result<Absorbed> tell(Product& product, const std::string& fact) {
    const auto at = t0 + 72h;
    const auto kind = fact == "listing" ? FacetKind::listing : fact == "detail" ? FacetKind::detail : FacetKind::option;
    if (fact == "missing") return product.missing_from_listing(at, flat_diff, at);
    if (fact == "gone") return product.gone(at, flat_diff, at);
    if (fact == "gone long ago") return product.gone(t0 - 1h, flat_diff, at);
    return product.absorb(FacetBuilder(kind).saying(R"({"name":"new"})").fetched(at), flat_diff, at);
}

Told told(const Absorbed& absorbed) {
    if (!absorbed.event) return Told::nothing;
    switch (absorbed.event->type) {
        case ProductEventType::created:
            return Told::created;
        case ProductEventType::updated:
            return Told::updated;
        case ProductEventType::deleted:
            break;
    }
    return Told::deleted;
}

using Arrow = std::tuple<ProductStatus, ProductVerb, ProductStatus>;

}  // namespace

TEST_CASE("product status: every fact in every situation leads where it must and tells what it must") {
    for (const auto& step : grid) {
        CAPTURE(step.situation, step.fact);
        auto product = in(step.situation);
        REQUIRE(product.status() == step.from);

        const auto absorbed = tell(product, step.fact);

        REQUIRE(absorbed);
        CHECK(product.status() == step.to);
        CHECK(told(*absorbed) == step.told);
        CHECK(absorbed->changed == (step.from != step.to || verb_of(step.fact) == ProductVerb::describe));
    }
}

TEST_CASE("product status: the table allows exactly the moves of the grid") {
    std::set<Arrow> walked;
    for (const auto& step : grid) walked.insert({step.from, verb_of(step.fact), step.to});

    for (const auto from : {incomplete, live, deleted}) {
        for (const auto verb : {ProductVerb::describe, ProductVerb::miss, ProductVerb::lose}) {
            CHECK(product_table.allows(from, verb));
            for (const auto to : {incomplete, live, deleted}) {
                CAPTURE(to_string(from), to_string(verb), to_string(to));
                CHECK(product_table.allows(from, verb, to) == walked.contains({from, verb, to}));
            }
        }
    }
}

TEST_CASE("product status: a move that is not in the table is a conflict that names item, status and verb") {
    auto status = live;

    const auto refused = product_table.move(status, ProductVerb::describe, deleted, "4711");

    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::conflict);
    CHECK(refused.error().detail == "Product 4711 is LIVE; cannot describe it");
    CHECK(status == live);
}

TEST_CASE("product status: a move that is in the table for more than one reason says when") {
    const auto machine = product_table.machine();

    CHECK(machine.first == "INCOMPLETE");
    CHECK(machine.states == std::vector<std::string_view>{"INCOMPLETE", "LIVE", "DELETED"});
    for (const auto& arrow : machine.arrows) {
        const auto rivals = std::ranges::count_if(
            machine.arrows, [&](const auto& other) { return other.from == arrow.from && other.verb == arrow.verb; });
        CAPTURE(arrow.from, arrow.verb, arrow.to);
        CHECK(arrow.when.empty() == (rivals == 1));
    }
}

TEST_CASE("product status: every status and verb has a name") {
    CHECK(parse<ProductStatus>("DELETED") == deleted);
    CHECK(to_string(incomplete) == "INCOMPLETE");
    CHECK(to_string(live) == "LIVE");
    CHECK(to_string(ProductVerb::miss) == "miss");
    CHECK(to_string(ProductVerb::lose) == "lose");
    CHECK_FALSE(parse<ProductStatus>("live"));
}

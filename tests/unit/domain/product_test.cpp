#include "domain/product.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "support/builders/product.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
constexpr TimePoint now = t0 + 24h;

Absorbed absorb(Product& product, const Facet& facet) {
    auto absorbed = product.absorb(facet, flat_diff, now);
    REQUIRE(absorbed);
    return *absorbed;
}

}  // namespace

TEST_CASE("product: a discovered one is incomplete and knows nothing") {
    const auto product = Product::discover(9'007'199'254'740'993, *SellerId::parse("머스트잇"), t0);

    CHECK(product.status() == ProductStatus::incomplete);
    CHECK_FALSE(product.is_complete());
    CHECK_FALSE(product.is_deleted());
    CHECK(product.state().item == 9'007'199'254'740'993);
    CHECK(product.state().seller.value() == "머스트잇");
    CHECK(product.state().version == 0);
    CHECK(product.state().created_at == t0);
    CHECK(product.state().updated_at == t0);
    for (const auto& facet : product.state().facets) CHECK_FALSE(facet);
}

TEST_CASE("product: the first answer about a facet is a change of every field it has") {
    auto product = a_product().build();

    const auto absorbed = absorb(product, a_detail().saying(R"({"name":"가방","price":1000})").fetched(t0));

    CHECK(absorbed.changed);
    CHECK(absorbed.diff ==
          FieldDiff({{"/detail/name", std::nullopt, "\"가방\""}, {"/detail/price", std::nullopt, "1000"}}));
    CHECK(product.state().version == 1);
    CHECK(product.state().updated_at == now);
    const auto& known = product.facet(FacetKind::detail);
    REQUIRE(known);
    CHECK(known->canonical == R"({"name":"가방","price":1000})");
    CHECK(known->digest == digest_of(known->canonical));
    CHECK(known->version == 1);
    CHECK(known->fetched_at == t0);
}

TEST_CASE("product: each facet's changes carry its path") {
    auto product = a_product().build();

    CHECK(absorb(product, a_listing()).diff.changes().at(0).path == "/listing/name");
    CHECK(absorb(product, a_detail()).diff.changes().at(0).path == "/detail/name");
    CHECK(absorb(product, an_option()).diff.changes().at(0).path == "/option/name");
}

TEST_CASE("product: the same content fetched later is no change, but is remembered as fresh") {
    auto product = a_product().knowing(a_detail().fetched(t0)).build();
    const auto before = product.state();

    const auto absorbed = absorb(product, a_detail().fetched(t0 + 1s));

    CHECK_FALSE(absorbed.changed);
    CHECK(absorbed.diff.empty());
    CHECK_FALSE(absorbed.event);
    auto expected = before;
    expected.facets[1]->fetched_at = t0 + 1s;
    CHECK(product.state() == expected);
}

TEST_CASE("product: new content counts up the facet and the product, and says which fields changed") {
    auto product = a_product()
                       .knowing(a_detail().saying(R"({"name":"가방","price":1000})").fetched(t0))
                       .knowing(an_option().fetched(t0))
                       .build();

    const auto absorbed = absorb(product, a_detail().saying(R"({"name":"가방","price":900})").fetched(t0 + 1us));

    CHECK(absorbed.changed);
    CHECK(absorbed.diff == FieldDiff({{"/detail/price", "1000", "900"}}));
    CHECK(product.state().version == 3);
    CHECK(product.facet(FacetKind::detail)->version == 2);
    CHECK(product.facet(FacetKind::option)->version == 1);
}

TEST_CASE("product: an older fetch never overwrites a newer one") {
    auto product = a_product().complete(t0).build();
    const auto before = product.state();

    const auto absorbed = absorb(product, a_listing().saying(R"({"name":"옛 가방"})").fetched(t0 - 1us));

    CHECK_FALSE(absorbed.changed);
    CHECK(absorbed.diff.empty());
    CHECK_FALSE(absorbed.event);
    CHECK(product.state() == before);
}

TEST_CASE("product: the same fetch told twice is taken once") {
    auto product = a_product().build();
    absorb(product, a_listing().fetched(t0));
    const auto before = product.state();

    CHECK_FALSE(absorb(product, a_listing().fetched(t0)).changed);

    CHECK(product.state() == before);
}

TEST_CASE("product: of two fetches at the same time the greater digest stays, whichever comes first") {
    const auto one = a_listing().saying(R"({"name":"one"})").fetched(t0).build();
    const auto other = a_listing().saying(R"({"name":"other"})").fetched(t0).build();
    const auto& greater = one.digest > other.digest ? one : other;
    const auto& lesser = one.digest > other.digest ? other : one;

    auto product = a_product().knowing(lesser).build();
    CHECK(absorb(product, greater).changed);
    CHECK(product.facet(FacetKind::listing)->canonical == greater.canonical);

    product = a_product().knowing(greater).build();
    CHECK_FALSE(absorb(product, lesser).changed);
    CHECK(product.facet(FacetKind::listing)->canonical == greater.canonical);
}

TEST_CASE("product: it is complete when all three facets are there, in whatever order they come") {
    std::vector<FacetKind> kinds{FacetKind::listing, FacetKind::detail, FacetKind::option};
    do {
        auto product = a_product().build();

        absorb(product, FacetBuilder(kinds[0]));
        CHECK_FALSE(product.is_complete());
        absorb(product, FacetBuilder(kinds[1]));
        CHECK_FALSE(product.is_complete());
        absorb(product, FacetBuilder(kinds[2]));

        CHECK(product.is_complete());
        CHECK(product.status() == ProductStatus::live);
    } while (std::ranges::next_permutation(kinds).found);
}

TEST_CASE("product: options that were fetched and are none count as there") {
    auto product = a_product().knowing(a_listing()).knowing(a_detail()).build();

    const auto absorbed = absorb(product, an_option().saying("{}"));

    CHECK(absorbed.changed);
    CHECK(absorbed.diff == FieldDiff({{"/option", std::nullopt, "{}"}}));
    CHECK(product.is_complete());
    CHECK(absorbed.event);
}

TEST_CASE("product: it is created for the server when its last facet comes, with every field it has") {
    auto product = a_product()
                       .of_seller("머스트잇")
                       .knowing(a_listing().saying(R"({"name":"가방"})"))
                       .knowing(a_detail().saying(R"({"price":1000})"))
                       .build();

    const auto event = absorb(product, an_option().saying(R"({"4134224619":3})")).event;

    REQUIRE(event);
    CHECK(event->type == ProductEventType::created);
    CHECK(event->reason == ProductEventReason::first_complete);
    CHECK(event->item == 4711);
    CHECK(event->seller.value() == "머스트잇");
    CHECK(event->version == 3);
    CHECK(event->version == product.state().version);
    CHECK(event->occurred_at == now);
    CHECK(event->diff == FieldDiff({{"/listing/name", std::nullopt, "\"가방\""},
                                    {"/detail/price", std::nullopt, "1000"},
                                    {"/option/4134224619", std::nullopt, "3"}}));
}

TEST_CASE("product: an incomplete one is never announced") {
    auto product = a_product().build();

    CHECK_FALSE(absorb(product, a_listing().fetched(t0)).event);
    CHECK_FALSE(absorb(product, a_detail().fetched(t0)).event);
    CHECK_FALSE(absorb(product, a_detail().saying(R"({"price":900})").fetched(t0 + 1s)).event);
    CHECK(product.state().version == 3);
}

TEST_CASE("product: a real change of a live one is an update with the changed fields and the reason") {
    const auto [kind, reason, path] = GENERATE(table<FacetKind, ProductEventReason, std::string>({
        {FacetKind::listing, ProductEventReason::listing_changed, "/listing/name"},
        {FacetKind::detail, ProductEventReason::detail_changed, "/detail/name"},
        {FacetKind::option, ProductEventReason::option_changed, "/option/name"},
    }));
    auto product = a_product().complete(t0).build();

    const auto absorbed = absorb(product, FacetBuilder(kind).saying(R"({"name":"새 가방"})").fetched(t0 + 1s));

    REQUIRE(absorbed.event);
    CHECK(absorbed.event->type == ProductEventType::updated);
    CHECK(absorbed.event->reason == reason);
    CHECK(absorbed.event->version == 4);
    CHECK(absorbed.event->diff == FieldDiff({{path, "\"가방\"", "\"새 가방\""}}));
    CHECK(absorbed.event->diff == absorbed.diff);
}

TEST_CASE("product: whoever an answer names is its seller, whose crawl found it is only a guess") {
    auto product = a_product().of_seller("shop-1").build();

    const auto absorbed = absorb(product, a_detail().naming("머스트잇").fetched(t0));

    CHECK(absorbed.taken);
    CHECK(product.state().seller.value() == "머스트잇");
    CHECK(product.state().named == Naming{.own = true, .at = t0});
}

TEST_CASE("product: even a fetch that is too old to be taken names the seller, once") {
    auto product = a_product().of_seller("shop-1").complete(t0).build();
    const auto older = a_detail().naming("머스트잇").fetched(t0 - 1s).build();

    CHECK(absorb(product, older).taken);
    CHECK(product.state().seller.value() == "머스트잇");
    CHECK_FALSE(absorb(product, older).taken);
}

TEST_CASE("product: an item that moves to another seller is his from the first answer on that says so") {
    auto product = a_product().named("shop-1", t0).complete(t0).build();

    absorb(product, a_listing().naming("머스트잇").fetched(t0 + 1s));
    CHECK(product.state().seller.value() == "머스트잇");

    absorb(product, a_detail().naming("shop-1").fetched(t0 + 1us));
    CHECK(product.state().seller.value() == "머스트잇");
}

TEST_CASE("product: whose item it is can be learnt from another seller's crawl") {
    auto product = a_product().of_seller("shop-1").build();

    CHECK(product.name_seller(*SellerId::parse("머스트잇"), t0));
    CHECK(product.state().seller.value() == "머스트잇");

    CHECK_FALSE(product.name_seller(*SellerId::parse("머스트잇"), t0));
    CHECK_FALSE(product.name_seller(*SellerId::parse("다른 셀러"), t0 - 1s));
    CHECK(product.name_seller(*SellerId::parse("다른 셀러"), t0 + 1s));
}

TEST_CASE("product: what another seller's crawl came across never outweighs an answer to the seller's own") {
    auto product = a_product().named("머스트잇", t0).build();

    CHECK_FALSE(product.name_seller(*SellerId::parse("다른 셀러"), t0 + 24h));

    CHECK(product.state().seller.value() == "머스트잇");
}

TEST_CASE("product: a known text that cannot be read any more holds up neither its end nor its beginning") {
    auto broken = a_listing().fetched(t0).build();
    broken.canonical = "<html>";
    auto product = a_product().knowing(broken).knowing(a_detail().fetched(t0)).build();

    const auto created = absorb(product, an_option().saying(R"({"4134224619":3})").fetched(t0));
    REQUIRE(created.event);
    CHECK(created.event->diff ==
          FieldDiff({{"/detail/name", std::nullopt, "\"가방\""}, {"/option/4134224619", std::nullopt, "3"}}));

    const auto gone = product.gone(t0 + 1s, flat_diff, now);
    REQUIRE(gone);
    CHECK(gone->event->type == ProductEventType::deleted);
}

TEST_CASE("product: a partial facet stands in until the whole one comes, even one that was fetched before it") {
    auto product = a_product().build();
    absorb(product, a_listing().saying(R"({"name":"가방"})").partial().fetched(t0));
    CHECK(product.facet(FacetKind::listing)->partial);

    const auto whole = absorb(product, a_listing().saying(R"({"name":"가방","price":1000})").fetched(t0 - 1h));

    CHECK(whole.diff == FieldDiff({{"/listing/price", std::nullopt, "1000"}}));
    CHECK_FALSE(product.facet(FacetKind::listing)->partial);
    CHECK(product.facet(FacetKind::listing)->fetched_at == t0 - 1h);
}

TEST_CASE("product: a partial facet never replaces the whole one: what it does not say did not change") {
    auto product = a_product().knowing(a_listing().fetched(t0)).build();
    const auto before = product.state();

    CHECK_FALSE(absorb(product, a_listing().saying("{}").partial().fetched(t0 + 1h)).taken);

    CHECK(product.state() == before);
}

TEST_CASE("product: the whole facet is taken for whole where it says what the partial one said") {
    auto product = a_product().knowing(a_listing().partial().fetched(t0)).build();

    const auto absorbed = absorb(product, a_listing().fetched(t0 + 1s));

    CHECK(absorbed.taken);
    CHECK_FALSE(absorbed.changed);
    CHECK_FALSE(product.facet(FacetKind::listing)->partial);
}

TEST_CASE("product: that a search still finds it does not bring back what two complete listings lack") {
    auto product = a_product().complete(t0).missing(t0 + 2h, t0 + 1h).build();
    REQUIRE(product.is_deleted());

    absorb(product, a_listing().partial().fetched(t0 + 3h));
    CHECK(product.is_deleted());

    absorb(product, a_listing().fetched(t0 + 3h));
    CHECK_FALSE(product.is_deleted());
}

TEST_CASE("product: a facet of another item is refused and leaves no trace") {
    auto product = a_product().build();
    const auto before = product.state();

    const auto refused = product.absorb(a_detail().of_item(4712), flat_diff, now);

    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::invalid);
    CHECK(refused.error().detail == "product 4711: a facet of item 4712");
    CHECK(product.state() == before);
}

TEST_CASE("product: a facet whose text cannot be compared is refused and leaves no trace") {
    auto product = GENERATE(a_product(), a_product().complete(t0 - 1s)).build();
    const auto before = product.state();

    const auto refused = product.absorb(a_listing().saying("<html>").fetched(t0), flat_diff, now);

    REQUIRE_FALSE(refused);
    CHECK(refused.error() == Error{Errc::invalid, "not canonical: <html>"});
    CHECK(product.state() == before);
}

TEST_CASE("product: restoring what it was changes nothing") {
    const auto product = a_product().complete(t0).missing(t0 + 2s, t0 + 1s).gone(t0).build();

    CHECK(Product::restore(product.state()).state() == product.state());
}

TEST_CASE("product: two states are equal only if all that is known is") {
    const auto one = a_product().complete(t0).build().state();
    std::vector<Product::State> others(13, one);
    others[0].item = 4712;
    others[1].seller = *SellerId::parse("shop-2");
    others[2].facets[2].reset();
    others[3].missing_at[0] = t0;
    others[4].gone_at = t0;
    others[5].version = 4;
    others[6].created_at += 1us;
    others[7].updated_at += 1us;
    others[8].revision = 1;
    others[9].facets[0]->digest.bytes[31] ^= 1;
    others[10].facets[0]->version = 2;
    others[11].facets[0]->fetched_at += 1us;
    others[12].facets[0]->canonical = "{}";

    CHECK(one == a_product().complete(t0).build().state());
    for (const auto& other : others) CHECK(one != other);
}

TEST_CASE("facet: each kind has its name and its place") {
    CHECK(to_string(FacetKind::listing) == "LISTING");
    CHECK(parse<FacetKind>("OPTION") == FacetKind::option);
    CHECK(path_of(FacetKind::listing) == "/listing");
    CHECK(path_of(FacetKind::detail) == "/detail");
    CHECK(path_of(FacetKind::option) == "/option");
}

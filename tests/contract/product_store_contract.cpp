#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

Facet a_facet(FacetKind kind, const std::string& name, TimePoint fetched_at = t0) {
    return FacetBuilder(kind).saying(R"({"name":")" + name + "\"}").fetched(fetched_at);
}

bool absorb(Product& product, const Facet& facet) {
    const auto absorbed = product.absorb(facet, flat_diff, t0);
    return absorbed && absorbed->changed;
}

template <class Stores>
Product known(Stores& f, ItemNo item = 4711) {
    auto found = f.run(f.products->find({item}));
    REQUIRE(found);
    return found->empty() ? Product::discover(item, seller_id(), t0) : found->front();
}

CrawledRaw processed(CrawledRaw raw) {
    REQUIRE(raw.mark_processed());
    return raw;
}

template <class Stores>
std::size_t events(Stores& f) {
    return f.run(f.product_outbox->claim(100, t0 + 1h, 1s))->size();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("product store: a product not seen yet is empty, not an error", "[contract][product_store]",
                        StoreFixtures) {
    TestType f;
    const auto found = f.run(f.products->find({4711}));
    REQUIRE(found);
    CHECK(found->empty());
}

TEMPLATE_LIST_TEST_CASE("product store: of many items those are found that were seen, each once",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {known(f, 1), known(f, 2), known(f, 3)}, {}})));

    const auto found = f.run(f.products->find({3, 1, 3, 99}));

    REQUIRE(found);
    std::set<ItemNo> items;
    for (const auto& product : *found) CHECK(items.insert(product.state().item).second);
    CHECK(items == std::set<ItemNo>{1, 3});
}

TEMPLATE_LIST_TEST_CASE("product store: absorbing leaves product and event and ends the raw",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);
    auto product = known(f, 9'007'199'254'740'993);
    REQUIRE(absorb(product, FacetBuilder(a_facet(FacetKind::detail, "d-1", t0 + 1us)).of_item(9'007'199'254'740'993)));

    REQUIRE(f.run(f.products->absorb({processed(raw), {product}, {an_entry("o-1", "4711")}})));

    const auto found = f.run(f.products->find({9'007'199'254'740'993}));
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    const auto& state = found->front().state();
    CHECK(state.item == 9'007'199'254'740'993);
    CHECK(state.seller == seller_id());
    CHECK(state.version == 1);
    CHECK_FALSE(state.facets[0]);
    REQUIRE(state.facets[1]);
    CHECK(state.facets[1]->canonical == R"({"name":"d-1"})");
    CHECK(state.facets[1]->digest == digest_of(R"({"name":"d-1"})"));
    CHECK(state.facets[1]->version == 1);
    CHECK(state.facets[1]->fetched_at == t0 + 1us);
    CHECK_FALSE(state.facets[2]);
    CHECK(f.run(f.raws->claim(10, t0 + 24h, 1s))->empty());
    CHECK(events(f) == 1);
}

TEMPLATE_LIST_TEST_CASE("product store: everything that is known of a product comes back as it was",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto state = a_product()
                     .of_item(9'007'199'254'740'993)
                     .knowing(a_listing().saying("{\"name\":\"가방 \\\"x\\\" 👜\"}").fetched(t0 + 1us))
                     .knowing(an_option().saying("{}").fetched(t0 + 2us))
                     .missing(t0 + 4us, t0 + 3us)
                     .gone(t0 + 5us)
                     .build()
                     .state();
    state.facets[0]->version = 4'294'967'297;
    state.version = 4'294'967'299;
    state.created_at = t0 + 6us;
    state.updated_at = t0 + 7us;

    REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {Product::restore(state)}, {}})));

    auto found = known(f, 9'007'199'254'740'993).state();
    CHECK(found.revision != state.revision);
    found.revision = state.revision;
    CHECK(found == state);
}

TEMPLATE_LIST_TEST_CASE("product store: one raw may carry many products and no event", "[contract][product_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});

    REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {known(f, 1), known(f, 2), known(f, 3)}, {}})));

    CHECK(f.run(f.products->find({3}))->size() == 1);
    CHECK(events(f) == 0);
}

TEMPLATE_LIST_TEST_CASE("product store: a product is saved again and again, each time as read",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0), a_raw("r-2", t0 + 1s), a_raw("r-3", t0 + 2s)});
    for (int i = 1; i <= 3; ++i) {
        auto product = known(f);
        REQUIRE(absorb(product, a_facet(FacetKind::listing, "d-" + std::to_string(i), t0 + i * 1s)));
        REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {product}, {}})));
    }

    CHECK(known(f).state().version == 3);
    CHECK(known(f).state().facets[0]->canonical == R"({"name":"d-3"})");
}

TEMPLATE_LIST_TEST_CASE(
    "product store: of two who read the same product only the first absorbs; the other leaves nothing",
    "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0), a_raw("r-2", t0 + 1s), a_raw("r-0", t0 - 1s)});
    const bool seen_before = GENERATE(false, true);
    if (seen_before) REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {known(f)}, {}})));
    auto first = known(f);
    auto second = known(f);
    REQUIRE(absorb(first, a_facet(FacetKind::detail, "first")));
    REQUIRE(absorb(second, a_facet(FacetKind::option, "second")));
    const auto raw_of_second = claim_raw(f);
    REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {first}, {}})));

    const auto late =
        f.run(f.products->absorb({processed(raw_of_second), {known(f, 1), second}, {an_entry("o-2", "4711")}}));

    CHECK(code_of(late) == "CONFLICT");
    CHECK(known(f).state().facets[1]->canonical == R"({"name":"first"})");
    CHECK_FALSE(known(f).state().facets[2]);
    CHECK(f.run(f.products->find({1}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.raws->settle(processed(raw_of_second))));  // still claimed: the raw can be read and tried again
}

TEMPLATE_LIST_TEST_CASE("product store: absorbing under a lost claim is a conflict and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto lost = claim_raw(f);
    const auto current = claim_raw(f, t0 + 60s);

    CHECK(code_of(f.run(f.products->absorb({processed(lost), {known(f)}, {an_entry("o-1", "4711")}}))) == "CONFLICT");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.products->absorb({processed(current), {known(f)}, {}})));
}

TEMPLATE_LIST_TEST_CASE("product store: only a PROCESSED raw is absorbed; another is invalid and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);

    CHECK(code_of(f.run(f.products->absorb({raw, {known(f)}, {an_entry("o-1", "4711")}}))) == "INVALID");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.products->absorb({processed(raw), {known(f)}, {}})));
}

TEMPLATE_LIST_TEST_CASE("product store: a raw is absorbed once", "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);
    REQUIRE(f.run(f.products->absorb({processed(raw), {}, {an_entry("o-1", "4711")}})));

    CHECK(code_of(f.run(f.products->absorb({processed(raw), {}, {an_entry("o-2", "4711")}}))) == "CONFLICT");
    CHECK(events(f) == 1);
}

TEMPLATE_LIST_TEST_CASE("product store: an event's id that is taken is a conflict and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0), a_raw("r-2", t0 + 1s)});
    REQUIRE(f.run(f.products->absorb({processed(claim_raw(f)), {}, {an_entry("o-1", "1")}})));
    const auto raw = claim_raw(f);

    CHECK(code_of(f.run(f.products->absorb({processed(raw), {known(f)}, {an_entry("o-1", "2")}}))) == "CONFLICT");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(f.run(f.raws->settle(processed(raw))));
}

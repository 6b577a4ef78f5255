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
    return found->empty() ? Product::discover(item, seller_id(), t0) : found->front().product;
}

CrawledRaw processed(CrawledRaw raw) {
    REQUIRE(raw.mark_processed());
    return raw;
}

// What an absorbed raw leaves behind.
ports::AbsorbedRaw leaving(CrawledRaw raw, std::vector<Product> products = {}, std::vector<OutboxEntry> events = {}) {
    return {.raw = std::move(raw),
            .products = std::move(products),
            .history = {},
            .events = std::move(events),
            .melted = {}};
}

template <class Stores>
std::vector<OutboxEntry> claim_events(Stores& f, TimePoint now = t0 + 1h) {
    auto claimed = f.run(f.product_outbox->claim(100, now, 60s));
    REQUIRE(claimed);
    return *claimed;
}

template <class Stores>
std::size_t events(Stores& f) {
    return claim_events(f).size();
}

template <class Stores>
std::vector<std::string> event_ids(Stores& f, TimePoint now = t0 + 1h) {
    std::vector<std::string> ids;
    for (const auto& entry : claim_events(f, now)) ids.push_back(entry.state().id.value);
    return ids;
}

// Item 4711, with these events about it.
template <class Stores>
void announce(Stores& f, std::vector<OutboxEntry> entries) {
    put_raws(f, {a_raw("r-announced", t0 - 1h)}, "e-announced");
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {known(f)}, std::move(entries)))));
}

// The id of the event that the next may melt into; empty: there is none.
template <class Stores>
std::string untold(Stores& f, ItemNo item = 4711) {
    const auto found = f.run(f.products->find({item}));
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    return found->front().untold ? found->front().untold->state().id.value : "";
}

template <class Stores>
void settle_event(Stores& f, OutboxEntry entry, bool arrived) {
    const RetryPolicy patient{.max_retries = 3};
    REQUIRE((arrived ? entry.mark_sent() : entry.mark_failed({Errc::unavailable, "HTTP 503"}, patient, t0 + 1h)));
    REQUIRE(*f.run(f.product_outbox->settle({entry}, t0 + 1h)) == 1);
}

ports::ProductChange a_change(std::int64_t version, FieldDiff diff = {}) {
    return {.item = 4711,
            .version = version,
            .raw = RawId{"r-1"},
            .changed_at = t0 + version * 1us,
            .diff = std::move(diff)};
}

using Ids = std::vector<std::string>;

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
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {known(f, 1), known(f, 2), known(f, 3)}))));

    const auto found = f.run(f.products->find({3, 1, 3, 99}));

    REQUIRE(found);
    std::set<ItemNo> items;
    for (const auto& seen : *found) CHECK(items.insert(seen.product.state().item).second);
    CHECK(items == std::set<ItemNo>{1, 3});
}

TEMPLATE_LIST_TEST_CASE("product store: absorbing leaves product and event and ends the raw",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);
    auto product = known(f, 9'007'199'254'740'993);
    REQUIRE(absorb(product, FacetBuilder(a_facet(FacetKind::detail, "d-1", t0 + 1us)).of_item(9'007'199'254'740'993)));

    REQUIRE(f.run(f.products->absorb(leaving(processed(raw), {product}, {an_entry("o-1", "4711")}))));

    const auto found = f.run(f.products->find({9'007'199'254'740'993}));
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    const auto& state = found->front().product.state();
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

    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {Product::restore(state)}))));

    auto found = known(f, 9'007'199'254'740'993).state();
    CHECK(found.revision != state.revision);
    found.revision = state.revision;
    CHECK(found == state);
}

TEMPLATE_LIST_TEST_CASE("product store: one raw may carry many products and no event", "[contract][product_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});

    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {known(f, 1), known(f, 2), known(f, 3)}))));

    CHECK(f.run(f.products->find({3}))->size() == 1);
    CHECK(events(f) == 0);
}

TEMPLATE_LIST_TEST_CASE("product store: a product is saved again and again, each time as read",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 2s), a_raw("r-2", t0 - 1s), a_raw("r-3", t0)});
    for (int i = 1; i <= 3; ++i) {
        auto product = known(f);
        REQUIRE(absorb(product, a_facet(FacetKind::listing, "d-" + std::to_string(i), t0 + i * 1s)));
        REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {product}))));
    }

    CHECK(known(f).state().version == 3);
    CHECK(known(f).state().facets[0]->canonical == R"({"name":"d-3"})");
}

TEMPLATE_LIST_TEST_CASE(
    "product store: of two who read the same product only the first absorbs; the other leaves nothing",
    "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0), a_raw("r-0", t0 - 2s)});
    const bool seen_before = GENERATE(false, true);
    if (seen_before) REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {known(f)}))));
    auto first = known(f);
    auto second = known(f);
    REQUIRE(absorb(first, a_facet(FacetKind::detail, "first")));
    REQUIRE(absorb(second, a_facet(FacetKind::option, "second")));
    const auto raw_of_second = claim_raw(f);
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {first}))));

    const auto late =
        f.run(f.products->absorb(leaving(processed(raw_of_second), {known(f, 1), second}, {an_entry("o-2", "4711")})));

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

    CHECK(code_of(f.run(f.products->absorb(leaving(processed(lost), {known(f)}, {an_entry("o-1", "4711")})))) ==
          "CONFLICT");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.products->absorb(leaving(processed(current), {known(f)}))));
}

TEMPLATE_LIST_TEST_CASE("product store: only a PROCESSED raw is absorbed; another is invalid and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);

    CHECK(code_of(f.run(f.products->absorb(leaving(raw, {known(f)}, {an_entry("o-1", "4711")})))) == "INVALID");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.products->absorb(leaving(processed(raw), {known(f)}))));
}

TEMPLATE_LIST_TEST_CASE("product store: a raw is absorbed once", "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);
    REQUIRE(f.run(f.products->absorb(leaving(processed(raw), {}, {an_entry("o-1", "4711")}))));

    CHECK(code_of(f.run(f.products->absorb(leaving(processed(raw), {}, {an_entry("o-2", "4711")})))) == "CONFLICT");
    CHECK(events(f) == 1);
}

TEMPLATE_LIST_TEST_CASE("product store: an event's id that is taken is a conflict and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {}, {an_entry("o-1", "1")}))));
    const auto raw = claim_raw(f);

    CHECK(code_of(f.run(f.products->absorb(leaving(processed(raw), {known(f)}, {an_entry("o-1", "2")})))) ==
          "CONFLICT");

    CHECK(f.run(f.products->find({4711}))->empty());
    CHECK(f.run(f.raws->settle(processed(raw))));
}

TEMPLATE_LIST_TEST_CASE("product store: whose item it is, and how that is known, comes back as it was",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    const bool own = GENERATE(false, true);
    auto state = a_product().of_seller("다른 셀러").build().state();
    state.named = Naming{own, t0 + 8us};

    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {Product::restore(state)}))));

    CHECK(known(f).state().seller.value() == "다른 셀러");
    CHECK(known(f).state().named == Naming{own, t0 + 8us});
}

TEMPLATE_LIST_TEST_CASE("product store: a partial facet stays one until the whole one is saved",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    auto part = a_facet(FacetKind::listing, "part", t0 + 1h);
    part.partial = true;
    auto product = known(f);
    REQUIRE(absorb(product, part));
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {product}))));
    CHECK(known(f).state().facets[0]->partial);

    auto again = known(f);
    REQUIRE(absorb(again, a_facet(FacetKind::listing, "whole", t0)));
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {again}))));

    CHECK_FALSE(known(f).state().facets[0]->partial);
    CHECK(known(f).state().facets[0]->canonical == R"({"name":"whole"})");
    CHECK(known(f).state().facets[0]->fetched_at == t0);
}

TEMPLATE_LIST_TEST_CASE("product store: an event that nobody has tried to tell comes with its product, as written",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    const auto entry = an_entry("o-1", "4711", t0 + 1us).in_lane("shop-1").due(t0 + 2us).build();

    announce(f, {entry, an_entry("o-2", "47110")});

    const auto found = f.run(f.products->find({4711}));
    REQUIRE(found);
    REQUIRE(found->at(0).untold);
    CHECK(found->at(0).untold->state() == entry.state());
}

TEMPLATE_LIST_TEST_CASE("product store: a product that nothing is to be told about comes alone",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;

    announce(f, {an_entry("o-1", "47110"), an_entry("o-2", "471")});

    CHECK(untold(f) == "");
}

TEMPLATE_LIST_TEST_CASE("product store: of several untold events the youngest comes with the product",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711"), an_entry("o-2", "4711"), an_entry("o-3", "4711")});
    CHECK(untold(f) == "o-3");

    CHECK(event_ids(f) == Ids{"o-1"});

    CHECK(untold(f) == "o-3");  // that the first of them is being told does not change it
}

TEMPLATE_LIST_TEST_CASE("product store: an event is untold no longer once it was claimed, whatever came of it",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711")});
    const auto claimed = claim_events(f);
    REQUIRE(claimed.size() == 1);
    CHECK(untold(f) == "");

    const bool arrived = GENERATE(false, true);
    settle_event(f, claimed[0], arrived);

    CHECK(untold(f) == "");
}

TEMPLATE_LIST_TEST_CASE("product store: the event that others melted into takes their place in the order",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711"), an_entry("o-2", "4711")});
    const auto first = claim_events(f);
    REQUIRE(first.size() == 1);
    put_raws(f, {a_raw("r-1")});
    auto melting = leaving(processed(claim_raw(f)), {known(f)}, {an_entry("o-3", "4711")});
    melting.melted = {OutboxId{"o-2"}};

    REQUIRE(f.run(f.products->absorb(melting)));

    CHECK(untold(f) == "o-3");
    CHECK(event_ids(f).empty());
    settle_event(f, first[0], true);
    CHECK(event_ids(f) == Ids{"o-3"});
    CHECK(event_ids(f, t0 + 24h) == Ids{"o-3"});
}

TEMPLATE_LIST_TEST_CASE("product store: events may melt into nothing at all, and their ids are free again",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711"), an_entry("o-2", "4712")});
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    auto melting = leaving(processed(claim_raw(f)), {known(f)});
    melting.melted = {OutboxId{"o-1"}};

    REQUIRE(f.run(f.products->absorb(melting)));

    CHECK(untold(f) == "");
    CHECK(event_ids(f) == Ids{"o-2"});
    REQUIRE(f.run(f.products->absorb(leaving(processed(claim_raw(f)), {}, {an_entry("o-1", "4711")}))));
    CHECK(untold(f) == "o-1");
}

TEMPLATE_LIST_TEST_CASE("product store: melting an event that was claimed since is a conflict and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711"), an_entry("o-2", "4712")});
    put_raws(f, {a_raw("r-1")});
    const auto raw = claim_raw(f);
    auto melting = leaving(processed(raw), {known(f), known(f, 1)}, {an_entry("o-3", "4711")});
    melting.melted = {OutboxId{"o-2"}, OutboxId{"o-1"}};
    melting.history = {a_change(1)};
    auto claimed = f.run(f.product_outbox->claim(1, t0 + 1h, 60s));
    REQUIRE(claimed);
    REQUIRE(claimed->size() == 1);
    const bool is_over = GENERATE(false, true);
    if (is_over) settle_event(f, claimed->front(), GENERATE(false, true));

    CHECK(code_of(f.run(f.products->absorb(melting))) == "CONFLICT");

    CHECK(f.run(f.products->find({1}))->empty());
    CHECK(f.run(f.products->history(4711, 10))->empty());
    CHECK(event_ids(f) == Ids{claimed->front().state().id.value == "o-1" ? "o-2" : "o-1"});
    CHECK(f.run(f.raws->settle(processed(raw))));
}

TEMPLATE_LIST_TEST_CASE("product store: melting an event that has melted already is a conflict and leaves nothing",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    announce(f, {an_entry("o-1", "4711")});
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    auto first = leaving(processed(claim_raw(f)));
    first.melted = {OutboxId{"o-1"}};
    REQUIRE(f.run(f.products->absorb(first)));
    auto second = leaving(processed(claim_raw(f)), {known(f, 1)}, {an_entry("o-2", "4711")});
    second.melted = {OutboxId{"o-1"}};

    CHECK(code_of(f.run(f.products->absorb(second))) == "CONFLICT");

    CHECK(f.run(f.products->find({1}))->empty());
    CHECK(events(f) == 0);
}

TEMPLATE_LIST_TEST_CASE("product store: the history of a product comes newest first, as it was written",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    auto created = a_change(4'294'967'299, FieldDiff({{"/detail/name", std::nullopt, R"("가방 \"x\" 👜")"},
                                                      {"/detail/images", R"(["a","b"])", std::nullopt},
                                                      {"/listing/price", "545600", "500000"}}));
    created.event = ProductEventType::created;
    auto deleted = a_change(4'294'967'300);
    deleted.event = ProductEventType::deleted;
    deleted.raw = RawId{"r-2"};
    auto first = leaving(processed(claim_raw(f)));
    first.history = {a_change(9), created};
    auto second = leaving(processed(claim_raw(f)));
    second.history = {deleted};

    REQUIRE(f.run(f.products->absorb(first)));
    REQUIRE(f.run(f.products->absorb(second)));

    using Changes = std::vector<ports::ProductChange>;
    CHECK(*f.run(f.products->history(4711, 10)) == Changes{deleted, created, a_change(9)});
    CHECK(*f.run(f.products->history(4711, 2)) == Changes{deleted, created});
    CHECK(f.run(f.products->history(4712, 10))->empty());
}

TEMPLATE_LIST_TEST_CASE("product store: each version of a product has one change; another is a conflict",
                        "[contract][product_store]", StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1", t0 - 1s), a_raw("r-2", t0)});
    auto first = leaving(processed(claim_raw(f)));
    first.history = {a_change(1)};
    REQUIRE(f.run(f.products->absorb(first)));
    auto second = leaving(processed(claim_raw(f)), {known(f, 1)});
    second.history = {a_change(2), a_change(1)};

    CHECK(code_of(f.run(f.products->absorb(second))) == "CONFLICT");

    CHECK(f.run(f.products->history(4711, 10))->size() == 1);
    CHECK(f.run(f.products->find({1}))->empty());
}

TEMPLATE_LIST_TEST_CASE("product store: several answers are absorbed together", "[contract][product_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1"), a_raw("r-2")});
    auto raws = f.run(f.raws->claim(2, t0, 60s));
    auto bag = Product::discover(1, seller_id(), t0);
    auto hat = Product::discover(2, seller_id(), t0);
    REQUIRE(bag.absorb(a_listing().of_item(1), flat_diff, t0));
    REQUIRE(hat.absorb(a_listing().of_item(2), flat_diff, t0));
    const auto first = leaving(processed(raws->at(0)), {bag}, {an_entry("p-1", "1")});
    const auto second = leaving(processed(raws->at(1)), {hat}, {an_entry("p-2", "2")});

    REQUIRE(f.run(f.products->absorb(std::vector{first, second})));

    CHECK(f.run(f.products->find({1, 2}))->size() == 2);
    CHECK(events(f) == 2);
    CHECK(f.run(f.raws->claim(2, t0 + 1h, 60s))->empty());
}

TEMPLATE_LIST_TEST_CASE("product store: of several answers all are absorbed or none", "[contract][product_store]",
                        StoreFixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1"), a_raw("r-2")});
    auto raws = f.run(f.raws->claim(2, t0, 60s));
    auto bag = Product::discover(1, seller_id(), t0);
    REQUIRE(bag.absorb(a_listing().of_item(1), flat_diff, t0));
    const auto first = leaving(processed(raws->at(0)), {bag}, {an_entry("p-1", "1")});
    auto second = leaving(processed(raws->at(1)));
    std::string_view code = "CONFLICT";

    SECTION("a product that is in two of them") {
        second.products.push_back(bag);
    }
    SECTION("an answer that is not processed") {
        second.raw = raws->at(1);
        code = "INVALID";
    }
    SECTION("a claim that is over") {
        REQUIRE(f.run(f.raws->settle(second.raw)));
    }

    CHECK(code_of(f.run(f.products->absorb(std::vector{first, second}))) == code);
    CHECK(f.run(f.products->find({1}))->empty());
    CHECK(events(f) == 0);
    CHECK(f.run(f.products->absorb(first)));
}

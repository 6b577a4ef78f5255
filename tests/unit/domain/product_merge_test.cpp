// Facts about one product in any order: the product and its server end the same, and as a judge says who sees all facts
// at once.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

#include "support/model_server.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};

struct Fact {
    enum Kind { missing, gone, facet } kind = missing;  // at one time, what speaks for the product comes last
    TimePoint at;
    Facet says;
};

// Most come in about the order in which they happen, as in life.
Fact random_fact(std::mt19937_64& random, std::size_t place) {
    const auto at = t0 + static_cast<int>(place / 2 + random() % 4) * 1s;
    const auto what = random() % 10;
    if (what < 3) return {Fact::missing, at, {}};
    if (what < 4) return {Fact::gone, at, {}};
    const auto kind = what < 6 ? FacetKind::listing : what < 8 ? FacetKind::detail : FacetKind::option;
    const std::vector<std::string> texts{R"({})", R"({"name":"가방"})", R"({"name":"가방","price":1000})",
                                         R"({"price":900})"};
    auto facet = FacetBuilder(kind).saying(texts[random() % texts.size()]).fetched(at);
    if (kind != FacetKind::detail && random() % 4 == 0) facet.partial();
    if (random() % 2 == 0) facet.naming(random() % 2 == 0 ? "shop-1" : "머스트잇");
    return {Fact::facet, at, facet};
}

std::vector<Fact> random_facts(std::mt19937_64& random) {
    std::vector<Fact> facts;
    const auto count = 3 + random() % 18;
    while (facts.size() < count) {
        facts.push_back(random_fact(random, facts.size()));
        if (random() % 4 == 0) facts.push_back(facts[random() % facts.size()]);  // some come twice
    }
    return facts;
}

// What all the facts together say, told one after the other in the order in which they happened.
struct Judge {
    std::map<FacetKind, Facet> facets;
    int absences = 0;
    bool is_gone = false;

    explicit Judge(std::vector<Fact> facts) {
        std::ranges::sort(facts, [](const Fact& a, const Fact& b) {
            return std::tie(a.at, a.kind, a.says.digest) < std::tie(b.at, b.kind, b.says.digest);
        });
        std::optional<TimePoint> last_absence;
        for (const auto& fact : facts) {
            if (fact.kind == Fact::missing && last_absence != fact.at) {
                ++absences;
                last_absence = fact.at;
            }
            if (fact.kind == Fact::gone) is_gone = true;
            if (fact.kind != Fact::facet) continue;
            const auto known = facets.find(fact.says.kind);
            const bool whole_is_known = known != facets.end() && !known->second.partial;
            if (!fact.says.partial || !whole_is_known) facets[fact.says.kind] = fact.says;
            if (fact.says.kind == FacetKind::listing && !fact.says.partial) absences = 0;
            if (fact.says.kind == FacetKind::detail) is_gone = false;
        }
    }

    ProductStatus status() const {
        if (absences >= 2 || is_gone) return ProductStatus::deleted;
        return facets.size() == 3 ? ProductStatus::live : ProductStatus::incomplete;
    }
    Fields content() const {
        Fields all;
        for (const auto& [kind, facet] : facets) {
            for (const auto& [path, value] : fields_of(facet.canonical)) all[std::string(path_of(kind)) + path] = value;
        }
        return all;
    }
};

bool agrees(const Product& product, const Judge& judge) {
    for (const auto& entry : names(FacetKind{})) {
        const auto& known = product.facet(entry.value);
        const auto expected = judge.facets.find(entry.value);
        if (known.has_value() != (expected != judge.facets.end())) return false;
        if (known && (known->canonical != expected->second.canonical || known->digest != expected->second.digest ||
                      known->fetched_at != expected->second.fetched_at || known->partial != expected->second.partial))
            return false;
    }
    return product.status() == judge.status();
}

Absorbed tell(Product& product, const Fact& fact, TimePoint now) {
    auto told = fact.kind == Fact::missing ? product.missing_from_listing(fact.at, flat_diff, now)
                : fact.kind == Fact::gone  ? product.gone(fact.at, flat_diff, now)
                                           : product.absorb(fact.says, flat_diff, now);
    REQUIRE(told);
    return *told;
}

// Everything but what depends on the way there: the counts and the times of our own.
Product::State without_history(Product::State state) {
    for (auto& facet : state.facets) {
        if (facet) facet->version = 0;
    }
    state.version = 0;
    state.updated_at = {};
    return state;
}

struct Line {
    Product product = Product::discover(4711, *SellerId::parse("머스트잇"), t0);
    ModelServer server;
    std::vector<ProductEvent> events;

    explicit Line(const std::vector<Fact>& facts) {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            auto told = tell(product, facts[i], t0 + static_cast<int>(i) * 1min);
            if (told.event) events.push_back(*told.event);
        }
        for (const auto& event : events) server.apply(event);
    }
};

}  // namespace

TEST_CASE("product merge: facts in any order end in the same product and the same server") {
    std::set<ProductStatus> ends;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        auto facts = random_facts(random);
        const Judge judge(facts);
        const Line first(facts);
        ends.insert(first.product.status());

        for (int order = 0; order < 6; ++order) {
            CAPTURE(order);
            std::ranges::shuffle(facts, random);
            const Line line(facts);

            CHECK(agrees(line.product, judge));
            CHECK(without_history(line.product.state()) == without_history(first.product.state()));
            CHECK(line.server.consistent);
            CHECK(line.server.present == (judge.status() == ProductStatus::live));
            CHECK(line.server.fields == (line.server.present ? judge.content() : Fields{}));
        }
    }
    CHECK(ends.size() == 3);
}

TEST_CASE(
    "product merge: after every single fact the product is what the judge says, and tells what the change is worth") {
    std::map<ProductEventType, int> told;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto facts = random_facts(random);
        auto product = Product::discover(4711, *SellerId::parse("shop-1"), t0);
        std::vector<Fact> so_far;
        for (const auto& fact : facts) {
            const Judge before(so_far);
            so_far.push_back(fact);
            const Judge after(so_far);
            const auto version = product.state().version;

            const auto absorbed = tell(product, fact, t0 + 1h);

            CHECK(agrees(product, after));
            const bool was_live = before.status() == ProductStatus::live;
            const bool is_live = after.status() == ProductStatus::live;
            const bool content_changed =
                before.facets.size() != after.facets.size() || before.content() != after.content();
            const bool changed = content_changed || before.status() != after.status();
            CHECK(absorbed.changed == changed);
            CHECK(product.state().version == version + (changed ? 1 : 0));
            std::optional<ProductEventType> expected;
            if (is_live && !was_live) expected = ProductEventType::created;
            if (was_live && !is_live) expected = ProductEventType::deleted;
            if (was_live && is_live && content_changed) expected = ProductEventType::updated;
            REQUIRE(absorbed.event.has_value() == expected.has_value());
            if (!expected) continue;
            CHECK(absorbed.event->type == *expected);
            CHECK(absorbed.event->version == product.state().version);
            CHECK(absorbed.event->diff ==
                  diff_fields(was_live ? before.content() : Fields{}, is_live ? after.content() : Fields{}));
            ++told[*expected];
        }
    }
    CHECK(told[ProductEventType::created] > 50);
    CHECK(told[ProductEventType::updated] > 50);
    CHECK(told[ProductEventType::deleted] > 50);
}

TEST_CASE("product merge: facts told twice change nothing the second time") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        auto facts = random_facts(random);
        Line line(facts);
        const auto settled = line.product.state();

        std::ranges::shuffle(facts, random);
        for (const auto& fact : facts) {
            const auto again = tell(line.product, fact, t0 + 24h);
            CHECK_FALSE(again.changed);
            CHECK_FALSE(again.event);
        }

        CHECK(line.product.state() == settled);
    }
}

TEST_CASE("product merge: melting all unsent events of a product tells the server the same in one") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const Line line(random_facts(random));

        std::optional<ProductEvent> unsent;
        for (const auto& event : line.events) unsent = unsent ? coalesce(*unsent, event) : event;
        ModelServer server;
        if (unsent) server.apply(*unsent);

        CHECK(server.consistent);
        CHECK(server.present == line.server.present);
        CHECK(server.fields == line.server.fields);
    }
}

#include "domain/field_diff.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "support/builders/product.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

FieldDiff diff(std::vector<FieldChange> changes) {
    return FieldDiff(std::move(changes));
}

// Up to five fields, each there or not, with one of three values.
Fields random_fields(std::mt19937_64& random) {
    Fields fields;
    for (const auto* path : {"/a", "/a/b", "/가격", "/재고", "/z"}) {
        const auto value = random() % 4;
        if (value > 0) fields.emplace(path, std::to_string(value));
    }
    return fields;
}

Fields applied(Fields fields, const FieldDiff& changes) {
    for (const auto& change : changes.changes()) {
        fields.erase(change.path);
        if (change.after) fields.emplace(change.path, *change.after);
    }
    return fields;
}

}  // namespace

TEST_CASE("field diff: one made of nothing is empty") {
    CHECK(FieldDiff{}.empty());
    CHECK(diff({}).empty());
    CHECK(diff({}) == FieldDiff{});
}

TEST_CASE("field diff: changes are sorted by path, however they came") {
    const auto sorted = diff({{"/b", "1", "2"}, {"/a/z", "1", "2"}, {"/a", "1", "2"}});

    REQUIRE(sorted.changes().size() == 3);
    CHECK(sorted.changes()[0].path == "/a");
    CHECK(sorted.changes()[1].path == "/a/z");
    CHECK(sorted.changes()[2].path == "/b");
    CHECK(sorted == diff({{"/a", "1", "2"}, {"/b", "1", "2"}, {"/a/z", "1", "2"}}));
}

TEST_CASE("field diff: a change to the same value is none") {
    CHECK(diff({{"/price", "1000", "1000"}}).empty());
    CHECK(diff({{"/price", std::nullopt, std::nullopt}}).empty());
    CHECK(diff({{"/price", "1000", "1000"}, {"/stock", "1", "0"}}).changes().size() == 1);
}

TEST_CASE("field diff: a field that comes or goes is a change") {
    CHECK_FALSE(diff({{"/price", std::nullopt, "1000"}}).empty());
    CHECK_FALSE(diff({{"/price", "1000", std::nullopt}}).empty());
    CHECK_FALSE(diff({{"/name", std::nullopt, ""}}).empty());  // an empty text is there
}

TEST_CASE("field diff: two are equal only if paths and values are") {
    const auto one = diff({{"/price", "1", "2"}});

    CHECK(one == diff({{"/price", "1", "2"}}));
    CHECK(one != diff({{"/stock", "1", "2"}}));
    CHECK(one != diff({{"/price", "0", "2"}}));
    CHECK(one != diff({{"/price", "1", "3"}}));
    CHECK(one != diff({{"/price", "1", std::nullopt}}));
}

TEST_CASE("field diff: two changes of one field are one, from the first to the last") {
    const auto both = diff({{"/price", "1", "2"}}).then(diff({{"/price", "2", "3"}}));

    CHECK(both == diff({{"/price", "1", "3"}}));
}

TEST_CASE("field diff: a field that comes back to where it was has not changed") {
    CHECK(diff({{"/price", "1", "2"}}).then(diff({{"/price", "2", "1"}})).empty());
    CHECK(diff({{"/price", std::nullopt, "2"}}).then(diff({{"/price", "2", std::nullopt}})).empty());
    CHECK(diff({{"/price", "2", std::nullopt}}).then(diff({{"/price", std::nullopt, "2"}})).empty());
}

TEST_CASE("field diff: changes of different fields stand side by side, in order") {
    const auto one = diff({{"/b", "1", "2"}, {"/d", "1", "2"}});
    const auto other = diff({{"/a", "1", "2"}, {"/c", "1", "2"}, {"/e", "1", "2"}});
    const auto both = diff({{"/a", "1", "2"}, {"/b", "1", "2"}, {"/c", "1", "2"}, {"/d", "1", "2"}, {"/e", "1", "2"}});

    CHECK(one.then(other) == both);
    CHECK(other.then(one) == both);
}

TEST_CASE("field diff: nothing before or after changes nothing") {
    const auto change = diff({{"/가격", "1000", "900"}});

    CHECK(change.then(FieldDiff{}) == change);
    CHECK(FieldDiff{}.then(change) == change);
}

TEST_CASE("field diff: the way back swaps before and after") {
    const auto change = diff({{"/a", "1", "2"}, {"/b", std::nullopt, "3"}, {"/c", "4", std::nullopt}});

    CHECK(change.inverse() == diff({{"/a", "2", "1"}, {"/b", "3", std::nullopt}, {"/c", std::nullopt, "4"}}));
}

TEST_CASE("field diff: as a part of something greater every path gets the part's in front") {
    const auto change = diff({{"/price", "1000", "900"}, {"/stock", "1", std::nullopt}, {"", "1", "2"}});

    CHECK(change.under("/detail") ==
          diff({{"/detail", "1", "2"}, {"/detail/price", "1000", "900"}, {"/detail/stock", "1", std::nullopt}}));
    CHECK(change.under("") == change);
    CHECK(FieldDiff{}.under("/detail").empty());
}

TEST_CASE("field diff: a way in two steps is the way in one") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto a = random_fields(random);
        const auto b = random_fields(random);
        const auto c = random_fields(random);
        const auto ab = diff_fields(a, b);
        const auto bc = diff_fields(b, c);

        CHECK(ab.then(bc) == diff_fields(a, c));
        CHECK(applied(a, ab.then(bc)) == c);
    }
}

TEST_CASE("field diff: three steps may be put together in either order") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto a = random_fields(random);
        const auto b = random_fields(random);
        const auto c = random_fields(random);
        const auto d = random_fields(random);
        const auto ab = diff_fields(a, b);
        const auto bc = diff_fields(b, c);
        const auto cd = diff_fields(c, d);

        CHECK(ab.then(bc).then(cd) == ab.then(bc.then(cd)));
    }
}

TEST_CASE("field diff: there and back is nowhere, and back is the diff the other way round") {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto a = random_fields(random);
        const auto b = random_fields(random);
        const auto ab = diff_fields(a, b);

        CHECK(ab.then(ab.inverse()).empty());
        CHECK(ab.inverse() == diff_fields(b, a));
        CHECK(ab.inverse().inverse() == ab);
    }
}

TEST_CASE("field diff: it does not matter whether a part is put in its place before or after") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto a = random_fields(random);
        const auto b = random_fields(random);
        const auto c = random_fields(random);
        const auto ab = diff_fields(a, b);
        const auto bc = diff_fields(b, c);

        CHECK(ab.under("/x").then(bc.under("/x")) == ab.then(bc).under("/x"));
        CHECK(ab.under("/x").inverse() == ab.inverse().under("/x"));
        CHECK(ab.under("/y").under("/x") == ab.under("/x/y"));
    }
}

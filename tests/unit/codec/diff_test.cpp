#include "codec/diff.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

using namespace crawler;
using codec::diff;
using namespace std::string_literals;

namespace {

using Changes = std::vector<FieldChange>;

Changes changes(std::string_view before, std::string_view after, std::string_view root = {}) {
    const auto found = diff(before, after, root);
    if (!found) FAIL(found.error().detail);
    return found->changes();
}

}  // namespace

TEST_CASE("diff: equal texts have none", "[codec][diff]") {
    CHECK(changes(R"({"price":1})", R"({"price":1})").empty());
    CHECK(changes("", "").empty());
}

TEST_CASE("diff: a changed field carries both values as canonical fragments", "[codec][diff]") {
    CHECK(changes(R"({"name":"백팩","price":1})", R"({"name":"백팩","price":20})") == Changes{{"/price", "1", "20"}});
    CHECK(changes(R"({"name":"a"})", R"({"name":"b\""})") == Changes{{"/name", R"("a")", R"("b\"")"}});
}

TEST_CASE("diff: a field that came or went has one side only", "[codec][diff]") {
    CHECK(changes(R"({"a":1,"c":3})", R"({"a":1,"b":2,"c":3})") == Changes{{"/b", std::nullopt, "2"}});
    CHECK(changes(R"({"a":1,"b":2,"c":3})", R"({"a":1,"c":3})") == Changes{{"/b", "2", std::nullopt}});
    CHECK(changes(R"({"a":1})", R"({"z":1})") == Changes{{"/a", "1", std::nullopt}, {"/z", std::nullopt, "1"}});
}

TEST_CASE("diff: an array changes as one", "[codec][diff]") {
    CHECK(changes(R"({"images":["a","b"]})", R"({"images":["b","a"]})") ==
          Changes{{"/images", R"(["a","b"])", R"(["b","a"])"}});
}

TEST_CASE("diff: objects are stepped into", "[codec][diff]") {
    CHECK(changes(R"({"4134224619":{"size":"US 4","stock":1}})", R"({"4134224619":{"size":"US 4","stock":0}})") ==
          Changes{{"/4134224619/stock", "1", "0"}});
}

TEST_CASE("diff: against nothing every leaf is new, or gone", "[codec][diff]") {
    CHECK(changes("", R"({"a":{"b":1},"c":[]})") == Changes{{"/a/b", std::nullopt, "1"}, {"/c", std::nullopt, "[]"}});
    CHECK(changes(R"({"a":{"b":1}})", "") == Changes{{"/a/b", "1", std::nullopt}});
}

TEST_CASE("diff: an object with nothing in it is a leaf", "[codec][diff]") {
    CHECK(changes("", "{}", "/option") == Changes{{"/option", std::nullopt, "{}"}});
    CHECK(changes("{}", R"({"1":{"stock":2}})", "/option") ==
          Changes{{"/option", "{}", std::nullopt}, {"/option/1/stock", std::nullopt, "2"}});
    CHECK(changes(R"({"a":{"b":1}})", R"({"a":{}})") ==
          Changes{{"/a", std::nullopt, "{}"}, {"/a/b", "1", std::nullopt}});
}

TEST_CASE("diff: a value that becomes an object is gone, and the object's leaves are new", "[codec][diff]") {
    CHECK(changes(R"({"a":1})", R"({"a":{"b":2}})") == Changes{{"/a", "1", std::nullopt}, {"/a/b", std::nullopt, "2"}});
    CHECK(changes(R"({"a":{"b":2}})", R"({"a":[1]})") ==
          Changes{{"/a", std::nullopt, "[1]"}, {"/a/b", "2", std::nullopt}});
}

TEST_CASE("diff: paths begin with the root and escape what pointers must escape", "[codec][diff]") {
    CHECK(changes(R"({"a/b~c":1,"d\"e":1})", R"({"a/b~c":2,"d\"e":2})", "/detail") ==
          Changes{{"/detail/a~1b~0c", "1", "2"}, {"/detail/d\"e", "1", "2"}});
}

TEST_CASE("diff: brackets, commas and quotes inside texts are just text", "[codec][diff]") {
    CHECK(changes(R"({"a":"}],{[\"\\","b":1})", R"({"a":"}],{[\"\\","b":2})") == Changes{{"/b", "1", "2"}});
    CHECK(changes(R"({"a":["]\\"],"b":1})", R"({"a":["]\\"],"b":2})") == Changes{{"/b", "1", "2"}});
}

TEST_CASE("diff: two diffs in a row add up to the diff over both", "[codec][diff]") {
    const std::string first = "{}";
    const std::string second = R"({"1":{"stock":2},"2":{"stock":1}})";
    const std::string third = R"({"1":{"stock":5}})";

    CHECK(diff(first, second)->then(*diff(second, third)) == *diff(first, third));
    CHECK(diff(first, second)->then(*diff(second, first)).empty());
}

TEST_CASE("diff: text that is not canonical is invalid", "[codec][diff]") {
    const std::string good = R"({"a":1,"b":{"c":2}})";
    for (const std::string bad : {"{",
                                  "}",
                                  "{\"a\"}",
                                  "{\"a\":}",
                                  "{\"a\":1",
                                  "{\"a\":1,}",
                                  "{\"a\":1}x",
                                  "{\"b\":1,\"a\":2}",
                                  "{\"a\":1,\"a\":2}",
                                  "{\"a\" :1}",
                                  "{\"a\": 1}",
                                  "{a:1}",
                                  "{\"a\":1 ,\"b\":2}",
                                  "{\"a\":\"x}",
                                  "[1",
                                  "{\"a\":1]",
                                  " ",
                                  "{,}",
                                  "\"",
                                  "{\"a\":1\"b\":2}",
                                  "{\"\\x\":1}"}) {
        CAPTURE(bad);
        CHECK_FALSE(diff(bad, good));
        CHECK_FALSE(diff(good, bad));
        CHECK_FALSE(diff("", bad));
        REQUIRE_FALSE(diff(bad, ""));
        CHECK(diff(bad, "").error().code == Errc::invalid);
    }
}

TEST_CASE("diff: nesting is limited", "[codec][diff]") {
    const auto nested = [](std::size_t depth, const std::string& inside) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += "{\"a\":";
        return text + inside + std::string(depth, '}');
    };

    CHECK(diff(nested(60, "1"), nested(60, "2")));
    CHECK_FALSE(diff(nested(100000, "1"), nested(100000, "2")));
}

TEST_CASE("diff: garbage neither crashes nor hangs it", "[codec][diff]") {
    const auto alphabet = "{}[]\",:\\au1-\0 ~"s;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::string before;
        std::string after = R"({"a":1,"b":{"c":"x"},"d":[1,{"e":2}]})";
        for (std::size_t i = random() % 40; i > 0; --i) before += alphabet[random() % alphabet.size()];
        for (int i = 0; i < 3; ++i) after[random() % after.size()] = alphabet[random() % alphabet.size()];

        const auto one = diff(before, after);
        const auto other = diff(after, before);

        CHECK(static_cast<bool>(one) == static_cast<bool>(other));
    }
}

#include "codec/changes.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace crawler::codec;

namespace {

FieldDiff some_changes() {
    return FieldDiff({{"/option/4134224619/size", std::nullopt, R"("US \"4\"")"},
                      {"/detail/itemName", R"("백팩")", R"("배낭 },{")"},
                      {"/detail/images", R"(["a",["b"]])", std::nullopt}});
}

bool is_refused(std::string_view text) {
    const auto read = read_changes(text);
    return !read && read.error().code == Errc::invalid;
}

}  // namespace

TEST_CASE("changes: they are written by path, with null for what was not there or is no longer", "[codec][changes]") {
    CHECK(write_changes(some_changes()) == R"([{"after":null,"before":["a",["b"]],"path":"/detail/images"},)"
                                           R"({"after":"배낭 },{","before":"백팩","path":"/detail/itemName"},)"
                                           R"({"after":"US \"4\"","before":null,"path":"/option/4134224619/size"}])");
    CHECK(write_changes({}) == "[]");
}

TEST_CASE("changes: what was written is read back", "[codec][changes]") {
    CHECK(*read_changes(write_changes(some_changes())) == some_changes());
    CHECK(read_changes("[]")->empty());

    const FieldDiff odd({{"/detail/a~1b \"\n", "-5", "{}"}});
    CHECK(*read_changes(write_changes(odd)) == odd);
}

TEST_CASE("changes: the text null is a value, and no sign that there is none", "[codec][changes]") {
    const FieldDiff diff({{"/detail/name", R"("null")", std::nullopt}});

    CHECK(*read_changes(write_changes(diff)) == diff);
}

TEST_CASE("changes: cut short at any byte they are invalid", "[codec][changes]") {
    const auto whole = write_changes(some_changes());
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(is_refused(std::string_view(whole).substr(0, length)));
    }
    CHECK(is_refused(whole + " "));
    CHECK(is_refused(whole + "]"));
}

TEST_CASE("changes: what would be written in another way is refused", "[codec][changes]") {
    CHECK(is_refused("{}"));
    CHECK(is_refused("null"));
    CHECK(is_refused("[1]"));
    CHECK(is_refused(R"([{"before":1,"after":2,"path":"/a"}])"));
    CHECK(is_refused(R"([{"after":2,"before":1}])"));
    CHECK(is_refused(R"([{"after":2,"before":1,"path":5}])"));
    CHECK(is_refused(R"([{"after":2,"before":1,"path":"/a","why":1}])"));
    CHECK(is_refused(R"([{"after":2,"before":1,"path":"/b"},{"after":2,"before":1,"path":"/a"}])"));
    CHECK(is_refused(R"([{"after":2,"before":1,"path":"/a"},{"after":2,"before":1,"path":"/a"}])"));
}

TEST_CASE("changes: from a value to the same is no change, and is refused as one", "[codec][changes]") {
    CHECK(is_refused(R"([{"after":1,"before":1,"path":"/a"}])"));
    CHECK(is_refused(R"([{"after":null,"before":null,"path":"/a"}])"));
}

TEST_CASE("changes: the one that is wrong is named by its place", "[codec][changes]") {
    const auto read = read_changes(R"([{"after":2,"before":1,"path":"/a"},{"after":2,"path":"/b"}])");

    REQUIRE_FALSE(read);
    CHECK(read.error().detail == "changes: /1 is not as it was written");
}

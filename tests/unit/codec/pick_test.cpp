#include "codec/pick.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace crawler::codec;

namespace {

// One member of each kind, and a tagged array with a tagged array inside.
enum Slot : std::size_t { text, name, price, count, percent, number, flag, list, set, inner, deep, slots };

constexpr std::array list_element{Member{.rule = Rule::name}};
constexpr Shape list_shape{.kind = Shape::Kind::list, .members = list_element, .slot = list};
constexpr std::array titled_members{Member{.name = "title", .rule = Rule::name}};
constexpr Shape titled_shape{.members = titled_members};
constexpr std::array set_element{Member{.inside = &titled_shape}};
constexpr Shape set_shape{.kind = Shape::Kind::set, .members = set_element, .slot = set};

constexpr std::array deep_members{Member{.name = "v", .rule = Rule::number, .slot = deep}};
constexpr Shape deep_shape{.members = deep_members};
constexpr std::array deep_types{Member{.name = "D", .inside = &deep_shape}};
constexpr Shape deep_tagged{.kind = Shape::Kind::tagged, .members = deep_types};
constexpr std::array deep_element{Member{.inside = &deep_tagged}};
constexpr Shape deep_array{.kind = Shape::Kind::array, .members = deep_element};
constexpr std::array inner_members{Member{.name = "v", .rule = Rule::number, .slot = inner},
                                   Member{.name = "items", .need = Need::optional, .inside = &deep_array}};
constexpr Shape inner_shape{.members = inner_members};
constexpr std::array module_types{Member{.name = "M", .inside = &inner_shape}};
constexpr Shape module_shape{.kind = Shape::Kind::tagged, .members = module_types};
constexpr std::array module_element{Member{.inside = &module_shape}};
constexpr Shape modules_shape{.kind = Shape::Kind::array, .members = module_element};

constexpr auto optional = Need::optional;
constexpr std::array root_members{
    Member{.name = "text", .need = optional, .rule = Rule::text, .slot = text},
    Member{.name = "name", .need = optional, .rule = Rule::name, .slot = name},
    Member{.name = "price", .need = optional, .rule = Rule::price, .slot = price},
    Member{.name = "count", .need = optional, .rule = Rule::count, .slot = count},
    Member{.name = "percent", .need = optional, .rule = Rule::percent, .slot = percent},
    Member{.name = "number", .need = optional, .rule = Rule::number, .slot = number},
    Member{.name = "flag", .need = optional, .rule = Rule::flag, .slot = flag},
    Member{.name = "list", .need = optional, .inside = &list_shape},
    Member{.name = "set", .need = optional, .inside = &set_shape},
    Member{.name = "modules", .need = optional, .inside = &modules_shape},
};
constexpr Shape root_shape{.members = root_members};

Result<Picked> read(std::string_view json, PickLimits limits = {}) {
    return pick({.root = &root_shape, .slots = slots}, json, limits);
}

std::string value(std::string_view json, Slot slot) {
    const auto picked = read(json);
    if (!picked) FAIL(json << ": " << picked.error().detail);
    return std::string(picked->document()[slot]);
}

std::string complaint(std::string_view json, PickLimits limits = {}) {
    const auto picked = read(json, limits);
    if (picked) FAIL(json << " was read");
    CHECK(picked.error().code == Errc::invalid);
    return picked.error().detail;
}

}  // namespace

TEST_CASE("pick: a number and its text are the same", "[codec][pick]") {
    CHECK(value(R"({"price":621000})", price) == "621000");
    CHECK(value(R"({"price":"621000"})", price) == "621000");
    CHECK(value(R"({"price":"621,000"})", price) == "621000");
    CHECK(value(R"({"price":621000.0})", price) == "621000");
    CHECK(value(R"({"text":"16"})", text) == R"("16")");
    CHECK(value(R"({"text":16})", text) == R"("16")");
}

TEST_CASE("pick: numbers beyond 32 bits are whole", "[codec][pick]") {
    CHECK(value(R"({"number":4134224619})", number) == "4134224619");
    CHECK(value(R"({"number":9223372036854775807})", number) == "9223372036854775807");
    CHECK(complaint(R"({"number":9223372036854775808})") ==
          "/number: must be a whole number above zero, found 9223372036854775808");
}

TEST_CASE("pick: every rule says what it wants and what it found", "[codec][pick]") {
    CHECK(complaint(R"({"text":true})") == "/text: must be text, found true");
    CHECK(complaint(R"({"text":1.5})") == "/text: must be text, found 1.5");
    CHECK(complaint(R"({"text":{}})") == "/text: must be text, found an object");
    CHECK(complaint(R"({"name":""})") == R"(/name: must be text that is not blank, found "")");
    CHECK(complaint(R"({"name":" \n"})") == R"(/name: must be text that is not blank, found " \n")");
    CHECK(complaint(R"({"price":"무료"})") == R"(/price: must be a positive price, found "무료")");
    CHECK(complaint(R"({"price":0})") == "/price: must be a positive price, found 0");
    CHECK(complaint(R"({"price":-5})") == "/price: must be a positive price, found -5");
    CHECK(complaint(R"({"price":6.21e5})") == "/price: must be a positive price, found 6.21e5");
    CHECK(complaint(R"({"price":[1]})") == "/price: must be a positive price, found an array");
    CHECK(complaint(R"({"count":-1})") == "/count: must be a whole number, zero or above, found -1");
    CHECK(complaint(R"({"count":false})") == "/count: must be a whole number, zero or above, found false");
    CHECK(complaint(R"({"percent":101})") == "/percent: must be a whole number from 0 to 100, found 101");
    CHECK(complaint(R"({"number":0})") == "/number: must be a whole number above zero, found 0");
    CHECK(complaint(R"({"flag":"true"})") == R"(/flag: must be true or false, found "true")");
    CHECK(complaint(R"({"flag":1})") == "/flag: must be true or false, found 1");
    CHECK(complaint(R"({"list":"a"})") == R"(/list: must be an array, found "a")");
    CHECK(complaint(R"({"list":{}})") == "/list: must be an array, found an object");
    CHECK(complaint(R"({"set":["a"]})") == R"(/set/0: must be an object, found "a")");
    CHECK(complaint(R"({"list":["a",""]})") == R"(/list/1: must be text that is not blank, found "")");
    CHECK(complaint(R"({"set":[{"title":"a"},{}]})") == "/set/1/title: must be there");
    CHECK(complaint("[]") == "the answer: must be an object, found an array");
    CHECK(complaint("null") == "the answer: must be an object, found null");
}

TEST_CASE("pick: both sides of the bounds", "[codec][pick]") {
    CHECK(value(R"({"price":1})", price) == "1");
    CHECK(value(R"({"count":0})", count) == "0");
    CHECK(value(R"({"percent":0})", percent) == "0");
    CHECK(value(R"({"percent":100})", percent) == "100");
    CHECK(value(R"({"text":""})", text) == R"("")");
}

TEST_CASE("pick: long finds are cut, and never inside a character", "[codec][pick]") {
    std::string korean;
    for (int i = 0; i < 100; ++i) korean += "가";

    const auto said = complaint(R"({"price":"a)" + korean + "\"}");

    CHECK(said.size() < 150);
    CHECK(said.ends_with("가\u2026\""));
}

TEST_CASE("pick: null of an optional member is the same as none", "[codec][pick]") {
    CHECK(value(R"({"price":null})", price).empty());
    CHECK(value(R"({"list":null})", list).empty());
    CHECK(complaint(R"({"modules":[{"type":"M","data":null}]})") == "/modules/0/data: must be an object, found null");
    CHECK(complaint(R"({"modules":[{"type":"M","data":{"v":null}}]})") ==
          "/modules/0/data/v: must be a whole number above zero, found null");
}

TEST_CASE("pick: escapes are resolved and what must be is escaped again", "[codec][pick]") {
    CHECK(value(R"({"text":"\uac00\u0041\/\ud83d\ude42\n\u0001"})", text) == "\"가A/🙂\\n\\u0001\"");
    CHECK(value(R"({"\u0074ext":"a"})", text) == R"("a")");
}

TEST_CASE("pick: texts longer than the parser's pieces are whole", "[codec][pick]") {
    std::string inside;
    for (int i = 0; i < 5000; ++i) inside += "가\\n";

    CHECK(value("{\"text\":\"" + inside + "\"}", text) == "\"" + inside + "\"");
}

TEST_CASE("pick: half a surrogate, bad UTF-8 and a byte order mark are not JSON", "[codec][pick]") {
    CHECK(complaint(R"({"text":"\ud83d"})").starts_with("/text: must be JSON, but there is: "));
    CHECK(complaint(R"({"text":"\ude42\ud83d"})").starts_with("/text: must be JSON"));
    CHECK(complaint("{\"text\":\"\xff\"}").starts_with("/text: must be JSON"));
    CHECK(complaint("{\"other\":\"\xc0\xaf\"}").starts_with("the answer: must be JSON"));
    CHECK(complaint("\xEF\xBB\xBF{}").starts_with("the answer: must be JSON"));
}

TEST_CASE("pick: what is cut short or followed by something is not JSON", "[codec][pick]") {
    CHECK(complaint("") == "the answer: must be JSON, but it ends too early");
    CHECK(complaint(R"({"list":["a")") == "/list/0: must be JSON, but it ends too early");
    CHECK(complaint("{} {}") == "the answer: must be JSON, but something comes after it");
    CHECK(complaint("{}x") == "the answer: must be JSON, but something comes after it");
    CHECK(complaint("<html>").starts_with("the answer: must be JSON, but there is: "));
    CHECK(read("{} \n\t "));
}

TEST_CASE("pick: a wanted member that is there twice is refused, an unwanted one is not looked at", "[codec][pick]") {
    CHECK(complaint(R"({"price":1,"price":1})") == "/price: must be there once, found it twice");
    CHECK(complaint(R"({"list":[],"list":[]})") == "/list: must be there once, found it twice");
    CHECK(complaint(R"({"price":null,"price":1})") == "/price: must be there once, found it twice");
    CHECK(read(R"({"other":1,"other":[{"price":0}]})"));
}

TEST_CASE("pick: a list keeps order and repetition, a set neither", "[codec][pick]") {
    CHECK(value(R"({"list":["b","a","b"]})", list) == R"(["b","a","b"])");
    CHECK(value(R"({"set":[{"title":"b"},{"title":"a","x":[]},{"title":"b"}]})", set) == R"(["a","b"])");
    CHECK(value(R"({"list":[]})", list) == "[]");
    CHECK(value(R"({"set":[]})", set) == "[]");
}

TEST_CASE("pick: tagged objects are told apart by their type", "[codec][pick]") {
    CHECK(value(R"({"modules":[{"type":"X","data":{"v":0}},{"type":"M","data":{"v":5}}]})", inner) == "5");
    CHECK(complaint(R"({"modules":[{"type":"X"}]})") == "/modules: must hold M, found none");
    CHECK(complaint(R"({"modules":[]})") == "/modules: must hold M, found none");
    CHECK(complaint(R"({"modules":[{"type":"M","data":{"v":5}},{"type":"M","data":{"v":5}}]})") ==
          R"(/modules/1/type: must be there once for all, found "M")");
    CHECK(complaint(R"({"modules":[{"type":"M"}]})") == "/modules/0/data: must be there");
    CHECK(complaint(R"({"modules":[{"data":{}}]})") == "/modules/0/type: must be there");
    CHECK(complaint(R"({"modules":[{"type":5}]})") == "/modules/0/type: must be text, found 5");
    CHECK(complaint(R"({"modules":[{"type":[]}]})") == "/modules/0/type: must be text, found an array");
    CHECK(complaint(R"({"modules":[{"type":"M","type":"M"}]})") ==
          "/modules/0/type: must be there once, found it twice");
    CHECK(complaint(R"({"modules":[{"type":"M","data":{"v":1},"data":{"v":1}}]})") ==
          "/modules/0/data: must be there once, found it twice");
    CHECK(complaint(R"({"modules":[{"data":{"v":1},"data":{"v":1},"type":"M"}]})") ==
          "/modules/0/data: must be there once, found it twice");
    CHECK(complaint(R"({"modules":[5]})") == "/modules/0: must be an object, found 5");
}

TEST_CASE("pick: data may come before its type, at any level", "[codec][pick]") {
    const std::string both = R"({"modules":[{"data":{},"type":"X"},
        {"data":{"items":[{"data":{"v":7},"type":"D"},{"data":[],"type":"Y"}],"v":5},"type":"M"}]})";

    CHECK(value(both, inner) == "5");
    CHECK(value(both, deep) == "7");
    CHECK(complaint(R"({"modules":[{"data":{"v":0},"type":"M"}]})") ==
          "/modules/0/data/v: must be a whole number above zero, found 0");
}

TEST_CASE("pick: nesting is limited, wanted or not", "[codec][pick]") {
    const auto nested = [](std::size_t depth) {
        return "{\"other\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };

    CHECK(read(nested(63)));
    CHECK(complaint(nested(64)) == "the answer: must not be nested deeper than 64");
    CHECK(complaint(nested(1000000)) == "the answer: must not be nested deeper than 64");
    CHECK(read(nested(4), {.depth = 5}));
    CHECK(complaint(nested(5), {.depth = 5}) == "the answer: must not be nested deeper than 5");
}

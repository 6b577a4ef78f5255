#include "json_text.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace marketsim;

TEST_CASE("json text: commas stand between members and elements, and nowhere else") {
    JsonText json(16);
    json.object().number("a", -1).object("b").end_object().array("c").text("x").json("null").object().flag("y", true);
    json.end_object().array().end_array().end_array().text("d", "").end_object();

    CHECK(json.take() == R"({"a":-1,"b":{},"c":["x",null,{"y":true},[]],"d":""})");
}

TEST_CASE("json text: a text that ends like an opening is still a value") {
    JsonText json(16);
    json.array().text("{").text("[").text(",").end_array();

    CHECK(json.take() == R"(["{","[",","])");
}

TEST_CASE("json text: every character comes back, wherever it stands") {
    for (std::size_t before = 0; before < 18; ++before) {
        for (int code = 0; code < 128; ++code) {
            auto text = std::string(before, '.') + static_cast<char>(code) + "한글 🎁 끝";
            std::string quoted;
            append_quoted(quoted, text);
            CHECK(std::string_view(boost::json::parse(quoted).as_string()) == text);
        }
    }
}

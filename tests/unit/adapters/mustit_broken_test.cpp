// Answers with one thing wrong each, and what is said about it: the place as a JSON pointer, the rule, and what was found there.
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "adapters/mustit/mustit.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::EditedAnswer;
using crawler::test::sample_answer;

namespace {

constexpr ItemNo options_item = 117005038;

std::string complaint(const std::string& file, const std::string& body) {
    const auto said = [](const auto& result) {
        if (!result) CHECK(result.error().code == Errc::invalid);
        return result ? std::string("it was read") : result.error().detail;
    };
    if (file == "minishop.json") return said(read_listing(body));
    if (file == "search.json") return said(read_search(body));
    if (file == "detail.json") return said(read_detail(body));
    return said(read_options(body, options_item));
}

struct Broken {
    std::string file;
    std::string pointer;
    std::string json;  // put there; nothing: it is taken away
    std::string complaint;
};

const std::vector<Broken> variants{
    {"minishop.json", "/count", R"("many")", R"(/count: must be a whole number, zero or above, found "many")"},
    {"minishop.json", "/items", R"({"0":{}})", "/items: must be an array, found an object"},
    {"minishop.json", "/items/3", "null", "/items/3: must be an object, found null"},
    {"minishop.json", "/items/4/price", R"("")", R"(/items/4/price: must be a positive price, found "")"},
    {"minishop.json", "/items/0/itemNo", "9223372036854775808",
     "/items/0/itemNo: must be a whole number above zero, found 9223372036854775808"},
    {"minishop.json", "/items/1/imageUrlList", R"("one.jpg")",
     R"(/items/1/imageUrlList: must be an array, found "one.jpg")"},
    {"minishop.json", "/items/2/tagList/0/title", "", "/items/2/tagList/0/title: must be there"},
    {"search.json", "/moduleList", "", "/moduleList: must be there"},
    {"search.json", "/moduleList/0/type", "", "/moduleList/0/type: must be there"},
    {"search.json", "/moduleList/0/data/name", "true",
     "/moduleList/0/data/name: must be text that is not blank, found true"},
    {"search.json", "/moduleList/0/data/discountRate", R"("-5")",
     R"(/moduleList/0/data/discountRate: must be a whole number from 0 to 100, found "-5")"},
    {"search.json", "/nextApiUrl", "{}", "/nextApiUrl: must be text, found an object"},
    {"detail.json", "/moduleList/1/data/sellerId", R"(" ")",
     R"(/moduleList/1/data/sellerId: must be text that is not blank, found " ")"},
    {"detail.json", "/moduleList/1/data/isSoldOut", R"("N")",
     R"(/moduleList/1/data/isSoldOut: must be true or false, found "N")"},
    {"detail.json", "/moduleList/1/data/sellingPrice", "0",
     "/moduleList/1/data/sellingPrice: must be a positive price, found 0"},
    {"detail.json", "/moduleList/1/data/stock", R"("2.5")",
     R"(/moduleList/1/data/stock: must be a whole number, zero or above, found "2.5")"},
    {"detail.json", "/moduleList/0", "", "/moduleList: must hold ProductBannersModule, found none"},
    {"detail.json", "/moduleList/5/data/items/0/type", R"("PICKUP")",
     "/moduleList/5/data/items: must hold SHIPPING, found none"},
    {"detail.json", "/moduleList/16/data/itemNo", "5",
     "/moduleList: itemNo must be the same in ProductInfoModule and ProductDetailInfoModule, found 118005032 and 5"},
    {"detail.json", "/moduleList/2/type", R"("ProductInfoModule")",
     R"(/moduleList/2/type: must be there once for all, found "ProductInfoModule")"},
    {"options.json", "/0/itemNo", "117005039",
     "/0/itemNo: must be the item that was asked for, 117005038, found 117005039"},
    {"options.json", "/1/optionNo", "4134224619", "/1/optionNo: must be there once, found 4134224619"},
    {"options.json", "/2/stock", "null", "/2/stock: must be a whole number, zero or above, found null"},
    {"options.json", "/3/sizeGuide", "", "/3/sizeGuide: must be there"},
};

}  // namespace

TEST_CASE("mustit broken: what is wrong is named with its place and its rule", "[mustit][broken]") {
    for (const auto& variant : variants) {
        CAPTURE(variant.file, variant.pointer, variant.json);
        EditedAnswer answer(variant.file);
        if (variant.json.empty()) {
            answer.remove(variant.pointer);
        } else {
            answer.set(variant.pointer, variant.json);
        }
        CHECK(complaint(variant.file, answer.text()) == variant.complaint);
    }
}

TEST_CASE("mustit broken: what is no such document is named as a whole", "[mustit][broken]") {
    CHECK(complaint("minishop.json", "[]") == "the answer: must be an object, found an array");
    CHECK(complaint("search.json", R"({"errorCode":"E9999","message":"일시적인 오류"})") ==
          "/moduleList: must be there");
    CHECK(complaint("detail.json", "") == "the answer: must be JSON, but it ends too early");
    CHECK(complaint("detail.json", "<!DOCTYPE html>") == "the answer: must be JSON, but there is: syntax error");
    CHECK(complaint("options.json", "null") == "the answer: must be an array, found null");
    CHECK(complaint("options.json", sample_answer("options.json") + "]") ==
          "the answer: must be JSON, but something comes after it");
}

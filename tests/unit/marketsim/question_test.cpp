#include "question.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "bodies.hpp"

using namespace marketsim;

namespace {

const Catalogue& world() {
    static const Catalogue catalogue({.seed = 7, .sellers = 2, .products = 3});
    return catalogue;
}

Question asked(const std::string& target) {
    return std::get<Question>(read_question(target, world()));
}

// 400 DOUBLE_ENCODED
std::string refused(const std::string& target) {
    const auto question = read_question(target, world());
    const auto* bad = std::get_if<NoQuestion>(&question);
    if (!bad) return "understood";
    const auto begin = bad->answer.body.find(R"("errorCode":")") + 13;
    return std::to_string(bad->answer.status) + " " +
           bad->answer.body.substr(begin, bad->answer.body.find('"', begin) - begin);
}

const std::string listing = "/mustit-api/facade-api/v1/searchmini-shop-search";
const std::string search = "/v2/api/facade/searchItems";

}  // namespace

TEST_CASE("question: the five that there are", "[marketsim]") {
    const auto item = std::to_string(world().page(0, 0, 1).front());

    CHECK(asked("/").place == Place::root);
    const auto page = asked(listing + "?order=LATEST&sellerId=seller_2&pageNo=4&pageSize=500");
    CHECK(page.place == Place::listing);
    CHECK(page.seller == 1);
    CHECK(page.page == 4);
    CHECK(asked(search + "?keyword=%EA%B0%80%EB%B0%A9").keyword == "가방");
    CHECK(asked("/mustit-api/facade-api/v1/item/" + item + "/detail/top").place == Place::detail);
    CHECK(asked("/mustit-api/legacy-api/v1/auction_products/" + item + "/options").place == Place::options);
}

TEST_CASE("question: a chain is followed by what the page before gave, encoded once", "[marketsim]") {
    std::string once;
    for (const char c : search_page_url("seller_1", 3)) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        constexpr auto digits = "0123456789ABCDEF";
        once += is_plain ? std::string(1, c) : std::string{'%', digits[c / 16], digits[c % 16]};
    }
    const auto next = asked(search + "?nextApiUrl=" + once);
    CHECK(next.keyword == "seller_1");
    CHECK(next.page == 3);

    std::string twice;
    for (const char c : once) twice += c == '%' ? std::string("%25") : std::string(1, c);
    CHECK(refused(search + "?nextApiUrl=" + twice) == "400 DOUBLE_ENCODED");
    CHECK(refused(search + "?nextApiUrl=" + search_page_url("seller_1", 3)) != "understood");
    CHECK(refused(search + "?nextApiUrl=%2Fv1%2Fsearch%2Fitems%3Fkeyword%3Dseller_1%26pageNo%3D3") ==
          "400 BAD_NEXT_URL");
}

TEST_CASE("question: what breaks a rule is refused by its name", "[marketsim]") {
    const auto [target, answer] = GENERATE(table<std::string, std::string>({
        {"/nowhere", "404 UNKNOWN_PATH"},
        {"/?x=1", "400 BAD_PARAMETERS"},
        {"/%2e", "400 ENCODED_PATH"},
        {listing, "400 BAD_PARAMETERS"},
        {listing + "?sellerId=seller_1&pageNo=0&pageSize=500&order=LATEST&x=1", "400 BAD_PARAMETERS"},
        {listing + "?sellerId=seller_1&sellerId=seller_1&pageNo=0&pageSize=500&order=LATEST", "400 BAD_QUERY"},
        {listing + "?sellerId=seller_1&pageNo=0&pageSize=100&order=LATEST", "400 BAD_PAGE_SIZE"},
        {listing + "?sellerId=seller_1&pageNo=-1&pageSize=500&order=LATEST", "400 BAD_PAGE"},
        {listing + "?sellerId=seller_1&pageNo=01&pageSize=500&order=LATEST", "400 BAD_PAGE"},
        {listing + "?sellerId=seller_1&pageNo=0&pageSize=500&order=PRICE", "400 BAD_ORDER"},
        {listing + "?sellerId=seller_9&pageNo=0&pageSize=500&order=LATEST", "404 SELLER_NOT_FOUND"},
        {listing + "?sellerId=seller%255F1&pageNo=0&pageSize=500&order=LATEST", "400 DOUBLE_ENCODED"},
        {listing + "?sellerId=%zz&pageNo=0&pageSize=500&order=LATEST", "400 BAD_QUERY"},
        {search + "?keyword=%25EA%25B0%2580", "400 DOUBLE_ENCODED"},
        {search + "?keyword=%20", "400 BAD_PARAMETERS"},
        {"/mustit-api/facade-api/v1/item/1/detail/top", "404 ITEM_NOT_FOUND"},
        {"/mustit-api/facade-api/v1/item/x/detail/top", "400 BAD_ITEM"},
        {"/mustit-api/legacy-api/v1/auction_products/0/options", "400 BAD_ITEM"},
    }));

    CHECK(refused(target) == answer);
}

#include "domain/request_url.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <limits>
#include <set>

#include "domain/percent_encoding.hpp"

using namespace crawler;

namespace {

constexpr auto biggest = std::numeric_limits<std::int64_t>::max();
const std::string minishop_begin = "/mustit-api/facade-api/v1/searchmini-shop-search?";
const std::string search_begin = "/v2/api/facade/searchItems?";
// As the marketplace's answer to a search has it.
const std::string next_api_url =
    "/v1/search/items?keyword=dmont&sort=POPULAR2&f=us:NEW,lwp:Y&pageNo=3&beforeItemType=Normal&previousIdx=0%2C0";

SellerId seller(const std::string& text) {
    return *SellerId::parse(text);
}

// "OK", or the reason without the words that every reason begins with.
std::string problem(TaskType type, const std::string& text) {
    const auto url = RequestUrl::parse(type, text);
    if (url) return "OK";
    CHECK(url.error().code == Errc::invalid);
    const auto begin = std::string(to_string(type)) + " request url: ";
    CHECK(url.error().detail.starts_with(begin));
    return url.error().detail.substr(begin.size());
}
std::string minishop_problem(const std::string& query) {
    return problem(TaskType::minishop, minishop_begin + query);
}
std::string search_problem(const std::string& query) {
    return problem(TaskType::search, search_begin + query);
}
std::string detail_problem(const std::string& digits) {
    return problem(TaskType::product_detail, "/mustit-api/facade-api/v1/item/" + digits + "/detail/top");
}

}  // namespace

TEST_CASE("request url: a listing page names seller, page, size and order") {
    const auto url = RequestUrl::minishop(seller("shop-1_a.b~c"), 0);

    REQUIRE(url);
    CHECK(url->text() ==
          "/mustit-api/facade-api/v1/searchmini-shop-search?sellerId=shop-1_a.b~c&pageNo=0&pageSize=500&order=LATEST");
    CHECK(url->type() == TaskType::minishop);
    CHECK(url->page() == 0);
    CHECK_FALSE(url->item());
}

TEST_CASE("request url: a seller id is encoded once, byte by byte") {
    CHECK(RequestUrl::minishop(seller("머스트잇"), 12)
              ->text()
              .find("?sellerId=%EB%A8%B8%EC%8A%A4%ED%8A%B8%EC%9E%87&pageNo=12&") != std::string::npos);
    CHECK(RequestUrl::minishop(seller("a b&c=d%20+/?#"), 1)
              ->text()
              .find("?sellerId=a%20b%26c%3Dd%2520%2B%2F%3F%23&pageNo=1&") != std::string::npos);
}

TEST_CASE("request url: detail and options name the item, beyond 32 bits too") {
    CHECK(RequestUrl::detail(4711)->text() == "/mustit-api/facade-api/v1/item/4711/detail/top");
    CHECK(RequestUrl::option(4711)->text() == "/mustit-api/legacy-api/v1/auction_products/4711/options");
    const auto item = GENERATE(as<ItemNo>{}, 1, 5'000'000'001, 9'007'199'254'740'993, biggest);

    const auto detail = RequestUrl::detail(item);
    const auto option = RequestUrl::option(item);

    REQUIRE(detail);
    REQUIRE(option);
    CHECK(detail->item() == item);
    CHECK(option->item() == item);
    CHECK(detail->type() == TaskType::product_detail);
    CHECK(option->type() == TaskType::product_option);
    CHECK_FALSE(detail->page());
}

TEST_CASE("request url: there is no item without a positive number") {
    for (const ItemNo item : {ItemNo{0}, ItemNo{-1}, std::numeric_limits<ItemNo>::min()}) {
        CHECK_FALSE(RequestUrl::detail(item));
        CHECK_FALSE(RequestUrl::option(item));
    }
}

TEST_CASE("request url: pages count from 0 as far as their items can be numbered") {
    CHECK(RequestUrl::minishop(seller("s"), biggest / 500)->page() == biggest / 500);
    CHECK_FALSE(RequestUrl::minishop(seller("s"), biggest / 500 + 1));
    CHECK_FALSE(RequestUrl::minishop(seller("s"), -1));
}

TEST_CASE("request url: what a factory makes is what parse accepts, and the same") {
    const auto made =
        GENERATE(*RequestUrl::minishop(seller("머스트잇"), 3), *RequestUrl::detail(4711), *RequestUrl::option(4711),
                 *RequestUrl::search("스톤 아일랜드 50%DC"), *RequestUrl::search_next(next_api_url));

    const auto parsed = RequestUrl::parse(made.type(), made.text());

    REQUIRE(parsed);
    CHECK(*parsed == made);
    CHECK(parsed->page() == made.page());
    CHECK(parsed->item() == made.item());
}

TEST_CASE("request url: no URL is right for two types") {
    const auto made = GENERATE(*RequestUrl::minishop(seller("s"), 3), *RequestUrl::detail(4711),
                               *RequestUrl::option(4711), *RequestUrl::search("bag"));

    for (const auto& [type, name] : names(TaskType{})) {
        INFO(made.text() << " as " << name);
        CHECK(static_cast<bool>(RequestUrl::parse(type, made.text())) == (type == made.type()));
    }
}

TEST_CASE("request url: the parameters of a listing may come in any order") {
    const auto url =
        RequestUrl::parse(TaskType::minishop, minishop_begin + "order=LATEST&pageSize=500&pageNo=7&sellerId=s");

    REQUIRE(url);
    CHECK(url->page() == 7);
}

TEST_CASE("request url: each parameter of a listing must be there once") {
    CHECK(minishop_problem("pageNo=0&pageSize=500&order=LATEST") == "sellerId is missing");
    CHECK(minishop_problem("sellerId=s&pageSize=500&order=LATEST") == "pageNo is missing");
    CHECK(minishop_problem("sellerId=s&pageNo=0&order=LATEST") == "pageSize is missing");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500") == "order is missing");
    CHECK(minishop_problem("") == "sellerId is missing");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500&order=LATEST&sellerId=s") == "sellerId once, not 2 times");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageNo=1&pageNo=2&pageSize=500&order=LATEST") ==
          "pageNo once, not 3 times");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500&pageSize=500&order=LATEST") ==
          "pageSize once, not 2 times");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500&order=LATEST&order=LATEST") == "order once, not 2 times");
}

TEST_CASE("request url: a listing has no other parameter, not even an empty one") {
    const std::string good = "sellerId=s&pageNo=0&pageSize=500&order=LATEST";
    REQUIRE(minishop_problem(good) == "OK");

    CHECK(minishop_problem(good + "&brand=1") == "sellerId, pageNo, pageSize and order, nothing else; not \"brand\"");
    CHECK(minishop_problem(good + "&") == "sellerId, pageNo, pageSize and order, nothing else; not \"\"");
    CHECK(minishop_problem("&" + good) == "sellerId, pageNo, pageSize and order, nothing else; not \"\"");
    CHECK(minishop_problem(good + "&SELLERID=s") ==
          "sellerId, pageNo, pageSize and order, nothing else; not \"SELLERID\"");
}

TEST_CASE("request url: the page number is digits from 0 on, written as a number is") {
    for (const auto* page : {"-1", "", "+1", "01", "00", "1.5", "abc", "1a", "0x1", "9223372036854775808", "%31"}) {
        CHECK(minishop_problem("sellerId=s&pageNo=" + std::string(page) + "&pageSize=500&order=LATEST") ==
              "pageNo must be a number from 0 on; not \"" + std::string(page) + "\"");
    }
}

TEST_CASE("request url: page size and order are what the marketplace is always asked for") {
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=499&order=LATEST") == "pageSize must be 500; not \"499\"");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=501&order=LATEST") == "pageSize must be 500; not \"501\"");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=&order=LATEST") == "pageSize must be 500; not \"\"");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=0500&order=LATEST") == "pageSize must be 500; not \"0500\"");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500&order=latest") == "order must be LATEST; not \"latest\"");
    CHECK(minishop_problem("sellerId=s&pageNo=0&pageSize=500&order=POPULAR") ==
          "order must be LATEST; not \"POPULAR\"");
}

TEST_CASE("request url: the seller of a listing is not blank") {
    CHECK(minishop_problem("sellerId=&pageNo=0&pageSize=500&order=LATEST") == "sellerId must not be blank");
    CHECK(minishop_problem("sellerId&pageNo=0&pageSize=500&order=LATEST") == "sellerId must not be blank");
    CHECK(minishop_problem("sellerId=%20%20&pageNo=0&pageSize=500&order=LATEST") == "sellerId must not be blank");
}

TEST_CASE("request url: a seller that was encoded twice is refused") {
    const auto once = percent_encode("머스트잇");
    const std::string rest = "&pageNo=0&pageSize=500&order=LATEST";
    REQUIRE(minishop_problem("sellerId=" + once + rest) == "OK");

    const auto twice = percent_encode(once);
    CHECK(minishop_problem("sellerId=" + twice + rest) == "sellerId is encoded twice: \"" + twice + "\"");
    CHECK(minishop_problem("sellerId=a%2520b" + rest) == "sellerId is encoded twice: \"a%2520b\"");
    CHECK_FALSE(RequestUrl::minishop(seller(once), 0));
}

TEST_CASE("request url: the path of a listing is the whole path") {
    const std::string query = "sellerId=s&pageNo=0&pageSize=500&order=LATEST";
    const auto rule = "must begin with " + minishop_begin + "; not ";
    for (const std::string& path : {std::string("/"), std::string("/mustit-api/facade-api/v1/searchmini-shop-searc"),
                                    std::string("/mustit-api/facade-api/v1/searchmini-shop-search/"),
                                    std::string("/x/mustit-api/facade-api/v1/searchmini-shop-search")}) {
        CHECK(problem(TaskType::minishop, path + "?" + query).starts_with(rule));
    }
    CHECK(problem(TaskType::minishop, "/mustit-api/facade-api/v1/searchmini-shop-search").starts_with(rule));
}

TEST_CASE("request url: an item is a positive number of 64 bits and nothing around it") {
    CHECK(detail_problem("9223372036854775807") == "OK");
    for (const auto* digits : {"0", "-4711", "+4711", "04711", "9223372036854775808", "4711a", "a4711", "4711/4712", "",
                               "%34711", "18446744073709551617"}) {
        CHECK(detail_problem(digits) ==
              "the item number must be digits of a positive 64-bit number; not \"" + std::string(digits) + "\"");
    }
}

TEST_CASE("request url: the path of an item is the whole path, without a query") {
    const std::string rule = "must be /mustit-api/facade-api/v1/item/{digits}/detail/top; not ";
    for (const auto* text :
         {"/mustit-api/facade-api/v1/item/4711/detail/top?x=1", "/mustit-api/facade-api/v1/item/4711",
          "/mustit-api/facade-api/v1/item/4711/detail/bottom", "/item/4711/detail/top",
          "/mustit-api/facade-api/v1/item/4711/detail/top/", "/mustit-api/facade-api/v1/item/detail/top"}) {
        CHECK(problem(TaskType::product_detail, text) == rule + "\"" + text + "\"");
    }
    CHECK(problem(TaskType::product_option, "/mustit-api/legacy-api/v1/auction_products/options") ==
          "must be /mustit-api/legacy-api/v1/auction_products/{digits}/options; not "
          "\"/mustit-api/legacy-api/v1/auction_products/options\"");
}

TEST_CASE("request url: a search begins with its keyword, encoded once") {
    const auto url = RequestUrl::search("스톤 island");

    REQUIRE(url);
    CHECK(url->text() == "/v2/api/facade/searchItems?keyword=%EC%8A%A4%ED%86%A4%20island");
    CHECK(url->type() == TaskType::search);
    CHECK_FALSE(url->item());
    CHECK_FALSE(url->page());
}

TEST_CASE("request url: a search goes on with the nextApiUrl of its answer, which one decoding gives back") {
    const auto url = RequestUrl::search_next(next_api_url);

    REQUIRE(url);
    CHECK(url->text().find("previousIdx%3D0%252C0") != std::string::npos);
    const std::string begin = search_begin + "nextApiUrl=";
    REQUIRE(url->text().starts_with(begin));
    CHECK(percent_decode(url->text().substr(begin.size())) == next_api_url);
}

TEST_CASE("request url: a nextApiUrl with a Korean keyword is taken raw or encoded, as the marketplace has it") {
    CHECK(RequestUrl::search_next("/v1/search/items?keyword=머스트잇"));
    CHECK(RequestUrl::search_next("/v1/search/items?keyword=%EB%A8%B8%EC%8A%A4%ED%8A%B8%EC%9E%87"));
    CHECK(RequestUrl::search_next("/v1/search/items?keyword=stone island"));
}

TEST_CASE("request url: a nextApiUrl that was encoded twice is refused") {
    const auto once = percent_encode(next_api_url);
    REQUIRE(search_problem("nextApiUrl=" + once) == "OK");

    CHECK(search_problem("nextApiUrl=" + percent_encode(once))
              .starts_with("nextApiUrl is encoded twice: \"%252Fv1%252F"));
    CHECK(search_problem("nextApiUrl=%252fv1") == "nextApiUrl is encoded twice: \"%252fv1\"");
    CHECK_FALSE(RequestUrl::search_next(once));
}

TEST_CASE("request url: a nextApiUrl is a path, not a host") {
    const std::string rule = "nextApiUrl must be a path that begins with one slash; not ";
    CHECK(search_problem("nextApiUrl=https%3A%2F%2Fevil.example%2F") == rule + "\"https://evil.example/\"");
    CHECK(search_problem("nextApiUrl=%2F%2Fevil.example") == rule + "\"//evil.example\"");
    CHECK(search_problem("nextApiUrl=") == rule + "\"\"");
    CHECK(search_problem("nextApiUrl=v1/search") == rule + "\"v1/search\"");
}

TEST_CASE("request url: a search needs a keyword or a nextApiUrl, and may have more") {
    CHECK(search_problem("") == "keyword or nextApiUrl is missing");
    CHECK(search_problem("sort=POPULAR2") == "keyword or nextApiUrl is missing");
    CHECK(search_problem("keyword=bag&sort=POPULAR2&f=us:NEW,lwp:Y") == "OK");
    CHECK(search_problem("keyword=bag&nextApiUrl=%2Fv1%2Fsearch") == "OK");
    CHECK(search_problem("keyword=bag&keyword=shoe") == "keyword once, not 2 times");
    CHECK(search_problem("nextApiUrl=%2Fv1&nextApiUrl=%2Fv1") == "nextApiUrl once, not 2 times");
    CHECK(search_problem("keyword=bag&nextApiUrl=nowhere").starts_with("nextApiUrl must be a path"));
    CHECK(problem(TaskType::search, "/v2/api/facade/searchItems").starts_with("must begin with " + search_begin));
    CHECK(problem(TaskType::search, "/v1/api/facade/searchItems?keyword=a").starts_with("must begin with "));
}

TEST_CASE("request url: a keyword is neither blank nor encoded twice, but may speak of percents") {
    CHECK(search_problem("keyword=") == "keyword must not be blank");
    CHECK(search_problem("keyword=%20") == "keyword must not be blank");
    CHECK(search_problem("keyword=stone%2520island") == "keyword is encoded twice: \"stone%2520island\"");
    CHECK(search_problem("keyword=100%25") == "OK");
    CHECK(search_problem("keyword=50%25DC") == "OK");
    CHECK_FALSE(RequestUrl::search("stone%20island"));
    CHECK(RequestUrl::search("50%DC"));
}

TEST_CASE("request url: absolute URLs and other hosts are refused") {
    const std::string rule = "a path that begins with one slash, without a host; not ";
    for (const auto* text : {"https://mustit.co.kr/v2/api/facade/searchItems?keyword=a", "//mustit.co.kr/v2", "",
                             "v2/api", "?keyword=a", " /v2"}) {
        CHECK(problem(TaskType::search, text) == rule + "\"" + text + "\"");
    }
}

TEST_CASE("request url: controls, spaces, fragments and raw bytes are refused, and named") {
    const std::string rule = "no control character, space, fragment or unencoded byte; not ";
    CHECK(search_problem("keyword=a b") == rule + "0x20 at 36");
    CHECK(search_problem("keyword=a\r\nHost: x") == rule + "0x0D at 36");
    CHECK(search_problem("keyword=가") == rule + "0xEA at 35");
    CHECK(search_problem("keyword=a#top") == rule + "0x23 at 36");
    CHECK(search_problem("keyword=a\x7F") == rule + "0x7F at 36");
    CHECK(search_problem(std::string("keyword=\0a", 10)) == rule + "0x00 at 35");
    CHECK(search_problem("keyword=\"a\"") == rule + "0x22 at 35");
    CHECK(search_problem("keyword=a\\b") == rule + "0x5C at 36");
}

TEST_CASE("request url: an escape must be whole") {
    for (const auto* value : {"%", "%4", "%4g", "a%zz"}) {
        CHECK(
            search_problem("keyword=" + std::string(value)).starts_with("every % begins an escape of two hexadecimal"));
    }
}

TEST_CASE("request url: a control character is refused inside an escape, too") {
    for (const auto* value : {"a%00", "a%0d%0aHost:%20x", "a%1F", "a%7F", "%09"}) {
        CHECK(search_problem("keyword=" + std::string(value)).starts_with("no control character, encoded or not"));
    }
    CHECK_FALSE(RequestUrl::search("bag\n"));
    CHECK_FALSE(RequestUrl::search_next("/v1\r\nHost: x"));
}

TEST_CASE("request url: what is too long is refused") {
    const auto begin = RequestUrl::minishop(seller("s"), 0)->text();
    const auto of_length = [&](std::size_t length) {
        const auto url = RequestUrl::parse(TaskType::minishop, begin + std::string(length - begin.size(), '9'));
        return url ? "OK" : url.error().detail;
    };
    CHECK(of_length(2049) == "MINISHOP request url: at most 2048 characters, not 2049");
    CHECK_FALSE(of_length(2048).starts_with("MINISHOP request url: at most"));

    CHECK(search_problem("keyword=" + std::string(8192 - search_begin.size() - 8, 'k')) == "OK");
    CHECK(search_problem("keyword=" + std::string(8193 - search_begin.size() - 8, 'k')) ==
          "at most 8192 characters, not 8193");
}

TEST_CASE("request url: a nextApiUrl has room for 2048 characters, all of them escaped") {
    const auto next = [](std::size_t length) { return "/" + std::string(length - 1, '%'); };

    CHECK(RequestUrl::search_next(next(2048)));
    const auto longer = RequestUrl::search_next(next(2049));
    REQUIRE_FALSE(longer);
    CHECK(longer.error().detail == "SEARCH request url: nextApiUrl must have at most 2048 characters, not 2049");
}

TEST_CASE("request url: what an error shows of a URL is cut") {
    const auto text = "x" + std::string(500, 'y');
    CHECK(problem(TaskType::search, text) ==
          "a path that begins with one slash, without a host; not \"" + text.substr(0, 80) + "...\"");
    CHECK(problem(TaskType::search, text.substr(0, 80)) ==
          "a path that begins with one slash, without a host; not \"" + text.substr(0, 80) + "\"");
}

TEST_CASE("request url: detail and options of one product are one group, other products others") {
    CHECK(RequestUrl::detail(5'000'000'001)->message_group() == "item-5000000001");
    CHECK(RequestUrl::option(5'000'000'001)->message_group() == "item-5000000001");
    CHECK(RequestUrl::detail(5'000'000'002)->message_group() == "item-5000000002");
}

TEST_CASE("request url: every listing page is a group of its own, the same each time") {
    std::set<std::string> groups;
    for (int page = 0; page < 1000; ++page) {
        groups.insert(RequestUrl::minishop(seller("머스트잇"), page)->message_group());
        groups.insert(RequestUrl::minishop(seller("dmont"), page)->message_group());
    }
    groups.insert(RequestUrl::search("bag")->message_group());
    groups.insert(RequestUrl::search_next(next_api_url)->message_group());

    CHECK(groups.size() == 2002);
    CHECK(groups.contains(RequestUrl::minishop(seller("dmont"), 7)->message_group()));
    for (const auto& group : groups) {
        CHECK(group.size() == 21);
        CHECK(group.find_first_not_of("page-0123456789ABCDEF") == std::string::npos);
    }
}

TEST_CASE("request url: a refusal shows what was wrong as text that can be stored, and not all of it") {
    CHECK(detail_problem("x").ends_with("not \"x\""));
    CHECK(problem(TaskType::product_detail, std::string(79, 'a') + "가나") ==
          "a path that begins with one slash, without a host; not \"" + std::string(79, 'a') + "...\"");
    CHECK(problem(TaskType::product_detail, "\xEA\xB0") ==
          "a path that begins with one slash, without a host; not \"\uFFFD\uFFFD\"");
}

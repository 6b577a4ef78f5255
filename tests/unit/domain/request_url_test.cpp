#include "domain/request_url.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("request url: a listing page names seller, page, size and order") {
    CHECK(minishop_url(*SellerId::parse("shop-1_a.b~c"), 0) ==
          "/mustit-api/facade-api/v1/searchmini-shop-search?sellerId=shop-1_a.b~c&pageNo=0&pageSize=500&order=LATEST");
}

TEST_CASE("request url: a seller id is encoded once, byte by byte") {
    CHECK(minishop_url(*SellerId::parse("머스트잇"), 12)
              .find("?sellerId=%EB%A8%B8%EC%8A%A4%ED%8A%B8%EC%9E%87&pageNo=12&") != std::string::npos);
    CHECK(minishop_url(*SellerId::parse("a b&c=d%20+/?#"), 1)
              .find("?sellerId=a%20b%26c%3Dd%2520%2B%2F%3F%23&pageNo=1&") != std::string::npos);
}

TEST_CASE("request url: detail and options name the item, beyond 32 bits too") {
    CHECK(detail_url(4711) == "/mustit-api/facade-api/v1/item/4711/detail/top");
    CHECK(option_url(4711) == "/mustit-api/legacy-api/v1/auction_products/4711/options");
    CHECK(detail_url(9'007'199'254'740'993) == "/mustit-api/facade-api/v1/item/9007199254740993/detail/top");
}

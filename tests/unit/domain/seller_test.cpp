#include "domain/seller.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

const TimePoint t0{std::chrono::hours{1000}};

Seller a_seller() {
    return *Seller::enroll(*SellerId::parse("shop-1"), "Shop", *CrawlingInterval::days(1), t0);
}

}  // namespace

TEST_CASE("seller: a blank id or name is invalid") {
    const std::string blank = GENERATE("", " ", "\t\r\n ");

    REQUIRE_FALSE(SellerId::parse(blank));
    CHECK(SellerId::parse(blank).error().code == Errc::invalid);
    const auto seller = Seller::enroll(*SellerId::parse("shop-1"), blank, *CrawlingInterval::days(1), t0);
    REQUIRE_FALSE(seller);
    CHECK(seller.error().code == Errc::invalid);
}

TEST_CASE("seller: an id is kept as the marketplace writes it") {
    CHECK(SellerId::parse("머스트잇 1")->value() == "머스트잇 1");
}

TEST_CASE("seller: the interval is 1 to 30 days") {
    for (int days = 1; days <= 30; ++days) CHECK(CrawlingInterval::days(days)->count() == days);
    for (const int days : {-1, 0, 31, 1000}) {
        const auto interval = CrawlingInterval::days(days);
        REQUIRE_FALSE(interval);
        CHECK(interval.error().code == Errc::invalid);
        CHECK(interval.error().detail.find(std::to_string(days)) != std::string::npos);
    }
}

TEST_CASE("seller: a new one is ACTIVE, without products, made now") {
    const auto state = a_seller().state();

    CHECK(state.status == SellerStatus::active);
    CHECK(state.total_product_count == 0);
    CHECK(state.created_at == t0);
    CHECK(state.updated_at == t0);
    CHECK(state.revision == 0);
}

TEST_CASE("seller: only an ACTIVE one may be crawled") {
    CHECK(a_seller().may_be_crawled());

    auto state = a_seller().state();
    state.status = SellerStatus::inactive;
    const auto refused = Seller::restore(state).may_be_crawled();

    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::invalid);
    CHECK(refused.error().detail.find("INACTIVE") != std::string::npos);
}

TEST_CASE("seller: an announced total is remembered with its time") {
    auto seller = a_seller();

    seller.announce_total(1234, t0 + 1s);

    CHECK(seller.state().total_product_count == 1234);
    CHECK(seller.state().updated_at == t0 + 1s);
    CHECK(seller.state().created_at == t0);
}

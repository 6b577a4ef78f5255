#include "domain/seller.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "state_walk.hpp"
#include "support/builders/seller.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using S = SellerStatus;
using V = SellerVerb;

const Grid<S, V> expected{
    {{S::active, V::rename}, S::active},          {{S::inactive, V::rename}, S::inactive},
    {{S::active, V::change_interval}, S::active}, {{S::active, V::deactivate}, S::inactive},
    {{S::inactive, V::activate}, S::active},      {{S::active, V::crawl}, S::active},
};

Result<> apply(Seller& seller, V verb) {
    switch (verb) {
        case V::rename:
            return seller.rename("새 이름", t0 + 1s);
        case V::change_interval:
            return seller.change_interval(days(7), t0 + 1s);
        case V::activate:
            return seller.activate(t0 + 1s);
        case V::deactivate:
            return seller.deactivate(t0 + 1s);
        case V::crawl:
            break;
    }
    return seller.may_be_crawled();
}

}  // namespace

TEST_CASE("seller: every verb in every state does what it should") {
    walk(seller_table, expected, [](S status) { return a_seller().in(status).build(); }, apply);
    check_rows<decltype(seller_table), S, V>(seller_table, {expected});
}

TEST_CASE("seller id: one that is blank, of any script, is invalid") {
    const std::string blank = GENERATE("", " ", "\t\r\n ", "\u3000", "\u00A0 ");

    const auto id = SellerId::parse(blank);

    REQUIRE_FALSE(id);
    CHECK(id.error().code == Errc::invalid);
    CHECK(id.error().detail == "sellerId must not be blank");
}

TEST_CASE("seller id: it is kept as the marketplace writes it") {
    CHECK(SellerId::parse("머스트잇 1")->value() == "머스트잇 1");
    CHECK(SellerId::parse(" a ")->value() == " a ");
}

TEST_CASE("seller id: 100 bytes are fine, 101 are not") {
    CHECK(SellerId::parse(std::string(100, 'a')));
    CHECK_FALSE(SellerId::parse(std::string(101, 'a')));
}

TEST_CASE("seller id: control characters and broken UTF-8 are invalid") {
    CHECK_FALSE(SellerId::parse("shop\n1"));
    CHECK_FALSE(SellerId::parse("shop\xEA"));
}

TEST_CASE("crawling interval: it is 1 to 30 days") {
    for (int count = 1; count <= 30; ++count) CHECK(CrawlingInterval::days(count)->count() == count);
    for (const int count : {-1, 0, 31, 1000}) {
        const auto interval = CrawlingInterval::days(count);
        REQUIRE_FALSE(interval);
        CHECK(interval.error().code == Errc::invalid);
        CHECK(interval.error().detail.find(std::to_string(count)) != std::string::npos);
    }
}

TEST_CASE("crawling interval: without a word it is a day") {
    CHECK(CrawlingInterval{} == days(1));
}

TEST_CASE("seller: a new one is ACTIVE, without products, made now") {
    const auto seller = Seller::enroll(seller_id("셀러-1"), "구찌 편집샵", days(3), t0);

    REQUIRE(seller);
    const auto& state = seller->state();
    CHECK(state.id == seller_id("셀러-1"));
    CHECK(state.name == "구찌 편집샵");
    CHECK(state.interval == days(3));
    CHECK(state.status == S::active);
    CHECK_FALSE(state.external_code);
    CHECK(state.total_product_count == 0);
    CHECK(state.created_at == t0);
    CHECK(state.updated_at == t0);
    CHECK(state.revision == 0);
}

TEST_CASE("seller: a name must be text of 1 to 200 characters") {
    const auto enroll = [](const std::string& name) { return Seller::enroll(seller_id(), name, days(1), t0); };
    std::string korean;
    for (int i = 0; i < 200; ++i) korean += "가";

    CHECK(enroll("x"));
    CHECK(enroll(korean));
    for (const auto& bad :
         {std::string(), std::string("\u3000"), korean + "가", std::string("a\n"), std::string("\xFF")}) {
        const auto seller = enroll(bad);
        REQUIRE_FALSE(seller);
        CHECK(seller.error().code == Errc::invalid);
        CHECK(seller.error().detail.find("seller shop-1: name") == 0);
    }
}

TEST_CASE("seller: an external code is kept where there is one, and is not blank") {
    const auto enroll = [](const std::string& code) { return Seller::enroll(seller_id(), "Shop", days(1), t0, code); };

    CHECK(enroll("EXT-7")->state().external_code == "EXT-7");
    CHECK(enroll(std::string(100, 'x')));
    for (const auto& bad : {std::string(), std::string("\u00A0"), std::string(101, 'x')}) {
        const auto seller = enroll(bad);
        REQUIRE_FALSE(seller);
        CHECK(seller.error().code == Errc::invalid);
        CHECK(seller.error().detail.find("external seller code") != std::string::npos);
    }
}

TEST_CASE("seller: a renamed one has the new name and the time of it") {
    auto seller = a_seller().build();

    REQUIRE(seller.rename("새 이름", t0 + 1s));

    CHECK(seller.state().name == "새 이름");
    CHECK(seller.state().updated_at == t0 + 1s);
    CHECK(seller.state().created_at == t0);
}

TEST_CASE("seller: a bad name is refused and the old one stays") {
    auto seller = a_seller().build();
    const auto before = seller.state();

    const auto renamed = seller.rename(" ", t0 + 1s);

    REQUIRE_FALSE(renamed);
    CHECK(renamed.error().code == Errc::invalid);
    CHECK((seller.state() == before));
}

TEST_CASE("seller: a changed interval is kept with the time of the change") {
    auto seller = a_seller().build();

    REQUIRE(seller.change_interval(days(30), t0 + 1s));

    CHECK(seller.state().interval == days(30));
    CHECK(seller.state().updated_at == t0 + 1s);
}

TEST_CASE("seller: the interval it has already changes nothing") {
    auto seller = a_seller().every(days(3)).build();
    const auto before = seller.state();

    CHECK(seller.change_interval(days(3), t0 + 1s));

    CHECK((seller.state() == before));
}

TEST_CASE("seller: the interval of an INACTIVE one is refused because its schedule is not ACTIVE") {
    auto seller = a_seller("셀러-1").inactive().build();

    const auto changed = seller.change_interval(days(3), t0 + 1s);

    REQUIRE_FALSE(changed);
    CHECK(changed.error().detail ==
          "Seller 셀러-1 is INACTIVE; cannot change the interval of it: its schedule is not ACTIVE");
}

TEST_CASE("seller: switched off and on again it says when") {
    auto seller = a_seller().build();

    REQUIRE(seller.deactivate(t0 + 1s));
    CHECK(seller.state().status == S::inactive);
    CHECK(seller.state().updated_at == t0 + 1s);

    REQUIRE(seller.activate(t0 + 2s));
    CHECK(seller.state().status == S::active);
    CHECK(seller.state().updated_at == t0 + 2s);
}

TEST_CASE("seller: an announced total is remembered with its time, beyond 32 bits too") {
    auto seller = a_seller().build();

    REQUIRE(seller.announce_total(5'000'000'000, t0 + 1s));

    CHECK(seller.state().total_product_count == 5'000'000'000);
    CHECK(seller.state().updated_at == t0 + 1s);
    CHECK(seller.state().created_at == t0);
}

TEST_CASE("seller: a total may be nothing but never less") {
    auto seller = a_seller().build();
    REQUIRE(seller.announce_total(7, t0));

    const auto announced = seller.announce_total(-1, t0 + 1s);
    REQUIRE_FALSE(announced);
    CHECK(announced.error().code == Errc::invalid);
    CHECK(seller.state().total_product_count == 7);
    CHECK(seller.state().updated_at == t0);

    CHECK(seller.announce_total(0, t0 + 2s));
    CHECK(seller.state().total_product_count == 0);
}

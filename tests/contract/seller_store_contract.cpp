#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

TEMPLATE_LIST_TEST_CASE("seller store: an added seller is found as it was", "[contract][seller_store]", StoreFixtures) {
    TestType f;
    const auto seller =
        *Seller::enroll(seller_id("머스트잇 '샵' \"1\" \\ 👜"), "이름", days(30), t0 + 1us, "EXT-코드 7");
    REQUIRE(f.run(f.sellers->add(seller)));

    const auto found = f.run(f.sellers->find(seller.state().id));

    REQUIRE(found);
    CHECK(found->state().id == seller.state().id);
    CHECK(found->state().name == "이름");
    CHECK(found->state().interval.count() == 30);
    CHECK(found->state().status == SellerStatus::active);
    CHECK(found->state().external_code == "EXT-코드 7");
    CHECK(found->state().total_product_count == 0);
    CHECK(found->state().created_at == t0 + 1us);
    CHECK(found->state().updated_at == t0 + 1us);
}

TEMPLATE_LIST_TEST_CASE("seller store: a seller that is not there is not_found", "[contract][seller_store]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.sellers->add(a_seller("shop-1"))));

    CHECK(code_of(f.run(f.sellers->find(seller_id("shop-2")))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.sellers->save(a_seller("shop-2")))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("seller store: adding a seller twice is a conflict and changes nothing",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.sellers->add(a_seller())));
    Seller second = a_seller();
    REQUIRE(second.announce_total(99, t0));

    CHECK(code_of(f.run(f.sellers->add(second))) == "CONFLICT");
    CHECK(f.run(f.sellers->find(seller_id()))->state().total_product_count == 0);
}

TEMPLATE_LIST_TEST_CASE("seller store: a saved seller is found as it was saved, one revision on",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.sellers->add(a_seller())));
    auto seller = *f.run(f.sellers->find(seller_id()));
    const auto before = seller.state().revision;
    REQUIRE(seller.announce_total(1'234'567'890'123, t0 + 5s));

    REQUIRE(f.run(f.sellers->save(seller)));

    const auto found = f.run(f.sellers->find(seller_id()));
    CHECK(found->state().total_product_count == 1'234'567'890'123);
    CHECK(found->state().updated_at == t0 + 5s);
    CHECK(found->state().created_at == t0);
    CHECK(found->state().revision == before + 1);
}

TEMPLATE_LIST_TEST_CASE("seller store: of two who read the same seller only the first saves",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(f.run(f.sellers->add(a_seller())));
    auto first = *f.run(f.sellers->find(seller_id()));
    auto second = *f.run(f.sellers->find(seller_id()));
    REQUIRE(first.announce_total(1, t0));
    REQUIRE(second.announce_total(2, t0));

    CHECK(f.run(f.sellers->save(first)));
    CHECK(code_of(f.run(f.sellers->save(second))) == "CONFLICT");
    CHECK(f.run(f.sellers->find(seller_id()))->state().total_product_count == 1);
}

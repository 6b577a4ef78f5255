#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"
#include "contract/fixtures/seed.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

template <class Stores>
ports::SellerAndSchedule read(Stores& f) {
    auto both = f.run(f.sellers->find_both(seller_id()));
    REQUIRE(both);
    return *both;
}

template <class Stores>
std::vector<std::string> orders(Stores& f) {
    std::vector<std::string> ids;
    const auto claimed = f.run(f.scheduler_outbox->claim(100, t0 + 1h, 60s));
    for (const auto& entry : *claimed) ids.push_back(entry.state().id.value);
    return ids;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("seller store: an added seller is found as it was, and so is its schedule",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    const auto id = seller_id("머스트잇 '샵' \"1\" \\ 👜");
    const auto seller = *Seller::enroll(id, "이름", days(30), t0 + 1us, "EXT-코드 7");
    const CrawlingSchedule schedule = a_schedule("s-7").of(id.value()).every(days(30));
    REQUIRE(f.run(f.sellers->add({seller, schedule}, an_order("o-1"))));

    const auto found = f.run(f.sellers->find_both(id));

    REQUIRE(found);
    CHECK(found->seller.state() == seller.state());
    CHECK(found->schedule.state() == schedule.state());
    CHECK(f.run(f.sellers->find(id))->state() == seller.state());
    CHECK(orders(f) == std::vector<std::string>{"o-1"});
}

TEMPLATE_LIST_TEST_CASE("seller store: a seller without an external code has none", "[contract][seller_store]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, *Seller::enroll(seller_id(), "이름", days(1), t0)));

    CHECK_FALSE(f.run(f.sellers->find(seller_id()))->state().external_code);
}

TEMPLATE_LIST_TEST_CASE("seller store: ids are told apart to the letter", "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller("shop")));
    REQUIRE(enlist(f, a_seller("SHOP")));

    CHECK(f.run(f.sellers->find(seller_id("Shop"))).error().code == Errc::not_found);
    CHECK(f.run(f.sellers->find(seller_id("SHOP")))->state().id.value() == "SHOP");
}

TEMPLATE_LIST_TEST_CASE("seller store: a seller that is not there is not_found", "[contract][seller_store]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller("shop-1")));
    const ports::SellerAndSchedule unknown{a_seller("shop-2"), a_schedule().of("shop-2")};

    CHECK(code_of(f.run(f.sellers->find(seller_id("shop-2")))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.sellers->find_both(seller_id("shop-2")))) == "NOT_FOUND");
    CHECK(code_of(f.run(f.sellers->save(unknown, std::nullopt))) == "NOT_FOUND");
}

TEMPLATE_LIST_TEST_CASE("seller store: adding a seller twice is a conflict and changes nothing",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    Seller second = a_seller();
    REQUIRE(second.announce_total(99, t0));

    const auto again = f.run(f.sellers->add({second, a_schedule("s-2").of("shop-1")}, an_order("o-2")));

    CHECK(code_of(again) == "CONFLICT");
    CHECK(read(f).seller.state().total_product_count == 0);
    CHECK(orders(f) == std::vector<std::string>{"order-shop-1"});
}

TEMPLATE_LIST_TEST_CASE("seller store: an order whose id is taken is a conflict and leaves nothing",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller("shop-1")));

    const ports::SellerAndSchedule both{a_seller("shop-2"), a_schedule("s-2").of("shop-2")};
    CHECK(code_of(f.run(f.sellers->add(both, an_order("order-shop-1")))) == "CONFLICT");
    CHECK(code_of(f.run(f.sellers->find(seller_id("shop-2")))) == "NOT_FOUND");

    auto known = read(f);
    REQUIRE(known.seller.rename("새 이름", t0 + 1s));
    CHECK(code_of(f.run(f.sellers->save(known, an_order("order-shop-1")))) == "CONFLICT");
    CHECK(read(f).seller.state().name != "새 이름");
}

TEMPLATE_LIST_TEST_CASE("seller store: what was saved is found as it was saved, one revision on, with its order",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto both = read(f);
    const auto before = both;
    REQUIRE(both.seller.announce_total(1'234'567'890'123, t0 + 5s));
    REQUIRE(both.seller.deactivate(t0 + 5s));
    REQUIRE(both.schedule.mark_failed("규칙을 만들 수 없음", t0 + 6s));

    REQUIRE(f.run(f.sellers->save(both, an_order("order-shop-1b"))));

    const auto found = read(f);
    CHECK(found.seller.state().total_product_count == 1'234'567'890'123);
    CHECK(found.seller.state().status == SellerStatus::inactive);
    CHECK(found.seller.state().updated_at == t0 + 5s);
    CHECK(found.seller.state().created_at == t0);
    CHECK(found.seller.state().revision == before.seller.state().revision + 1);
    CHECK(found.schedule.state().status == ScheduleStatus::failed);
    CHECK(found.schedule.state().failure_reason == "규칙을 만들 수 없음");
    CHECK(found.schedule.state().revision == before.schedule.state().revision + 1);
    CHECK(orders(f) == std::vector<std::string>{"order-shop-1"});  // of one subject the oldest comes first
}

TEMPLATE_LIST_TEST_CASE("seller store: of two who read the same seller only the first saves",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto first = read(f);
    auto second = read(f);
    REQUIRE(first.seller.announce_total(1, t0));
    REQUIRE(second.schedule.deactivate(t0));

    CHECK(f.run(f.sellers->save(first, std::nullopt)));
    CHECK(code_of(f.run(f.sellers->save(second, an_order("o-2")))) == "CONFLICT");
    CHECK(read(f).seller.state().total_product_count == 1);
    CHECK(read(f).schedule.state().status == ScheduleStatus::active);
}

TEMPLATE_LIST_TEST_CASE("seller store: sellers are paged by id, each with its schedule, and counted",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    CHECK(f.run(f.sellers->page({}))->total == 0);
    for (const auto* name : {"c", "a", "ab", "e", "b", "B"}) REQUIRE(enlist(f, a_seller(name)));
    const auto paged = [&](ports::SellerQuery query) {
        const auto page = f.run(f.sellers->page(query));
        REQUIRE(page);
        CHECK(page->total == 6);
        std::string names;
        for (const auto& [seller, schedule] : page->sellers) {
            CHECK(schedule.state().seller == seller.state().id);
            names += seller.state().id.value() + " ";
        }
        return names;
    };

    CHECK(paged({}) == "B a ab b c e ");
    CHECK(paged({.offset = 0, .limit = 4}) == "B a ab b ");
    CHECK(paged({.offset = 4, .limit = 4}) == "c e ");
    CHECK(paged({.offset = 6, .limit = 4}).empty());
}

TEMPLATE_LIST_TEST_CASE("seller store: a page may be of the sellers of one status alone", "[contract][seller_store]",
                        StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller("a")));
    REQUIRE(enlist(f, a_seller("b").inactive()));
    REQUIRE(enlist(f, a_seller("c")));

    const auto active = f.run(f.sellers->page({.status = SellerStatus::active, .offset = 1, .limit = 10}));
    const auto inactive = f.run(f.sellers->page({.status = SellerStatus::inactive}));

    REQUIRE(active);
    CHECK(active->total == 2);
    REQUIRE(active->sellers.size() == 1);
    CHECK(active->sellers[0].seller.state().id.value() == "c");
    CHECK(inactive->total == 1);
    CHECK(inactive->sellers.at(0).seller.state() == a_seller("b").inactive().build().state());
}

TEMPLATE_LIST_TEST_CASE("seller store: why a schedule failed is stored and can be read, whatever bytes it has",
                        "[contract][seller_store]", StoreFixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto both = read(f);
    REQUIRE(both.schedule.mark_failed("cut off: \xEA\xB0", t0 + 1s));

    CHECK(f.run(f.sellers->save(both, {})));

    CHECK(read(f).schedule.state().failure_reason.starts_with("cut off: "));
}

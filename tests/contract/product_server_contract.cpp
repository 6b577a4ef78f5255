#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;
using enum crawler::ProductEventType;

TEMPLATE_LIST_TEST_CASE("product server: what is pushed arrives for its item", "[contract][product_server]",
                        ProductServerFixtures) {
    TestType f;

    REQUIRE(f.run(f.server->push(f.entry(created, 1, "key-1"))));

    CHECK(f.version_of(f.item()) == 1);
    CHECK_FALSE(f.version_of("4712"));
}

TEMPLATE_LIST_TEST_CASE("product server: a product is created, changed and deleted", "[contract][product_server]",
                        ProductServerFixtures) {
    TestType f;

    CHECK(f.run(f.server->push(f.entry(created, 1, "key-1"))));
    CHECK(f.run(f.server->push(f.entry(updated, 2, "key-2"))));
    CHECK(f.run(f.server->push(f.entry(deleted, 3, "key-3"))));

    CHECK(f.accepted() == 3);
    CHECK(f.version_of(f.item()) == 3);
}

TEMPLATE_LIST_TEST_CASE("product server: the same key twice is once", "[contract][product_server]",
                        ProductServerFixtures) {
    TestType f;
    const auto first = f.entry(created, 1, "key-1");
    REQUIRE(f.run(f.server->push(first)));
    REQUIRE(f.run(f.server->push(f.entry(updated, 2, "key-2"))));

    CHECK(f.run(f.server->push(first)));

    CHECK(f.accepted() == 2);
    CHECK(f.version_of(f.item()) == 2);
}

#include <catch2/catch_template_test_macros.hpp>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

TEMPLATE_LIST_TEST_CASE("product server: what is pushed arrives for its item", "[contract][product_server]",
                        ProductServerFixtures) {
    TestType f;
    const auto entry = OutboxEntry::create({OutboxId{"o-1"}, "4711", R"({"name":"가방 👜"})", "key-1"}, t0);

    REQUIRE(f.run(f.server->push(entry)));

    CHECK(f.payload_of("4711") == R"({"name":"가방 👜"})");
    CHECK_FALSE(f.payload_of("4712"));
}

TEMPLATE_LIST_TEST_CASE("product server: the same key twice is once", "[contract][product_server]",
                        ProductServerFixtures) {
    TestType f;
    const auto first = OutboxEntry::create({OutboxId{"o-1"}, "4711", "v1", "key-1"}, t0);
    const auto second = OutboxEntry::create({OutboxId{"o-2"}, "4711", "v2", "key-2"}, t0);
    REQUIRE(f.run(f.server->push(first)));
    REQUIRE(f.run(f.server->push(second)));

    CHECK(f.run(f.server->push(first)));

    CHECK(f.accepted() == 2);
    CHECK(f.payload_of("4711") == "v2");
}

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "contract/fixtures/redis.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

template <class Stores>
std::optional<ports::Lease> acquire(Stores& f, const std::string& holder, const std::string& name = "schedule/shop-1") {
    auto lease = f.run(f.leases->acquire(name, holder, 10s));
    REQUIRE(lease);
    return *lease;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("lease: a free lease is given, until now plus its length", "[contract][lease]", LeaseFixtures) {
    TestType f;

    const auto lease = acquire(f, "a");

    REQUIRE(lease);
    CHECK(lease->name == "schedule/shop-1");
    CHECK(lease->holder == "a");
    CHECK(lease->until == f.now() + 10s);
}

TEMPLATE_LIST_TEST_CASE("lease: what one holds, another does not get", "[contract][lease]", LeaseFixtures) {
    TestType f;
    REQUIRE(acquire(f, "a"));

    CHECK_FALSE(acquire(f, "b"));
    f.advance(9s);
    CHECK_FALSE(acquire(f, "b"));
}

TEMPLATE_LIST_TEST_CASE("lease: two who ask at once do not both get it", "[contract][lease]", LeaseFixtures) {
    TestType f;

    const auto [one, two] = f.run_both(f.leases->acquire("x", "a", 10s), f.leases->acquire("x", "b", 10s));

    REQUIRE(one);
    REQUIRE(two);
    CHECK(one->has_value() != two->has_value());
}

TEMPLATE_LIST_TEST_CASE("lease: names are independent", "[contract][lease]", LeaseFixtures) {
    TestType f;
    REQUIRE(acquire(f, "a", "one"));

    CHECK(acquire(f, "b", "two"));
}

TEMPLATE_LIST_TEST_CASE("lease: once it is over another gets it, with a higher fence", "[contract][lease]",
                        LeaseFixtures) {
    TestType f;
    const auto first = acquire(f, "a");
    REQUIRE(first);
    f.advance(10s);

    const auto second = acquire(f, "b");

    REQUIRE(second);
    CHECK(second->fence > first->fence);
    CHECK_FALSE(acquire(f, "a"));
}

TEMPLATE_LIST_TEST_CASE("lease: its holder prolongs it from now and keeps the fence", "[contract][lease]",
                        LeaseFixtures) {
    TestType f;
    const auto first = acquire(f, "a");
    REQUIRE(first);

    f.advance(6s);
    const auto prolonged = acquire(f, "a");
    REQUIRE(prolonged);
    CHECK(prolonged->fence == first->fence);
    CHECK(prolonged->until == first->until + 6s);

    f.advance(6s);
    CHECK_FALSE(acquire(f, "b"));
}

TEMPLATE_LIST_TEST_CASE("lease: one that was over but went to nobody else is its holder's again, same fence",
                        "[contract][lease]", LeaseFixtures) {
    TestType f;
    const auto first = acquire(f, "a");
    REQUIRE(first);
    f.advance(1h);

    const auto again = acquire(f, "a");

    REQUIRE(again);
    CHECK(again->fence == first->fence);
    CHECK_FALSE(acquire(f, "b"));
}

TEMPLATE_LIST_TEST_CASE("lease: a released lease is free at once, and the next fence is higher", "[contract][lease]",
                        LeaseFixtures) {
    TestType f;
    const auto first = acquire(f, "a");
    REQUIRE(first);

    REQUIRE(f.run(f.leases->release(*first)));

    const auto next = acquire(f, GENERATE("a", "b"));
    REQUIRE(next);
    CHECK(next->fence > first->fence);
}

TEMPLATE_LIST_TEST_CASE("lease: releasing twice is releasing once", "[contract][lease]", LeaseFixtures) {
    TestType f;
    const auto lease = acquire(f, "a");
    REQUIRE(lease);

    CHECK(f.run(f.leases->release(*lease)));
    CHECK(f.run(f.leases->release(*lease)));
    CHECK(acquire(f, "b"));
}

TEMPLATE_LIST_TEST_CASE("lease: a late release is a conflict and takes nothing from the new holder",
                        "[contract][lease]", LeaseFixtures) {
    TestType f;
    const auto old = acquire(f, "a");
    REQUIRE(old);
    f.advance(10s);
    REQUIRE(acquire(f, "b"));

    CHECK(code_of(f.run(f.leases->release(*old))) == "CONFLICT");
    CHECK_FALSE(acquire(f, "c"));
}

TEMPLATE_LIST_TEST_CASE("lease: a release from before its holder took it anew is a conflict", "[contract][lease]",
                        LeaseFixtures) {
    TestType f;
    const auto old = acquire(f, "a");
    REQUIRE(old);
    REQUIRE(f.run(f.leases->release(*old)));
    REQUIRE(acquire(f, "a"));

    CHECK(code_of(f.run(f.leases->release(*old))) == "CONFLICT");
    CHECK_FALSE(acquire(f, "b"));
}

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <vector>

#include "contract/fixtures/all.hpp"

using namespace crawler;
using namespace crawler::test;

TEMPLATE_LIST_TEST_CASE("ids: each sorts behind the one before, so none comes twice", "[contract][id_generator]",
                        IdFixtures) {
    TestType f;
    std::vector<TaskId> ids;
    for (int i = 0; i < 100'000; ++i) ids.push_back(f.ids->template make<TaskId>());

    CHECK(std::ranges::adjacent_find(ids, std::ranges::greater_equal{}) == ids.end());
}

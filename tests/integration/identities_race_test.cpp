// Two daemons that begin with the same identities at the same time.
#include <atomic>
#include <barrier>
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/sql.hpp"

using namespace crawler;
using namespace crawler::test;

TEST_CASE("identities: where two find the same faces missing and both write them, the second finds them there",
          "[integration][user_agents]") {
    MariaDbStores w;
    // Both have looked, and neither has written; who comes back has nothing left to write.
    std::barrier both_have_looked(2);
    std::atomic<int> writes = 0;
    const auto meet = [&](std::string_view statement) {
        if (!statement.starts_with("INSERT INTO user_agents")) return;
        ++writes;
        both_have_looked.arrive_and_wait();
    };
    const auto database = adapters::open_database(
        {.url = w.place.url(), .min_connections = 2, .max_connections = 2, .before_statement = meet}, *w.telemetry);
    const auto store = adapters::make_sql_user_agent_store(*database, test_keys());
    const auto faces = [](const std::string& who) {
        std::vector<UserAgent> agents;
        for (const std::string face : {"face 1", "face 2"})
            agents.push_back(*UserAgent::enroll(UserAgentId{who + face}, face, t0));
        return agents;
    };

    const auto [one, other] = w.run_both(store->add(faces("one, ")), store->add(faces("other, ")));

    REQUIRE(one);
    REQUIRE(other);
    CHECK(*one + *other == 2);
    CHECK(writes == 2);
    CHECK(w.run(w.user_agents->all())->size() == 2);
}

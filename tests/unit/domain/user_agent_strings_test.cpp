#include "domain/user_agent_strings.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "domain/user_agent.hpp"

using namespace crawler;

TEST_CASE("user-agent strings: there are fifty, no two alike") {
    const auto strings = user_agent_strings();

    CHECK(strings.size() == 50);
    CHECK(std::set<std::string_view>(strings.begin(), strings.end()).size() == 50);
}

TEST_CASE("user-agent strings: each can be enrolled and looks like a browser") {
    int mobile = 0;
    for (const auto string : user_agent_strings()) {
        CAPTURE(string);
        CHECK(UserAgent::enroll(UserAgentId{"ua"}, std::string(string), {}));
        CHECK(string.starts_with("Mozilla/5.0 ("));
        if (string.find("Mobile") != std::string_view::npos) ++mobile;
    }

    CHECK(mobile >= 10);
    CHECK(mobile <= 40);
}

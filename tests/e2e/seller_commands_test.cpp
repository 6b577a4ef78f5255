// crawlerctl sellers on a SQLite database of the test's own.
#include <catch2/catch_test_macros.hpp>

#include "e2e/daemon_under_test.hpp"
#include "support/databases.hpp"

using namespace crawler::test;

namespace {

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

struct ShopsUnderTest {
    SqliteFile file;

    Finished run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "sellers");
        arguments.insert(arguments.end(), {"--database", file.url()});
        return run_program(program("crawlerctl"), {.arguments = std::move(arguments)});
    }
    // What is refused is one line, and exit code 1.
    bool refuses(std::vector<std::string> arguments, const std::string& why) const {
        const auto refused = run(std::move(arguments));
        INFO(refused.out << refused.err);
        return refused.exit_code == 1 && refused.out.empty() && refused.err == "crawlerctl: " + why + "\n";
    }
};

}  // namespace

TEST_CASE("crawlerctl sellers: a seller that was added is listed, and added no second time") {
    const ShopsUnderTest shops;

    const auto added = shops.run({"add", "dmont", "--name", "드몽", "--interval", "3"});
    CHECK(added.exit_code == 0);
    CHECK(says(added.out, "dmont"));
    CHECK(shops.refuses({"add", "dmont", "--name", "드몽"}, "seller dmont is there already"));

    const auto listed = shops.run({"list"});
    CHECK(listed.exit_code == 0);
    CHECK(says(listed.out, "dmont                    ACTIVE    rate(3 days)   ACTIVE            0  드몽\n"));
    CHECK(says(listed.out, "1 of 1\n"));
}

TEST_CASE("crawlerctl sellers: interval, rename, deactivate and activate change the seller, or say why not") {
    const ShopsUnderTest shops;
    REQUIRE(shops.run({"add", "dmont", "--name", "드몽"}).exit_code == 0);

    CHECK(says(shops.run({"interval", "dmont", "7"}).out, "rate(7 days)"));
    CHECK(says(shops.run({"rename", "dmont", "새 이름"}).out, "새 이름"));
    CHECK(says(shops.run({"deactivate", "dmont"}).out, "INACTIVE"));
    CHECK(shops.refuses({"deactivate", "dmont"}, "Seller dmont is INACTIVE; cannot deactivate it"));
    CHECK(says(shops.run({"activate", "dmont"}).out, "ACTIVE    rate(7 days)"));
    CHECK(shops.refuses({"activate", "nobody"}, "there is no seller nobody"));
}

TEST_CASE("crawlerctl sellers: what is no seller and no interval is one line and exit code 2") {
    const ShopsUnderTest shops;
    for (const auto& wrong :
         {shops.run({"add", "dmont", "--name", "x", "--interval", "31"}), shops.run({"add", " ", "--name", "x"})}) {
        CHECK(wrong.exit_code == 2);
        CHECK(std::ranges::count(wrong.err, '\n') == 1);
    }
    CHECK(shops.refuses({"add", "dmont", "--name", " "}, "seller dmont: name must not be blank"));
}

TEST_CASE("crawlerctl sellers list: pages, by status, as JSON") {
    const ShopsUnderTest shops;
    for (const auto* name : {"a", "b", "c"}) REQUIRE(shops.run({"add", name, "--name", name}).exit_code == 0);
    REQUIRE(shops.run({"deactivate", "b"}).exit_code == 0);

    const auto page = shops.run({"list", "--offset", "1", "--limit", "1"});
    CHECK(says(page.out, "1 of 3\n"));
    CHECK(says(page.out, "\nb  "));

    const auto inactive = shops.run({"list", "--status", "INACTIVE", "--json"});
    CHECK(says(inactive.out, R"({"total":1,"sellers":[{"sellerId":"b","name":"b","status":"INACTIVE")"));
    CHECK(says(inactive.out, R"("scheduleStatus":"INACTIVE")"));
}

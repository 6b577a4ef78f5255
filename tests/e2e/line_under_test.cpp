#include "e2e/line_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

namespace crawler::test {
namespace {

const std::string any_keys = "test:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

std::map<std::string, std::string> on_database(const std::string& daemon, const std::string& url) {
    std::map<std::string, std::string> environment{{"CRAWLER__DATABASE__URL", url}};
    if (daemon != "product-sync") environment.emplace("CRAWLER__POOL__TOKEN_KEYS", any_keys);
    return environment;
}

std::string migrated(const TempDir& folder) {
    auto url = "sqlite:" + (folder.path() / "crawler.db").string();
    const auto done =
        run_program(program("crawlerctl"), {.arguments = {"migrate", "--database", url}, .environment = {}});
    INFO(done.out << done.err);
    REQUIRE(done.exit_code == 0);
    return url;
}

}  // namespace

LineUnderTest::LineUnderTest(int sellers, int products, const std::string& faults)
    : sellers_(sellers), database_(migrated(folder_)) {
    const auto scenario = folder_.write("world.yaml", "{faults: " + faults + ", limits: {per_hour: 0}}");
    crawlerctl({"agents", "import", "--builtin"});
    world_ = std::make_unique<Process>(
        program("marketsim"),
        Process::Options{.arguments = {"--port", "0", "--seed", "7", "--sellers", std::to_string(sellers), "--products",
                                       std::to_string(products), "--scenario", scenario},
                         .environment = {}});
    const auto line = world_->wait_for_line("listening on ", std::chrono::seconds{20});
    INFO(world_->err());
    REQUIRE(line);
    const auto begin = line->find("http://");
    world_url_ = line->substr(begin, line->find(' ', begin) - begin);
}

std::unique_ptr<DaemonUnderTest> LineUnderTest::start(const std::string& daemon,
                                                      std::map<std::string, std::string> environment) {
    environment.merge(on_database(daemon, database_));
    environment.emplace("CRAWLER__HTTP_CLIENT__ALLOW_PRIVATE_ADDRESSES", "true");
    if (daemon == "outbox-relay") environment.erase("CRAWLER__HTTP_CLIENT__ALLOW_PRIVATE_ADDRESSES");
    if (daemon == "trigger" || daemon == "worker") {
        environment.emplace("CRAWLER__MARKETPLACE__URL", world_url_);
        environment.emplace("CRAWLER__HTTP_CLIENT__ALLOWED_HOSTS", "127.0.0.1");
    }
    if (daemon == "product-sync") {
        environment.emplace("CRAWLER__PRODUCT_SERVER__URL", world_url_ + "/product-server");
        environment.emplace("CRAWLER__PRODUCT_SERVER__AUTH_VALUE", "Bearer simulated-key");
    }
    return std::make_unique<DaemonUnderTest>(daemon, std::move(environment));
}

std::string LineUnderTest::crawlerctl(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--database", database_});
    const auto done = run_program(program("crawlerctl"), {.arguments = std::move(arguments), .environment = {}});
    INFO(done.out << done.err);
    REQUIRE(done.exit_code == 0);
    return done.out;
}

void LineUnderTest::crawl() {
    for (int i = 1; i <= sellers_; ++i) {
        const auto seller = "seller_" + std::to_string(i);
        crawlerctl({"sellers", "add", seller, "--name", seller});
        crawlerctl({"sellers", "crawl", seller});
    }
}

std::map<std::string, std::string> alone(const TempDir& folder, const std::string& daemon) {
    return on_database(daemon, migrated(folder));
}

}  // namespace crawler::test

// Four real processes with clocks of their own on one real pool, a real marketplace that counts, and one of the four killed again and
// again between reserving and sending.
#include <signal.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/sql.hpp"
#include "coro/block_on.hpp"
#include "support/clocks.hpp"
#include "support/databases.hpp"
#include "support/http_get.hpp"
#include "support/process.hpp"
#include "support/redis_server.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// What the marketplace allows; the hammers' pool is told the same.
constexpr int identities = 4;
constexpr int limit = 10;
const std::string rules = "{limits: {per_hour: 10, hour: 4s, spacing: 50ms}}";
const std::vector<std::string> told{"--limit", "10", "--span-ms", "4000", "--spacing-ms", "50"};

std::unique_ptr<Process> start(const std::string& name, std::vector<std::string> arguments) {
    return std::make_unique<Process>(CRAWLER_BIN_DIR "/" + name,
                                     Process::Options{.arguments = std::move(arguments), .environment = {}});
}

class Marketplace {
  public:
    Marketplace() {
        const auto scenario = folder_.write("world.yaml", rules);
        process_ = start("marketsim",
                         {"--port", "0", "--seed", "1", "--sellers", "1", "--products", "10", "--scenario", scenario});
        const auto line = process_->wait_for_line("listening on ", 20s);
        INFO(process_->err());
        REQUIRE(line);
        const auto begin = line->find("http://");
        url_ = line->substr(begin, line->find(' ', begin) - begin);
    }
    const std::string& url() const { return url_; }
    boost::json::object rate() const {
        const auto port = static_cast<std::uint16_t>(std::stoi(url_.substr(url_.rfind(':') + 1)));
        const auto answer = http_get(port, "/_sim/audit");
        REQUIRE(answer);
        return boost::json::parse(answer->body).at("rate").as_object();
    }

  private:
    TempDir folder_;
    std::unique_ptr<Process> process_;
    std::string url_;
};

void enroll(const std::string& url) {
    boost::asio::io_context io{1};
    const auto telemetry = adapters::make_memory_telemetry();
    const auto database = adapters::open_database({.url = url, .min_connections = 1, .max_connections = 1}, *telemetry);
    adapters::TokenKeys keys{.current = "k1", .keys = {{"k1", Secret(std::string(32, 'k'))}}};
    std::vector<UserAgent> agents;
    for (int i = 0; i < identities; ++i) {
        const auto number = std::to_string(i);
        agents.push_back(*UserAgent::enroll(UserAgentId{"ua-" + number}, "Mozilla/5.0 hammer " + number, t0));
    }
    REQUIRE(coro::block_on(io, adapters::make_sql_user_agent_store(*database, keys)->add(std::move(agents))));
}

struct Hammering {
    std::string database;
    RedisServer* redis = nullptr;  // before it; killed in the middle, and started empty
    std::chrono::seconds length;
    std::vector<std::string> more = {};  // arguments of each
    bool wrong_clocks = false;  // by minutes; that of the one that dies is further ahead each time it comes again
};

// The ledger took over when Redis was dead, and handed back. Not every process need have asked meanwhile: it may have been told to wait.
void check_switches(const std::vector<std::string>& outputs) {
    int by_redis = 0, by_ledger = 0, changes = 0;
    for (const auto& said : outputs) {
        const auto number_after = [&](const std::string& words) {
            const auto at = said.find(words);
            REQUIRE(at != std::string::npos);
            return std::stoi(said.substr(at + words.size()));
        };
        by_redis += number_after("slots by Redis ");
        by_ledger += number_after("by the ledger ");
        changes += number_after("changes ");
    }
    CAPTURE(outputs);
    CHECK(by_redis > 0);
    CHECK(by_ledger > 0);
    CHECK(changes >= 2);
}

// What the marketplace has counted in the end.
boost::json::object hammer(const Hammering& what) {
    const Marketplace world;
    enroll(what.database);
    const auto begin = [&](std::chrono::seconds skew) {
        std::vector<std::string> arguments{"--database", what.database, "--world",
                                           world.url(),  "--seconds",   std::to_string(what.length.count())};
        const auto wrong = std::chrono::milliseconds{what.wrong_clocks ? skew : 0s};
        arguments.insert(arguments.end(), {"--skew-ms=" + std::to_string(wrong.count())});
        if (what.redis != nullptr) arguments.insert(arguments.end(), {"--redis", what.redis->url()});
        arguments.insert(arguments.end(), told.begin(), told.end());
        arguments.insert(arguments.end(), what.more.begin(), what.more.end());
        return start("identity_hammer", std::move(arguments));
    };
    std::vector<std::unique_ptr<Process>> steady;
    for (const auto skew : {0s, 4s, -180s}) steady.push_back(begin(skew));
    const auto began = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::steady_clock::now() - began; };
    bool was_killed = false;
    bool has_come_back = false;
    for (auto skew = 30s; passed() < what.length; skew += 30s) {
        const auto mortal = begin(skew);
        (void)mortal->wait_for_line("hammering", 20s);
        (void)mortal->wait(1500ms);
        mortal->signal(SIGKILL);
        if (what.redis == nullptr) continue;
        if (!was_killed && passed() > what.length / 3) what.redis->kill(), was_killed = true;
        if (was_killed && !has_come_back && passed() > what.length / 2) what.redis->start(), has_come_back = true;
    }
    std::vector<std::string> outputs;
    for (auto& process : steady) {
        const auto code = process->wait(2min);
        INFO(process->err());
        REQUIRE(code == 0);
        outputs.push_back(process->out());
    }
    if (what.redis != nullptr) check_switches(outputs);
    return world.rate();
}

int count(const boost::json::object& rate, const char* what) {
    return rate.at(what).to_number<int>();
}

void check_kept(const boost::json::object& rate) {
    CAPTURE(boost::json::serialize(rate));
    CHECK(count(rate, "identities") == identities);
    CHECK(count(rate, "overHour") == 0);
    CHECK(count(rate, "tooClose") == 0);
    CHECK(count(rate, "worstHour") >= limit - 1);  // it was the limit that held them
}

}  // namespace

TEST_CASE("hammer: four processes on one SQLite pool never pass the limit, though one dies again and again",
          "[hammer]") {
    const SqliteFile place;
    check_kept(hammer({.database = place.url(), .length = 10s}));
}

TEST_CASE("hammer: four processes with wrong clocks on one MariaDB pool never pass the limit either", "[hammer]") {
    const MariaDbSchema place;
    check_kept(hammer({.database = place.url(), .length = 10s, .wrong_clocks = true}));
}

TEST_CASE("hammer: the marketplace catches a pool that goes by its callers' clocks", "[hammer]") {
    const MariaDbSchema place;
    const auto rate = hammer({.database = place.url(), .length = 10s, .more = {"--own-clock"}, .wrong_clocks = true});
    CHECK(count(rate, "overHour") > 0);
}

TEST_CASE("hammer: Redis before the database, killed and started empty in the middle, and still never above the limit",
          "[hammer]") {
    const MariaDbSchema place;
    RedisServer redis;
    check_kept(hammer({.database = place.url(), .redis = &redis, .length = 20s, .wrong_clocks = true}));
}

// By hand, with `make proof`.
TEST_CASE("hammer: for a minute on SQLite", "[.][full-hammer]") {
    const SqliteFile place;
    check_kept(hammer({.database = place.url(), .length = 60s}));
}
TEST_CASE("hammer: for a minute on MariaDB, with wrong clocks", "[.][full-hammer]") {
    const MariaDbSchema place;
    check_kept(hammer({.database = place.url(), .length = 60s, .wrong_clocks = true}));
}
TEST_CASE("hammer: for a minute on Redis, killed and started empty in the middle, with wrong clocks",
          "[.][full-hammer]") {
    const MariaDbSchema place;
    RedisServer redis;
    check_kept(hammer({.database = place.url(), .redis = &redis, .length = 60s, .wrong_clocks = true}));
}

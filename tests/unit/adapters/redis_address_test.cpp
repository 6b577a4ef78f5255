#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "adapters/redis/redis_address.hpp"

using namespace crawler;
using namespace crawler::adapters;
using Kind = crawler::adapters::RedisAddress::Kind;

namespace {

RedisAddress parsed(std::string_view url) {
    const auto address = parse_redis_address(url);
    REQUIRE(address);
    return *address;
}
std::string complaint(std::string_view url) {
    const auto address = parse_redis_address(url);
    REQUIRE_FALSE(address);
    return address.error().detail;
}

}  // namespace

TEST_CASE("Redis address: one server, with its usual port and its first database") {
    const auto address = parsed("redis://cache.internal");

    CHECK(address.kind == Kind::server);
    CHECK_FALSE(address.tls);
    CHECK(address.nodes.at(0).text() == "cache.internal:6379");
    CHECK(address.database == 0);
}

TEST_CASE("Redis address: everything that can be said of one server") {
    const auto address = parsed("rediss://crawler@cache.internal:6380/3");

    CHECK(address.tls);
    CHECK(address.user == "crawler");
    CHECK(address.nodes.at(0).text() == "cache.internal:6380");
    CHECK(address.database == 3);
}

TEST_CASE("Redis address: a socket in the file system") {
    const auto address = parsed("redis+unix:///run/redis/redis.sock");

    CHECK(address.nodes.at(0).host == "/run/redis/redis.sock");
    CHECK(address.nodes.at(0).port == 0);
}

TEST_CASE("Redis address: sentinels and the name of a master") {
    const auto address = parsed("rediss+sentinel://a,b:26380/the-master/2");

    CHECK(address.kind == Kind::sentinel);
    CHECK(address.tls);
    CHECK(address.nodes.at(0).text() == "a:26379");
    CHECK(address.nodes.at(1).text() == "b:26380");
    CHECK(address.master == "the-master");
    CHECK(address.database == 2);
}

TEST_CASE("Redis address: nodes of a cluster, by IPv6 too") {
    const auto address = parsed("redis+cluster://[::1]:7000,[fe80::2]");

    CHECK(address.kind == Kind::cluster);
    CHECK(address.nodes.at(0).host == "::1");
    CHECK(address.nodes.at(0).port == 7000);
    CHECK(address.nodes.at(1).port == 6379);
}

TEST_CASE("Redis address: what is wrong is named, and a password never shown") {
    CHECK(complaint("http://a").find("redis://") != std::string::npos);
    CHECK(complaint("redis+cluster://a/1").find("no databases") != std::string::npos);
    CHECK(complaint("redis+sentinel://a").find("master's name") != std::string::npos);
    CHECK(complaint("redis://a,b").find("several hosts") != std::string::npos);
    CHECK(complaint("redis://a:70000").find("65535") != std::string::npos);
    CHECK(complaint("redis://a/x").find("number of a database") != std::string::npos);
    CHECK(complaint("redis+unix://run/sock").find("full path") != std::string::npos);
    CHECK(complaint("redis://a?tls=1").find("no options") != std::string::npos);
    const auto with_password = complaint("redis://user:hunter2@a");
    CHECK(with_password.find("redis.password") != std::string::npos);
    CHECK(with_password.find("hunter2") == std::string::npos);
}

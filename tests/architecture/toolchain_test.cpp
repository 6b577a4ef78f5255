// The libraries behind dep::soci and dep::redis, compiled, linked and called: cmake/Dependencies.cmake finds them by
// hand where the distribution has no CMake file for them, and this keeps it honest.
#include <soci/mysql/soci-mysql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

#if __has_include(<sw/redis++/redis++.h>)
#include <sw/redis++/redis++.h>
#else
#include <hiredis/hiredis.h>
#endif

TEST_CASE("toolchain: SOCI opens SQLite and a query answers") {
    soci::session sql(soci::sqlite3, ":memory:");
    int one = 0;

    sql << "SELECT 1", soci::into(one);

    CHECK(one == 1);
}

TEST_CASE("toolchain: text in any script comes back from SQLite as it went in") {
    soci::session sql(soci::sqlite3, ":memory:");
    const std::string text = "머스트잇 'quoted' \"both\" \\ 🙂";
    std::string back;

    sql << "SELECT :text", soci::use(text, "text"), soci::into(back);

    CHECK(back == text);
}

TEST_CASE("toolchain: SOCI's MySQL driver is linked, and says so when nobody listens") {
    CHECK_THROWS_AS(soci::session(soci::mysql, "host=127.0.0.1 port=1 user=nobody db=none connect_timeout=1"),
                    soci::mysql_soci_error);
}

TEST_CASE("toolchain: the Redis client is linked, and says so when nobody listens") {
#if __has_include(<sw/redis++/redis++.h>)
    sw::redis::Redis redis("tcp://127.0.0.1:1");

    CHECK_THROWS_AS(redis.ping(), sw::redis::Error);
#else
    redisContext* context = redisConnect("127.0.0.1", 1);

    REQUIRE(context != nullptr);
    CHECK(context->err == REDIS_ERR_IO);
    redisFree(context);
#endif
}

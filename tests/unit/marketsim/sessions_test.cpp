#include "sessions.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace marketsim;
using namespace std::chrono_literals;
using enum Sessions::Standing;

TEST_CASE("sessions: the cookies of a browser are good for it until they expire", "[marketsim]") {
    Sessions sessions(7, 1h);
    const auto cookies = sessions.open("browser", 0s);

    CHECK(sessions.check("browser", cookies, 1h - 1us) == good);
    CHECK(sessions.check("browser", cookies, 1h) == expired);
    CHECK(sessions.check("another", cookies, 0s) == foreign);
    CHECK(sessions.check("browser", {}, 0s) == none);
}

TEST_CASE("sessions: all three cookies are looked at", "[marketsim]") {
    Sessions sessions(7, 1h);
    const auto cookies = sessions.open("browser", 0s);

    auto other = cookies;
    other.nid = "x";
    CHECK(sessions.check("browser", other, 0s) == foreign);
    other = cookies;
    other.mustit_uid.clear();
    CHECK(sessions.check("browser", other, 0s) == foreign);
}

TEST_CASE("sessions: new cookies void the old ones", "[marketsim]") {
    Sessions sessions(7, 1h);
    const auto first = sessions.open("browser", 0s);
    const auto second = sessions.open("browser", 1s);

    CHECK(first != second);
    CHECK(sessions.check("browser", first, 2s) == foreign);
    CHECK(sessions.check("browser", second, 2s) == good);
}

TEST_CASE("sessions: one that is killed has expired", "[marketsim]") {
    Sessions sessions(7, 1h);
    const auto cookies = sessions.open("browser", 0s);

    sessions.kill("browser");

    CHECK(sessions.check("browser", cookies, 0s) == expired);
}

TEST_CASE("sessions: the same seed hands out the same cookies, aged in the client's seconds", "[marketsim]") {
    Sessions one(7, 1h);
    Sessions two(7, 1h);
    const auto cookies = one.open("browser", 0s);

    CHECK(cookies == two.open("browser", 5s));
    CHECK(one.headers(cookies, 60).front() == "token=" + cookies.token + "; Path=/; Max-Age=60; HttpOnly");
}

TEST_CASE("sessions: a cookie is kept for a second at least, however fast time passes", "[marketsim]") {
    Sessions sessions(7, 30min);
    const auto cookies = sessions.open("browser", 0s);

    CHECK(sessions.headers(cookies, 3600).front() == "token=" + cookies.token + "; Path=/; Max-Age=1; HttpOnly");
}

TEST_CASE("sessions: a Cookie header is read whatever else is in it", "[marketsim]") {
    const auto cookies = read_cookies("a=b; token=t=1;nid=n ; x; mustit_uid=u");

    CHECK(cookies == Cookies{"t=1", "n", "u"});
    CHECK(read_cookies("") == Cookies{});
}

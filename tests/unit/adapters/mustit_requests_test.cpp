#include "adapters/mustit/requests.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace crawler::adapters;
using namespace crawler::adapters::mustit;
using ports::find_header;

namespace {

const MustitConfig config{.base_url = "https://site.example", .accept_language = "ko-KR"};

ports::Slot slot() {
    ports::Slot slot;
    slot.user_agent = "Mozilla/5.0 (iPhone)";
    slot.token = Secret("token=t; nid=n; mustit_uid=u");
    return slot;
}

using Cookies = std::vector<std::string>;

Result<Secret> session(const Cookies& cookies) {
    std::vector<ports::HttpHeader> headers{{"Content-Type", "text/html"}};
    for (const auto& cookie : cookies) headers.push_back({"set-cookie", cookie});
    return session_in(headers);
}

// The words of the complaint.
std::string why_not(const Cookies& cookies) {
    const auto got = session(cookies);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == Errc::invalid);
    return got.error().detail;
}

}  // namespace

TEST_CASE("mustit request: it is what a phone's browser sends, with the identity's session", "[mustit][request]") {
    const auto request = ask_for(config, *RequestUrl::detail(4711), slot());

    CHECK(request.method == "GET");
    CHECK(request.url == "https://site.example/mustit-api/facade-api/v1/item/4711/detail/top");
    CHECK(find_header(request.headers, "User-Agent") == "Mozilla/5.0 (iPhone)");
    CHECK(find_header(request.headers, "Accept") == "application/json");
    CHECK(find_header(request.headers, "Accept-Language") == "ko-KR");
    CHECK(find_header(request.headers, "Origin") == "https://site.example");
    CHECK(find_header(request.headers, "Referer") == "https://site.example/");
    CHECK(find_header(request.headers, "Cookie") == "token=t; nid=n; mustit_uid=u");
    CHECK(request.body.empty());
}

TEST_CASE("mustit request: what is encoded once goes out encoded once", "[mustit][request]") {
    const auto url = *RequestUrl::search_next("/v1/search/items?keyword=%EA%B0%80&previousIdx=0%2C0");

    const auto request = ask_for(config, url, slot());

    CHECK(request.url ==
          "https://site.example/v2/api/facade/searchItems?nextApiUrl=%2Fv1%2Fsearch%2Fitems%3Fkeyword%3D%25EA%25B0%2580"
          "%26previousIdx%3D0%252C0");
}

TEST_CASE("mustit request: without a session there is no cookie", "[mustit][request]") {
    auto stranger = slot();
    stranger.token = Secret();

    CHECK_FALSE(find_header(ask_for(config, *RequestUrl::option(1), stranger).headers, "Cookie"));
}

TEST_CASE("mustit request: a session is asked for at the root, with no cookies of an earlier one",
          "[mustit][request]") {
    const auto request = ask_for_session(config, slot());

    CHECK(request.url == "https://site.example/");
    CHECK(find_header(request.headers, "User-Agent") == "Mozilla/5.0 (iPhone)");
    CHECK_FALSE(find_header(request.headers, "Cookie"));
}

TEST_CASE("mustit session: it is the three cookies, ready to be sent, whatever else is set", "[mustit][session]") {
    const auto got =
        session({"nid=n-1; Path=/; HttpOnly", "_ga=GA1; Max-Age=0", "token=tk.1/2+3==; Path=/; Max-Age=86400",
                 "mustit_uid=u:1;Secure", "tokens=no", "Token=no"});

    REQUIRE(got);
    CHECK(got->reveal() == "token=tk.1/2+3==; nid=n-1; mustit_uid=u:1");
}

TEST_CASE("mustit session: each of the three is needed", "[mustit][session]") {
    CHECK(why_not({}) == "no cookie token was given");
    CHECK(why_not({"token=t", "mustit_uid=u"}) == "no cookie nid was given");
    CHECK(why_not({"token=t", "nid=n"}) == "no cookie mustit_uid was given");
    CHECK(why_not({"token=t; nid=n; mustit_uid=u"}) == "no cookie nid was given");
}

TEST_CASE("mustit session: the later word on a cookie holds, and it may take it away", "[mustit][session]") {
    CHECK(session({"token=old", "nid=n", "mustit_uid=u", "token=new"})->reveal() == "token=new; nid=n; mustit_uid=u");
    CHECK(why_not({"token=t; Max-Age=0", "nid=n", "mustit_uid=u"}) == "no cookie token was given");
    CHECK(why_not({"token=t", "nid=n", "mustit_uid=u", "token=deleted; max-age=-1"}) == "no cookie token was given");
}

TEST_CASE("mustit session: what is no cookie's value is refused, and not repeated", "[mustit][session]") {
    for (const std::string value : {"", "a b", "a\"b", "a,b", "a\\b", "a\tb", "\xEA\xB0\x80"}) {
        CAPTURE(value);
        CHECK(why_not({"token=" + value, "nid=n", "mustit_uid=u"}) == "the cookie token is not a cookie's value");
    }
}

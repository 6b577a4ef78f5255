#include <zlib.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <random>

#include "adapters/http/gunzip.hpp"
#include "unit/adapters/http_fixture.hpp"

using namespace crawler;
using namespace crawler::test;
using adapters::gunzip;

namespace {

std::string packed(std::string text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string noise(std::size_t size) {
    std::mt19937_64 random(7);
    std::string text(size, '\0');
    for (auto& c : text) c = static_cast<char>(random());
    return text;
}

// The client's answer where the server says `body` in that coding.
Answer ask_for(const std::string& body, const std::string& coding, adapters::HttpClientConfig config = {}) {
    auto say = [&](ports::HttpRequest request) -> Async<ports::HttpResponse> {
        CHECK(find_header(request.headers, "Accept-Encoding") == "gzip");
        co_return ports::HttpResponse{.headers = {{"Content-Encoding", coding}, {"X-Other", "kept"}}, .body = body};
    };
    Loopback site(say);
    const auto client = local_client(std::move(config), site.io);
    return site.during(ask(*client, get(site.url("/"))));
}

}  // namespace

TEST_CASE("http packed: a packed body arrives unpacked, without a word of how it travelled") {
    const auto coding = GENERATE("gzip", "GZIP", "x-gzip");

    const auto answer = ask_for(packed("머스트잇"), coding);

    REQUIRE(*answer);
    CHECK((*answer)->body == "머스트잇");
    CHECK_FALSE(find_header((*answer)->headers, "Content-Encoding"));
    CHECK_FALSE(find_header((*answer)->headers, "Content-Length"));
    CHECK(find_header((*answer)->headers, "X-Other") == "kept");
}

TEST_CASE("http packed: a body that is larger than the limit once unpacked is invalid") {
    const auto bomb = packed(std::string(50'000'000, '0'));
    REQUIRE(bomb.size() < 100'000);

    const auto answer = ask_for(bomb, "gzip", {.max_body = 1'000'000});

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::invalid);
}

TEST_CASE("http packed: a packed body that is cut, damaged or followed by something is unavailable") {
    const auto whole = packed(noise(1000));
    auto damaged = whole;
    damaged[damaged.size() - 6] ^= 1;
    const auto body = GENERATE_COPY(whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1), damaged,
                                    whole + "more", std::string("<html>"));

    const auto answer = ask_for(body, "gzip");

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
}

TEST_CASE("http packed: a coding that was not asked for is invalid, and an empty body has none") {
    CHECK(ask_for("words", "br")->error().code == Errc::invalid);
    CHECK((*ask_for("", "gzip"))->body.empty());
    CHECK((*ask_for("words", "identity"))->body == "words");
}

TEST_CASE("http packed: exactly the limit passes, one byte more does not") {
    const auto text = GENERATE(std::string(200'000, 'x'), noise(200'000), std::string("x"));

    CHECK(*gunzip(packed(text), text.size()) == text);
    CHECK(gunzip(packed(text), text.size() - 1).error().code == Errc::invalid);
}

TEST_CASE("http packed: several packed bodies in a row are one") {
    CHECK(*gunzip(packed("one ") + packed("") + packed("two"), 100) == "one two");
    CHECK(gunzip(packed("one") + packed("two"), 5).error().code == Errc::invalid);
}

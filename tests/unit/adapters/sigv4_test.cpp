// The published vectors of Signature Version 4 (tests/data/sigv4), each step of each.
#include "adapters/aws/sigv4.hpp"

#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace crawler;
using namespace crawler::adapters::aws;

namespace {

namespace json = boost::json;

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Vector {
    explicit Vector(std::filesystem::path folder) : folder_(std::move(folder)) {
        const auto context = json::parse(read(folder_ / "context.json"));
        const auto& keys = context.at("credentials").as_object();
        credentials = {.access_key = text(keys.at("access_key_id")),
                       .secret_key = Secret(text(keys.at("secret_access_key"))),
                       .session_token = Secret(keys.contains("token") ? text(keys.at("token")) : "")};
        auto at = text(context.at("timestamp"));
        at.insert(at.size() - 1, ".000000");
        scope = {text(context.at("region")), text(context.at("service")), *parse_rfc3339(at)};
        digest = context.at("sign_body").as_bool() ? BodyDigest::as_header : BodyDigest::implied;
        read_request();
    }

    std::string expected(const std::string& what) const { return read(folder_ / ("header-" + what + ".txt")); }
    std::string name() const { return folder_.filename().string(); }

    // As it is once its own headers are there, without the signature.
    ports::HttpRequest stamped() const {
        auto copy = request;
        sign(copy, credentials, scope, digest);
        copy.headers.pop_back();
        return copy;
    }

    ports::HttpRequest request;
    Credentials credentials;
    SigningScope scope;
    BodyDigest digest{};

  private:
    static std::string text(const json::value& value) { return std::string(value.as_string()); }

    void read_request() {
        std::istringstream in(read(folder_ / "request.txt"));
        std::string line;
        std::getline(in, line);
        const auto target = line.find(' ') + 1;
        request.method = line.substr(0, target - 1);
        request.url = "https://example.amazonaws.com" + line.substr(target, line.rfind(' ') - target);
        while (std::getline(in, line) && !line.empty()) {
            const auto colon = line.find(':');
            request.headers.push_back({line.substr(0, colon), line.substr(colon + 1)});
        }
        std::getline(in, request.body);
    }

    std::filesystem::path folder_;
};

std::vector<Vector> vectors() {
    std::vector<Vector> all;
    for (const auto& folder : std::filesystem::directory_iterator(CRAWLER_SIGV4_VECTORS))
        all.emplace_back(folder.path());
    return all;
}

const Credentials someone{.access_key = "AKID", .secret_key = Secret("key"), .session_token = {}};

}  // namespace

TEST_CASE("sigv4: every published vector has its canonical request, its string to sign and its signature", "[aws]") {
    const auto all = vectors();
    REQUIRE(all.size() == 12);
    for (const auto& vector : all) {
        INFO(vector.name());

        const auto canonical = canonical_request(vector.stamped());
        CHECK(canonical == vector.expected("canonical-request"));
        const auto to_sign = string_to_sign(canonical, vector.scope);
        CHECK(to_sign == vector.expected("string-to-sign"));
        CHECK(signature(to_sign, vector.credentials.secret_key, vector.scope) == vector.expected("signature"));

        auto request = vector.request;
        sign(request, vector.credentials, vector.scope, vector.digest);
        const auto& authorization = request.headers.back();
        CHECK(vector.expected("signed-request").find("Authorization:" + authorization.value) != std::string::npos);
    }
}

TEST_CASE("sigv4: the host is signed as the URL has it, where no header says it", "[aws]") {
    const ports::HttpRequest request{.method = "POST", .url = "http://127.0.0.1:9324", .headers = {}, .body = "{}"};

    CHECK(canonical_request(request).starts_with("POST\n/\n\nhost:127.0.0.1:9324\n\nhost\n"));
}

TEST_CASE("sigv4: spaces around and within a header's value do not count", "[aws]") {
    const ports::HttpRequest request{.method = "GET", .url = "https://a.example/", .headers = {{"B", "  x   y "}}};

    CHECK(canonical_request(request).find("b:x y\n") != std::string::npos);
}

TEST_CASE("sigv4: a change of key, body, region or time changes the signature", "[aws]") {
    const SigningScope scope{"us-east-1", "sqs", *parse_rfc3339("2026-11-18T09:00:00.000000Z")};
    const auto signed_with = [](std::string body, const Credentials& who, const SigningScope& where) {
        ports::HttpRequest request{
            .method = "POST", .url = "https://a.example/", .headers = {}, .body = std::move(body)};
        sign(request, who, where);
        return request.headers.back().value;
    };
    const auto first = signed_with("{}", someone, scope);

    CHECK(first == signed_with("{}", someone, scope));
    CHECK(first != signed_with("{ }", someone, scope));
    CHECK(first != signed_with("{}", {.access_key = "AKID", .secret_key = Secret("yek"), .session_token = {}}, scope));
    CHECK(first != signed_with("{}", someone, {"us-east-2", "sqs", scope.now}));
    CHECK(first != signed_with("{}", someone, {"us-east-1", "sqs", scope.now + std::chrono::seconds{1}}));
}

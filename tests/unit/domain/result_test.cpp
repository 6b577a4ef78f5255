#include "domain/result.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>

using namespace crawler;

TEST_CASE("result: it holds a value or the reason why there is none") {
    const Result<int> good = 7;
    const Result<int> bad = Error{Errc::not_found, "no such thing"};

    REQUIRE(good);
    CHECK(*good == 7);
    REQUIRE_FALSE(bad);
    CHECK(bad.error() == Error{Errc::not_found, "no such thing"});
}

TEST_CASE("result: of nothing, it is success unless it holds a reason") {
    CHECK(Result<>());
    const Result<> bad = Error{Errc::invalid, "never"};
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code == Errc::invalid);
}

TEST_CASE("result: a value that cannot be copied can be moved out") {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(7);

    const auto value = *std::move(result);

    CHECK(*value == 7);
}

TEST_CASE("result: only what may succeed later by itself is retryable") {
    CHECK(is_retryable(Errc::rate_limited));
    CHECK(is_retryable(Errc::blocked));
    CHECK(is_retryable(Errc::timeout));
    CHECK(is_retryable(Errc::unavailable));
    CHECK_FALSE(is_retryable(Errc::not_found));
    CHECK_FALSE(is_retryable(Errc::conflict));
    CHECK_FALSE(is_retryable(Errc::invalid));
}

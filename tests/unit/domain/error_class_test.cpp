#include "domain/error_class.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;

TEST_CASE("error class: every error of the marketplace has its class") {
    CHECK(class_of(Errc::rate_limited) == ErrorClass::throttled);
    CHECK(class_of(Errc::blocked) == ErrorClass::auth);
    CHECK(class_of(Errc::not_found) == ErrorClass::gone);
    CHECK(class_of(Errc::timeout) == ErrorClass::transient);
    CHECK(class_of(Errc::unavailable) == ErrorClass::transient);
    CHECK(class_of(Errc::invalid) == ErrorClass::permanent);
    CHECK(class_of(Errc::conflict) == ErrorClass::permanent);
}

TEST_CASE("error class: what may be tried again later is throttled, transient or auth, and nothing else is") {
    for (const auto& [code, name] : names(Errc{})) {
        CAPTURE(name);
        const auto kind = class_of(code);
        const bool passing = kind == ErrorClass::throttled || kind == ErrorClass::transient || kind == ErrorClass::auth;
        CHECK(is_retryable(code) == passing);
    }
}

#include "domain/blame.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint t0{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18} + 9h};
const std::string detail = "PRODUCT_DETAIL";
const UserAgentId a{"ua-1"};
const UserAgentId b{"ua-2"};
const UserAgentId c{"ua-3"};
const UserAgentId d{"ua-4"};

}  // namespace

TEST_CASE("blame: one failure and two are the identities' own") {
    Blame blame;

    CHECK_FALSE(blame.record(detail, a, 10, t0).endpoint_at_fault);
    CHECK_FALSE(blame.record(detail, b, 10, t0 + 1s).endpoint_at_fault);
    CHECK_FALSE(blame.endpoint_at_fault(detail, t0 + 1s));
}

TEST_CASE("blame: the third identity to fail shows that it is the endpoint, and the others are forgiven") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 5, t0 + 1s);

    const auto verdict = blame.record(detail, c, 10, t0 + 2s);

    CHECK(verdict.endpoint_at_fault);
    CHECK(verdict.forgiven == std::vector<Blame::Charge>{{a, 10}, {b, 5}});
    CHECK(blame.endpoint_at_fault(detail, t0 + 2s));
}

TEST_CASE("blame: each failure is forgiven once, and later ones are never charged") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 10, t0);
    blame.record(detail, c, 10, t0);

    const auto fourth = blame.record(detail, d, 10, t0 + 1s);
    const auto again = blame.record(detail, a, 10, t0 + 2s);

    CHECK(fourth.endpoint_at_fault);
    CHECK(fourth.forgiven.empty());
    CHECK(again.endpoint_at_fault);
    CHECK(again.forgiven.empty());
}

TEST_CASE("blame: one identity that fails three times is one identity, and is forgiven all of it if others join") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, a, 5, t0 + 1s);
    CHECK_FALSE(blame.record(detail, a, 10, t0 + 2s).endpoint_at_fault);
    CHECK_FALSE(blame.record(detail, b, 10, t0 + 3s).endpoint_at_fault);

    const auto verdict = blame.record(detail, c, 10, t0 + 4s);

    CHECK(verdict.forgiven == std::vector<Blame::Charge>{{a, 10}, {a, 5}, {a, 10}, {b, 10}});
}

TEST_CASE("blame: a failure from before the span is not forgiven") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 10, t0 + 1min);
    blame.record(detail, c, 10, t0 + 1min);

    const auto verdict = blame.record(detail, d, 10, t0 + 1min);

    CHECK(verdict.forgiven == std::vector<Blame::Charge>{{b, 10}, {c, 10}});
}

TEST_CASE("blame: failures count together within the span only") {
    Blame in_time;
    in_time.record(detail, a, 10, t0);
    in_time.record(detail, b, 10, t0 + 30s);
    CHECK(in_time.record(detail, c, 10, t0 + 1min - 1us).endpoint_at_fault);

    Blame too_late;
    too_late.record(detail, a, 10, t0);
    too_late.record(detail, b, 10, t0 + 30s);
    CHECK_FALSE(too_late.record(detail, c, 10, t0 + 1min).endpoint_at_fault);
}

TEST_CASE("blame: an endpoint is at fault until the span after its failures is over") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 10, t0);
    blame.record(detail, c, 10, t0 + 10s);

    CHECK(blame.endpoint_at_fault(detail, t0 + 1min - 1us));
    CHECK_FALSE(blame.endpoint_at_fault(detail, t0 + 1min));
}

TEST_CASE("blame: endpoints are judged apart") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 10, t0);

    CHECK_FALSE(blame.record("PRODUCT_OPTION", c, 10, t0).endpoint_at_fault);
    CHECK_FALSE(blame.endpoint_at_fault("MINISHOP", t0));
    CHECK(blame.record(detail, c, 10, t0).endpoint_at_fault);
}

TEST_CASE("blame: a success of the endpoint clears it") {
    Blame blame;
    blame.record(detail, a, 10, t0);
    blame.record(detail, b, 10, t0);
    blame.succeeded(detail);

    CHECK_FALSE(blame.record(detail, c, 10, t0 + 1s).endpoint_at_fault);
    CHECK_FALSE(blame.record(detail, a, 10, t0 + 1s).endpoint_at_fault);
    CHECK(blame.record(detail, b, 10, t0 + 1s).endpoint_at_fault);
    blame.succeeded(detail);
    CHECK_FALSE(blame.endpoint_at_fault(detail, t0 + 1s));
}

TEST_CASE("blame: a failure that cost nothing is not given back") {
    Blame blame;
    blame.record(detail, a, 0, t0);
    blame.record(detail, b, 10, t0);

    CHECK(blame.record(detail, c, 10, t0).forgiven == std::vector<Blame::Charge>{{b, 10}});
}

TEST_CASE("blame: of too many endpoints those are forgotten that are over, then the one that was quiet for longest") {
    Blame blame({.most_endpoints = 2});
    blame.record("first", a, 10, t0);
    blame.record("second", a, 10, t0 + 1s);
    blame.record("first", b, 10, t0 + 2s);

    blame.record("third", a, 10, t0 + 3s);
    CHECK(blame.endpoints() == 2);
    CHECK(blame.record("first", c, 10, t0 + 4s).endpoint_at_fault);

    blame.record("fourth", a, 10, t0 + 5min);
    CHECK(blame.endpoints() == 1);
}

TEST_CASE("blame: of an endpoint's failures the oldest are forgotten when there are too many") {
    Blame blame({.most_failures = 3});
    blame.record(detail, a, 10, t0);
    for (int i = 0; i < 3; ++i) blame.record(detail, b, 10, t0 + 1s);

    CHECK_FALSE(blame.record(detail, c, 10, t0 + 2s).endpoint_at_fault);
    CHECK(blame.record(detail, a, 10, t0 + 3s).endpoint_at_fault);
}

TEST_CASE("blame: numbers out of their range are refused") {
    CHECK(BlamePolicy{}.check());
    CHECK(BlamePolicy{.identities = 2, .span = 1us, .most_endpoints = 1, .most_failures = 2}.check());
    CHECK(BlamePolicy{.identities = 1}.check().error().code == Errc::invalid);
    CHECK(BlamePolicy{.span = 0s}.check().error().code == Errc::invalid);
    CHECK(BlamePolicy{.most_endpoints = 0}.check().error().code == Errc::invalid);
    CHECK(BlamePolicy{.identities = 3, .most_failures = 2}.check().error().code == Errc::invalid);
}

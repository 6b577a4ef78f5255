#include "codec/proof.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace crawler::codec;

namespace {

CompletenessProof::State a_proof() {
    return {.announced = 500,
            .seen = 499,
            .complete = 497,
            .missing = {{5'000'000'001, MissingReason::gone}, {9'007'199'254'740'993, MissingReason::detail_failed}}};
}

}  // namespace

TEST_CASE("proof: it is written in canonical form", "[codec][proof]") {
    CHECK(write_proof(a_proof()) ==
          R"({"announced":500,"complete":497,"missing":[{"itemNo":5000000001,"reason":"GONE"},)"
          R"({"itemNo":9007199254740993,"reason":"DETAIL_FAILED"}],"seen":499})");
    CHECK(write_proof({}) == R"({"announced":0,"complete":0,"missing":[],"seen":0})");
}

TEST_CASE("proof: what was written is read back, whatever the reasons", "[codec][proof]") {
    auto proof = a_proof();
    CHECK(*read_proof(write_proof(proof)) == proof);
    CHECK(*read_proof(write_proof({})) == CompletenessProof::State{});

    proof.missing.clear();
    for (const auto& [reason, name] : names(MissingReason{})) proof.missing.push_back({std::ssize(name), reason});
    CHECK(*read_proof(write_proof(proof)) == proof);
}

TEST_CASE("proof: one that was proven from facts comes back as it was", "[codec][proof]") {
    const auto proof = *CompletenessProof::of(3, {{.item = 1, .listed = true, .detail = FacetOutcome::gone},
                                                  {.item = 2, .listed = true, .option = FacetOutcome::failed}});

    CHECK(CompletenessProof::restore(*read_proof(write_proof(proof.state()))) == proof);
}

TEST_CASE("proof: cut short at any byte it is invalid", "[codec][proof]") {
    const auto whole = write_proof(a_proof());
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        const auto read = read_proof(std::string_view(whole).substr(0, length));
        REQUIRE_FALSE(read);
        CHECK(read.error().code == Errc::invalid);
    }
    CHECK_FALSE(read_proof(whole + " "));
}

TEST_CASE("proof: a member that is missing, strange or of another type is named", "[codec][proof]") {
    const auto replaced = [](std::string_view from, std::string_view to) {
        auto text = write_proof(a_proof());
        const auto at = text.find(from);
        if (at == std::string::npos) FAIL("no " << from);
        const auto read = read_proof(text.replace(at, from.size(), to));
        return read ? std::string("read") : read.error().detail;
    };
    const auto wrong = [](const std::string& place) { return "proof: " + place + " is not as it was written"; };

    CHECK(replaced(R"("announced":500)", R"("announced":"500")") == wrong("/announced"));
    CHECK(replaced(R"("complete":497)", R"("complete":-1)") == wrong("/complete"));
    CHECK(replaced(R"("complete":497)", R"("complete":0497)") == wrong("/complete"));
    CHECK(replaced(R"("seen":499)", R"("seen":null)") == wrong("/seen"));
    CHECK(replaced(R"("reason":"GONE")", R"("reason":"LOST")") == wrong("/missing"));
    CHECK(replaced(R"("reason":"GONE")", R"("reason":"GONE","why":1)") == wrong("/missing"));
    CHECK(replaced(R"({"itemNo":5000000001,)", R"({"itemNo":true,)") == wrong("/missing"));
    CHECK(replaced(R"("missing":[)", R"("missing":[1,)") == wrong("/missing"));
    CHECK(replaced(R"(,"seen":499)", "") == wrong("the whole"));
    CHECK(replaced(R"("seen":499)", R"("seen":499,"x":1)") == wrong("the whole"));
}

// The diff against a judge that takes the two documents apart in memory, on random documents.
#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>

#include "codec/canonical.hpp"
#include "codec/diff.hpp"

using namespace crawler;
namespace json = boost::json;

namespace {

using Random = std::mt19937_64;
using Leaves = std::map<std::string, std::string>;

const std::vector<std::string> key_pool{"a",    "b",    "aa",   "a/b", "a~b", "가격",
                                        "q\"q", "s\\s", "n\nn", "~1",  "",    "4134224619"};

json::value random_value(Random& random, int depth) {
    switch (random() % (depth > 0 ? 7 : 4)) {
        case 0:
            return static_cast<std::int64_t>(random() % 5);
        case 1:
            return random() % 2 == 0;
        case 2:
            return json::string(key_pool[random() % key_pool.size()]);
        case 3: {
            json::array array;
            for (std::size_t i = random() % 3; i > 0; --i) array.push_back(random_value(random, depth - 1));
            return array;
        }
        default: {
            json::object object;
            for (std::size_t i = random() % 5; i > 0; --i)
                object[key_pool[random() % key_pool.size()]] = random_value(random, depth - 1);
            return object;
        }
    }
}

// Keys in the order of their written form, as the canonical form wants them.
std::string canonical(const json::value& value) {
    if (const auto* object = value.if_object()) {
        std::map<std::string, std::string> members;
        for (const auto& member : *object) {
            std::string key;
            codec::append_quoted(key, std::string_view(member.key()));
            members[key.substr(1, key.size() - 2)] = canonical(member.value());
        }
        std::string text = "{";
        for (const auto& [key, inside] : members) text += (text == "{" ? "\"" : ",\"") + key + "\":" + inside;
        return text + "}";
    }
    if (const auto* array = value.if_array()) {
        std::string text = "[";
        for (const auto& element : *array) text += (text == "[" ? "" : ",") + canonical(element);
        return text + "]";
    }
    std::string text;
    if (const auto* words = value.if_string()) {
        codec::append_quoted(text, std::string_view(*words));
        return text;
    }
    return json::serialize(value);
}

std::string escaped(std::string key) {
    for (std::size_t at = 0; (at = key.find('~', at)) != std::string::npos; at += 2) key.replace(at, 1, "~0");
    for (std::size_t at = 0; (at = key.find('/', at)) != std::string::npos; at += 2) key.replace(at, 1, "~1");
    return key;
}

void take_apart(Leaves& leaves, const json::value& value, const std::string& path) {
    if (value.is_object() && !value.as_object().empty()) {
        for (const auto& member : value.as_object())
            take_apart(leaves, member.value(), path + "/" + escaped(std::string(member.key())));
    } else {
        leaves[path] = canonical(value);
    }
}

FieldDiff judge(const std::string& before, const std::string& after) {
    Leaves old_leaves;
    Leaves new_leaves;
    take_apart(old_leaves, json::parse(before), "");
    take_apart(new_leaves, json::parse(after), "");
    std::vector<FieldChange> changes;
    for (const auto& [path, value] : old_leaves) {
        const auto found = new_leaves.find(path);
        if (found == new_leaves.end()) {
            changes.push_back({path, value, std::nullopt});
        } else if (found->second != value) {
            changes.push_back({path, value, found->second});
        }
    }
    for (const auto& [path, value] : new_leaves) {
        if (!old_leaves.contains(path)) changes.push_back({path, std::nullopt, value});
    }
    return FieldDiff(std::move(changes));
}

json::value random_document(Random& random) {
    json::object object;
    for (std::size_t i = random() % 8; i > 0; --i)
        object[key_pool[random() % key_pool.size()]] = random_value(random, 3);
    return object;
}

}  // namespace

TEST_CASE("diff: random documents differ as a judge in memory says", "[codec][diff]") {
    std::size_t different = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        Random random(seed);
        const auto first = random_document(random);
        auto second = random_document(random);
        // Half of the pairs are one document and an edit of it, so that much is equal.
        if (seed % 2 == 0) {
            second = first;
            second.as_object()[key_pool[random() % key_pool.size()]] = random_value(random, 2);
        }
        const auto before = canonical(first);
        const auto after = canonical(second);
        CAPTURE(seed, before, after);

        const auto found = codec::diff(before, after);

        REQUIRE(found);
        CHECK(*found == judge(before, after));
        different += found->empty() ? 0 : 1;
    }
    CHECK(different > 1000);
}

TEST_CASE("diff: random chains of versions add up", "[codec][diff]") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const auto first = canonical(random_document(random));
        auto last = first;
        FieldDiff sum;
        for (int step = 0; step < 4; ++step) {
            const auto next = canonical(random_document(random));
            const auto change = codec::diff(last, next);
            REQUIRE(change);
            sum = sum.then(*change);
            last = next;
        }
        CAPTURE(seed, first, last);

        CHECK(sum == *codec::diff(first, last));
    }
}

// How many details a second one core turns into facets and compares with what was known, next to doing the same through a
// document in memory, alternating in one run.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "adapters/mustit/mustit.hpp"
#include "bench/measure.hpp"
#include "codec/diff.hpp"
#include "codec/sha256.hpp"

namespace {

using namespace crawler;
using bench::median;
namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 15;
constexpr int answers = 1000;
constexpr double goal = 2.0;

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) give_up("cannot read " + path);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

// The text with the number after `before` replaced.
std::string with_number(std::string text, const std::string& before, int number) {
    const auto at = text.find(before);
    if (at == std::string::npos) give_up("the sample has no " + before);
    const auto begin = at + before.size();
    const auto end = text.find_first_not_of("0123456789", begin);
    return text.replace(begin, end - begin, std::to_string(number));
}

// Of ten answers nine differ only in what does not matter; in the tenth the price or the stock has moved as well.
std::vector<std::string> make_answers(const std::string& sample) {
    std::vector<std::string> all;
    for (int i = 0; i < answers; ++i) {
        auto body = with_number(sample, "\"likeCount\": ", i);
        body = with_number(body, "\"reviewCount\": ", 14119 + i);
        body = with_number(body, "\"trustPoint\": ", 3403 + i);
        if (i % 20 == 9) body = with_number(body, "\"sellingPrice\": ", 600000 + i);
        if (i % 20 == 19) body = with_number(body, "\"stock\": ", 100 + i);
        all.push_back(std::move(body));
    }
    return all;
}

struct Known {
    std::string text;
    Digest digest;
};

// What came of one answer: the paths that changed.
using Verdict = std::vector<std::string>;

Verdict ours(const std::string& body, const Known& known) {
    const auto facet = adapters::mustit::read_detail(body);
    if (!facet) give_up(facet.error().detail);
    if (facet->digest == known.digest) return {};
    const auto changes = codec::diff(known.text, facet->canonical);
    if (!changes) give_up(changes.error().detail);
    Verdict verdict;
    for (const auto& change : changes->changes()) verdict.push_back(change.path);
    return verdict;
}

// The plain way: parse, keep the modules and members that matter, sort them, write them, hash that.
struct WantedModule {
    std::string_view type;
    std::vector<std::string_view> members;
};

const std::vector<WantedModule>& wanted() {
    static const std::vector<WantedModule> modules{
        {"ProductInfoModule", {"sellerNo",       "sellerId",          "itemNo",        "itemName",
                               "brandName",      "brandNameKr",       "brandCode",     "headerCategoryCode",
                               "headerCategory", "largeCategoryCode", "largeCategory", "mediumCategoryCode",
                               "mediumCategory", "smallCategoryCode", "smallCategory", "normalPrice",
                               "sellingPrice",   "discountPrice",     "discountRate",  "stock",
                               "isSoldOut"}},
        {"ProductBannersModule", {"images"}},
        {"ProductDetailInfoModule", {"itemStatus", "originCountry", "shippingLocation", "descriptionMarkUp"}},
    };
    return modules;
}

const std::vector<std::string_view> wanted_shipping{"shippingType",      "shippingFee",      "shippingFeeType",
                                                    "isEachShippingFee", "isDirectShipping", "isCustomsDuty"};

using Sorted = std::map<std::string, json::value>;

void keep(Sorted& facet, const json::object& data, const std::vector<std::string_view>& members) {
    for (const auto member : members) {
        if (const auto* value = data.if_contains(json::string_view(member.data(), member.size())))
            facet.emplace(std::string(member), *value);
    }
}

void keep_shipping(Sorted& facet, const json::object& data) {
    for (const auto& item : data.at("items").as_array()) {
        if (item.at("type").as_string() != "SHIPPING") continue;
        const auto& parcel = item.at("data").as_object();
        keep(facet, parcel, wanted_shipping);
        if (const auto* delivery = parcel.if_contains("averageDeliveryDay"))
            facet.emplace("averageDeliveryDay", delivery->at("text"));
    }
}

std::string plain_text(const std::string& body) {
    const auto document = json::parse(body);
    Sorted facet;
    for (const auto& module : document.at("moduleList").as_array()) {
        const auto& type = module.at("type").as_string();
        if (type == "ShippingModule") keep_shipping(facet, module.at("data").as_object());
        for (const auto& want : wanted()) {
            if (std::string_view(type) == want.type) keep(facet, module.at("data").as_object(), want.members);
        }
    }
    json::object sorted;
    sorted.reserve(facet.size());
    for (auto& [key, value] : facet) sorted.emplace(key, std::move(value));
    return json::serialize(sorted);
}

Verdict plain(const std::string& body, const Known& known) {
    const auto text = plain_text(body);
    if (codec::sha256(text) == known.digest) return {};
    const auto before = json::parse(known.text);
    const auto after = json::parse(text);
    Verdict verdict;
    for (const auto& [key, value] : after.as_object()) {
        const auto* old = before.as_object().if_contains(key);
        if (!old || *old != value) verdict.push_back("/" + std::string(key));
    }
    for (const auto& [key, value] : before.as_object()) {
        if (!after.as_object().contains(key)) verdict.push_back("/" + std::string(key));
    }
    return verdict;
}

template <class Way>
double rate(Way way, const std::vector<std::string>& bodies, const Known& known, std::vector<Verdict>& verdicts) {
    verdicts.clear();
    const auto began = Clock::now();
    for (const auto& body : bodies) verdicts.push_back(way(body, known));
    return static_cast<double>(bodies.size()) / std::chrono::duration<double>(Clock::now() - began).count();
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a sample that cannot be read is the end of it
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_facets\n\nMeasures raw detail answer -> canonical facet -> SHA-256 -> diff against the "
            "version "
            "before, in answers a second\non one core, against the same work on a document in memory.");
        return 0;
    }
    const auto sample = read_file(std::string(CRAWLER_SAMPLES) + "/detail.json");
    const auto bodies = make_answers(sample);
    const auto facet = adapters::mustit::read_detail(sample);
    if (!facet) give_up(facet.error().detail);
    const Known ours_known{facet->canonical, facet->digest};
    const Known plain_known{plain_text(sample), codec::sha256(plain_text(sample))};
    if (ours_known.text != plain_known.text) give_up("the two ways do not agree about the sample");

    std::vector<double> ours_rates;
    std::vector<double> plain_rates;
    std::vector<double> ratios;
    std::vector<Verdict> ours_verdicts;
    std::vector<Verdict> plain_verdicts;
    for (int round = 0; round < rounds; ++round) {
        ours_rates.push_back(rate(ours, bodies, ours_known, ours_verdicts));
        plain_rates.push_back(rate(plain, bodies, plain_known, plain_verdicts));
        ratios.push_back(ours_rates.back() / plain_rates.back());
        if (ours_verdicts != plain_verdicts) give_up("the two ways do not agree about what changed");
    }
    const auto changed = std::ranges::count_if(ours_verdicts, [](const Verdict& verdict) { return !verdict.empty(); });

    std::printf(
        "detail answers of %zu bytes -> facet, digest, diff; %td of %d changed; median of %d rounds, one core\n",
        sample.size(), changed, answers, rounds);
    std::printf("%-24s %12.0f answers/s\n", "streamed (ours)", median(ours_rates));
    std::printf("%-24s %12.0f answers/s\n", "document in memory", median(plain_rates));
    const auto ratio = median(ratios);
    const auto wanted = ">= " + bench::with_decimals(goal, 1);
    return bench::judge("answers read as a stream / as a document", bench::with_decimals(ratio, 2), wanted,
                        ratio >= goal)
               ? 0
               : 1;
}

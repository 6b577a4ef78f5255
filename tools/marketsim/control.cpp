// What /_sim answers: how the world is, and how to change it.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "expectation.hpp"
#include "query.hpp"
#include "simulator.hpp"

namespace marketsim {
namespace {

namespace json = boost::json;

constexpr std::size_t usual_most = 100;
constexpr std::size_t longest_list = 10'000;  // longer ones would take so long to write that others are kept waiting

HttpResponse shown(const json::object& object) {
    return json_answer(200, json::serialize(object) + "\n");
}

json::object described(const Mutation& mutation, const Catalogue& catalogue) {
    json::array touched;
    for (const auto facet : facets) {
        if (mutation.touches[static_cast<std::size_t>(facet)]) touched.emplace_back(to_string(facet));
    }
    return {{"number", mutation.number},    {"kind", to_string(mutation.kind)},
            {"itemNo", mutation.item},      {"sellerId", Catalogue::seller_id(catalogue.seller_of(mutation.item))},
            {"facets", std::move(touched)}, {"atMs", in_milliseconds(mutation.at)}};
}

std::int64_t whole(const json::value& value, const char* name, std::int64_t lowest, std::int64_t highest) {
    const auto number = value.if_int64();
    if (!number || *number < lowest || *number > highest)
        throw std::invalid_argument(std::string("/") + name + " must be a whole number from " + std::to_string(lowest) +
                                    " to " + std::to_string(highest));
    return *number;
}

std::string text(const json::value& value, const char* name) {
    if (!value.is_string()) throw std::invalid_argument(std::string("/") + name + " must be a text");
    return std::string(value.get_string());
}

Change read_change(const json::object& wish, const Catalogue& catalogue) {
    Change change;
    bool has_kind = false;
    for (const auto& [key, value] : wish) {
        if (key == "kind") {
            const auto kind = parse_change_kind(text(value, "kind"));
            if (!kind)
                throw std::invalid_argument(
                    "/kind must be price, stock, options, images, description, add, remove or restore");
            change.kind = *kind;
            has_kind = true;
        } else if (key == "seller") {
            change.seller = catalogue.find_seller(text(value, "seller"));
            if (!change.seller) throw std::invalid_argument("/seller: there is no such seller");
        } else if (key == "count") {
            change.count = whole(value, "count", 1, 1'000'000);
        } else if (key == "percent") {
            change.per_mille = static_cast<int>(whole(value, "percent", 1, 100)) * 10;
        } else if (key == "items") {
            if (!value.is_array()) throw std::invalid_argument("/items must be a list of item numbers");
            for (const auto& item : value.get_array())
                change.items.push_back(whole(item, "items", 1, std::numeric_limits<std::int64_t>::max()));
        } else {
            throw std::invalid_argument("/" + std::string(key) + ": kind, seller, items, count and percent are known");
        }
    }
    if (!has_kind) throw std::invalid_argument("/kind is missing");
    return change;
}

}  // namespace

crawler::Async<HttpResponse> Simulator::control(HttpRequest request) {
    const auto mark = std::min(request.url.find('?'), request.url.size());
    const auto path = std::string_view(request.url).substr(0, mark);
    const bool is_get = request.method == "GET";
    const auto query = read_query(std::string_view(request.url).substr(std::min(mark + 1, request.url.size())));
    const auto* parameters = std::get_if<Parameters>(&query);
    if (!parameters) co_return refusal(400, "BAD_QUERY", std::get<std::string>(query));

    if (path == "/_sim/audit" && is_get) {
        std::optional<int> seller;
        std::size_t most = usual_most;
        for (const auto& [name, value] : *parameters) {
            const auto limit = number(value);
            if (name == "seller") seller = catalogue_.find_seller(value);
            if (name == "limit" && limit) most = std::min(longest_list, static_cast<std::size_t>(*limit));
            if (!(name == "seller" && seller) && !(name == "limit" && limit))
                co_return refusal(400, "BAD_PARAMETERS",
                                  "seller is the name of one, limit a number; not " + name + "=" + value);
        }
        co_return co_await show_audit(seller, most);
    }
    if (path == "/_sim/metrics" && is_get) co_return co_await show_metrics();
    constexpr std::string_view items = "/_sim/items/";
    if (path.starts_with(items) && is_get) co_return show_item(path.substr(items.size()));
    if (path == "/_sim/mutate" && request.method == "POST") co_return co_await mutate(std::move(request.body));
    if (path == "/_sim/faults" && request.method == "POST") co_return switch_faults(request.body);
    co_return refusal(404, "UNKNOWN_PATH",
                      "GET /_sim/audit, /_sim/metrics, /_sim/items/{itemNo}; POST /_sim/mutate, /_sim/faults");
}

HttpResponse Simulator::switch_faults(const std::string& text) {
    boost::system::error_code error;
    const auto body = json::parse(text, error);
    const auto* enabled = !error && body.is_object() ? body.get_object().if_contains("enabled") : nullptr;
    if (!enabled || !enabled->is_bool() || body.get_object().size() != 1)
        return refusal(400, "BAD_BODY", R"(the body must be {"enabled":true} or {"enabled":false})");
    faults_.switch_faults(enabled->get_bool());
    return shown({{"enabled", faults_.is_on()}});
}

crawler::Async<HttpResponse> Simulator::mutate(std::string body) {
    boost::system::error_code error;
    const auto wish = json::parse(body, error);
    if (error || !wish.is_object()) co_return refusal(400, "BAD_BODY", "the body must be a JSON object");
    Change asked;
    try {
        asked = read_change(wish.get_object(), catalogue_);
    } catch (const std::invalid_argument& wrong) {
        co_return refusal(400, "BAD_CHANGE", wrong.what());
    }
    std::string done = R"({"mutations":[)";
    auto tell = [&](std::span<const Mutation> made) {
        for (const auto& mutation : made) {
            if (done.back() != '[') done += ',';
            done += json::serialize(described(mutation, catalogue_));
        }
    };
    const auto broken = co_await change(std::move(asked), tell);
    if (broken) co_return refusal(400, "BAD_CHANGE", *broken);
    done += "]}\n";
    co_return json_answer(200, std::move(done));
}

crawler::Async<HttpResponse> Simulator::show_audit(std::optional<int> seller, std::size_t most) {
    auto items = co_await judge_items(seller, most);
    co_return shown(verdict(std::move(items), seller, most));
}

HttpResponse Simulator::show_item(std::string_view digits) const {
    const auto item = number(digits);
    if (!item || !catalogue_.has_been(*item))
        return refusal(404, "ITEM_NOT_FOUND", "there was never an item '" + std::string(digits) + "'");
    const auto product = catalogue_.product(*item);
    json::object content;
    for (const auto facet : facets) content.emplace(to_string(facet), expected_facet(product, facet));
    return shown({{"itemNo", *item},
                  {"sellerId", Catalogue::seller_id(product.seller)},
                  {"isLive", catalogue_.is_live(*item)},
                  {"revision", catalogue_.revision(*item)},
                  {"productData", std::move(content)}});
}

void Simulator::report_mutations(json::object& report, std::optional<int> seller, std::size_t most) const {
    json::array newest;
    std::size_t made = 0;
    std::size_t arrived = 0;
    const auto& mutations = catalogue_.mutations();
    for (auto each = mutations.rbegin(); each != mutations.rend(); ++each) {
        if (seller && catalogue_.seller_of(each->item) != *seller) continue;
        const auto arrival = product_server_.arrival(each->number);
        ++made;
        arrived += arrival ? 1 : 0;
        if (newest.size() == most) continue;
        auto row = described(*each, catalogue_);
        row["arrivedAfterMs"] = arrival ? json::value(in_milliseconds(*arrival - each->at)) : json::value(nullptr);
        newest.push_back(std::move(row));
    }
    report["mutationsMade"] = made;
    report["mutationsArrived"] = arrived;
    report["mutationsLeftOff"] = made - newest.size();
    report["mutations"] = std::move(newest);
}

}  // namespace marketsim

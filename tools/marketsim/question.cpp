#include "question.hpp"

#include <algorithm>

#include "bodies.hpp"
#include "query.hpp"

namespace marketsim {
namespace {

constexpr std::string_view listing_path = "/mustit-api/facade-api/v1/searchmini-shop-search";
constexpr std::string_view search_path = "/v2/api/facade/searchItems";
constexpr std::string_view detail_head = "/mustit-api/facade-api/v1/item/";
constexpr std::string_view detail_tail = "/detail/top";
constexpr std::string_view options_head = "/mustit-api/legacy-api/v1/auction_products/";
constexpr std::string_view options_tail = "/options";

using Answer = std::variant<Question, NoQuestion>;

NoQuestion refused(Place place, int status, std::string_view code, const std::string& message) {
    return {place, refusal(status, code, message)};
}

bool has_just(const Parameters& parameters, std::initializer_list<std::string_view> names) {
    return parameters.size() == names.size() &&
           std::ranges::all_of(names, [&](auto name) { return parameters.contains(name); });
}

Answer read_listing(const Parameters& parameters, const Catalogue& catalogue) {
    constexpr auto place = Place::listing;
    if (!has_just(parameters, {"sellerId", "pageNo", "pageSize", "order"}))
        return refused(place, 400, "BAD_PARAMETERS", "a listing takes sellerId, pageNo, pageSize and order, each once");
    const auto& seller_id = parameters.find("sellerId")->second;
    if (has_escape(seller_id))
        return refused(place, 400, "DOUBLE_ENCODED", "sellerId is encoded twice: '" + seller_id + "'");
    if (parameters.find("pageSize")->second != std::to_string(listing_page_size))
        return refused(place, 400, "BAD_PAGE_SIZE",
                       "pageSize must be " + std::to_string(listing_page_size) + ", not '" +
                           parameters.find("pageSize")->second + "'");
    if (parameters.find("order")->second != "LATEST")
        return refused(place, 400, "BAD_ORDER", "order must be LATEST, not '" + parameters.find("order")->second + "'");
    const auto page = number(parameters.find("pageNo")->second);
    if (!page || *page > 1'000'000)
        return refused(place, 400, "BAD_PAGE",
                       "pageNo must be a number from 0 on, not '" + parameters.find("pageNo")->second + "'");
    const auto seller = catalogue.find_seller(seller_id);
    if (!seller) return refused(place, 404, "SELLER_NOT_FOUND", "there is no seller '" + seller_id + "'");
    return Question{.place = place, .seller = *seller, .page = static_cast<std::size_t>(*page)};
}

// The chain is followed by the very text that the page before gave.
Answer follow(const std::string& next) {
    constexpr auto place = Place::search;
    if (next.starts_with("%2F") || next.starts_with("%2f"))
        return refused(place, 400, "DOUBLE_ENCODED", "nextApiUrl is encoded twice: '" + next + "'");
    const auto mark = std::min(next.find('?'), next.size());
    auto query = read_query(std::string_view(next).substr(std::min(mark + 1, next.size())));
    if (const auto* parameters = std::get_if<Parameters>(&query)) {
        const auto keyword = parameters->find("keyword");
        const auto page = parameters->find("pageNo");
        const auto number_of_page = page == parameters->end() ? std::nullopt : number(page->second);
        if (keyword != parameters->end() && number_of_page && *number_of_page > 0 && *number_of_page < 10'000'000 &&
            search_page_url(keyword->second, static_cast<std::size_t>(*number_of_page)) == next) {
            return Question{
                .place = place, .page = static_cast<std::size_t>(*number_of_page), .keyword = keyword->second};
        }
    }
    return refused(place, 400, "BAD_NEXT_URL", "nextApiUrl must be what the page before gave, not '" + next + "'");
}

Answer read_search(const Parameters& parameters) {
    constexpr auto place = Place::search;
    if (has_just(parameters, {"nextApiUrl"})) return follow(parameters.find("nextApiUrl")->second);
    if (!has_just(parameters, {"keyword"}))
        return refused(place, 400, "BAD_PARAMETERS", "a search takes keyword, or nextApiUrl, and nothing else");
    const auto& keyword = parameters.find("keyword")->second;
    if (has_escape(keyword))
        return refused(place, 400, "DOUBLE_ENCODED", "keyword is encoded twice: '" + keyword + "'");
    if (keyword.find_first_not_of(' ') == std::string::npos)
        return refused(place, 400, "BAD_PARAMETERS", "keyword must not be blank");
    return Question{.place = place, .page = 1, .keyword = keyword};
}

Answer read_item(Place place, std::string_view digits, const Catalogue& catalogue) {
    const auto item = number(digits);
    if (!item || *item == 0)
        return refused(place, 400, "BAD_ITEM", "an item is a positive number, not '" + std::string(digits) + "'");
    if (!catalogue.is_live(*item))
        return refused(place, 404, "ITEM_NOT_FOUND", "there is no item " + std::string(digits));
    return Question{.place = place, .item = *item};
}

std::optional<std::string_view> between(std::string_view text, std::string_view head, std::string_view tail) {
    if (!text.starts_with(head) || !text.ends_with(tail) || text.size() <= head.size() + tail.size())
        return std::nullopt;
    return text.substr(head.size(), text.size() - head.size() - tail.size());
}

}  // namespace

std::string_view to_string(Place place) {
    constexpr std::array<std::string_view, places.size()> words{"root",    "listing",   "search",        "detail",
                                                                "options", "elsewhere", "product_server"};
    return words[static_cast<std::size_t>(place)];
}

Answer read_question(std::string_view target, const Catalogue& catalogue) {
    const auto mark = std::min(target.find('?'), target.size());
    const auto path = target.substr(0, mark);
    if (path.find('%') != std::string_view::npos)
        return refused(Place::elsewhere, 400, "ENCODED_PATH",
                       "no path here needs an escape; not '" + std::string(path) + "'");
    const auto query = read_query(target.substr(std::min(mark + 1, target.size())));
    const auto* parameters = std::get_if<Parameters>(&query);
    if (!parameters) return refused(Place::elsewhere, 400, "BAD_QUERY", std::get<std::string>(query));

    if (path == listing_path) return read_listing(*parameters, catalogue);
    if (path == search_path) return read_search(*parameters);
    if (!parameters->empty())
        return refused(Place::elsewhere, 400, "BAD_PARAMETERS", "'" + std::string(path) + "' takes no parameters");
    if (path == "/") return Question{.place = Place::root};
    if (const auto item = between(path, detail_head, detail_tail)) return read_item(Place::detail, *item, catalogue);
    if (const auto item = between(path, options_head, options_tail)) return read_item(Place::options, *item, catalogue);
    return refused(Place::elsewhere, 404, "UNKNOWN_PATH", "there is no '" + std::string(path) + "'");
}

}  // namespace marketsim

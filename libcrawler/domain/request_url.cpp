#include "domain/request_url.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "domain/percent_encoding.hpp"
#include "domain/stable_hash.hpp"
#include "domain/text_rules.hpp"

namespace crawler {
namespace {

constexpr std::string_view minishop_path = "/mustit-api/facade-api/v1/searchmini-shop-search";
constexpr std::string_view search_path = "/v2/api/facade/searchItems";
constexpr std::string_view detail_begin = "/mustit-api/facade-api/v1/item/";
constexpr std::string_view detail_end = "/detail/top";
constexpr std::string_view option_begin = "/mustit-api/legacy-api/v1/auction_products/";
constexpr std::string_view option_end = "/options";
constexpr auto last_page = std::numeric_limits<std::int64_t>::max() / listing_page_size;  // its first item has a number

Error invalid(TaskType type, const std::string& rule) {
    return {Errc::invalid, std::string(to_string(type)) + " request url: " + rule};
}

std::string shown(std::string_view part) {
    constexpr std::size_t enough = 80;
    return "\"" + legible(part, enough) + (part.size() > enough ? "...\"" : "\"");
}

std::string hex(std::uint64_t number, int digits) {
    std::string text;
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[number >> shift & 15];
    return text;
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// Only as to_string writes it: no sign, no leading zeros, nothing before or behind.
std::optional<std::int64_t> number_of(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (std::to_string(number) != text) return std::nullopt;
    return number;
}

Result<> check_text(TaskType type, std::string_view text) {
    const auto limit = type == TaskType::search ? RequestUrl::max_search_length : RequestUrl::max_length;
    if (text.size() > limit)
        return invalid(type, "at most " + std::to_string(limit) + " characters, not " + std::to_string(text.size()));
    if (!text.starts_with('/') || text.starts_with("//"))
        return invalid(type, "a path that begins with one slash, without a host; not " + shown(text));
    const auto bad = std::ranges::find_if_not(text, is_url_character);
    if (bad != text.end())
        return invalid(type, "no control character, space, fragment or unencoded byte; not 0x" +
                                 hex(static_cast<unsigned char>(*bad), 2) + " at " +
                                 std::to_string(bad - text.begin()));
    const auto decoded = percent_decode(text);
    if (!decoded) return invalid(type, "every % begins an escape of two hexadecimal digits; not in " + shown(text));
    if (std::ranges::any_of(*decoded, is_control))
        return invalid(type, "no control character, encoded or not; not " + shown(text));
    return {};
}

struct Parameter {
    std::string_view name;
    std::string_view value;
};

std::vector<Parameter> parameters_of(std::string_view query) {
    std::vector<Parameter> parameters;
    for (std::size_t begin = 0; begin <= query.size();) {
        const auto end = std::min(query.find('&', begin), query.size());
        const auto one = query.substr(begin, end - begin);
        const auto equals = std::min(one.find('='), one.size());
        parameters.push_back({one.substr(0, equals), one.substr(std::min(equals + 1, one.size()))});
        begin = end + 1;
    }
    return parameters;
}

// The parameter's value, still encoded; empty where it is not there. invalid: it is there twice.
Result<std::optional<std::string_view>> find_once(TaskType type, const std::vector<Parameter>& parameters,
                                                  std::string_view name) {
    const auto count = std::ranges::count(parameters, name, &Parameter::name);
    if (count > 1) return invalid(type, std::string(name) + " once, not " + std::to_string(count) + " times");
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    if (found == parameters.end()) return std::optional<std::string_view>{};
    return std::optional{found->value};
}

Result<std::string_view> require_once(TaskType type, const std::vector<Parameter>& parameters, std::string_view name) {
    const auto found = find_once(type, parameters, name);
    if (!found) return found.error();
    if (!*found) return invalid(type, std::string(name) + " is missing");
    return **found;
}

// A text of ours or of a person's: a seller, a keyword.
Result<> check_word(TaskType type, std::string_view name, std::string_view encoded) {
    const auto word = percent_decode(encoded).value_or("");
    if (word.find_first_not_of(' ') == std::string::npos)
        return invalid(type, std::string(name) + " must not be blank");
    if (looks_encoded(word)) return invalid(type, std::string(name) + " is encoded twice: " + shown(encoded));
    return {};
}

Result<std::int64_t> check_minishop(std::string_view text) {
    constexpr auto type = TaskType::minishop;
    const auto mark = std::min(text.find('?'), text.size());
    if (text.substr(0, mark) != minishop_path || mark == text.size())
        return invalid(type, "must begin with " + std::string(minishop_path) + "?; not " + shown(text));
    const auto parameters = parameters_of(text.substr(mark + 1));
    const auto seller = require_once(type, parameters, "sellerId");
    if (!seller) return seller.error();
    const auto page = require_once(type, parameters, "pageNo");
    if (!page) return page.error();
    const auto size = require_once(type, parameters, "pageSize");
    if (!size) return size.error();
    const auto order = require_once(type, parameters, "order");
    if (!order) return order.error();
    for (const auto& [name, value] : parameters) {
        if (name != "sellerId" && name != "pageNo" && name != "pageSize" && name != "order")
            return invalid(type, "sellerId, pageNo, pageSize and order, nothing else; not " + shown(name));
    }

    if (auto word = check_word(type, "sellerId", *seller); !word) return word.error();
    const auto number = number_of(*page);
    if (!number || *number < 0 || *number > last_page)
        return invalid(type, "pageNo must be a number from 0 on; not " + shown(*page));
    if (number_of(*size) != listing_page_size) return invalid(type, "pageSize must be 500; not " + shown(*size));
    if (*order != "LATEST") return invalid(type, "order must be LATEST; not " + shown(*order));
    return *number;
}

Result<ItemNo> check_item(TaskType type, std::string_view text, std::string_view begin, std::string_view end) {
    if (!text.starts_with(begin) || !text.ends_with(end) || text.size() < begin.size() + end.size())
        return invalid(type, "must be " + std::string(begin) + "{digits}" + std::string(end) + "; not " + shown(text));
    const auto digits = text.substr(begin.size(), text.size() - begin.size() - end.size());
    const auto item = number_of(digits);
    if (!item || *item <= 0)
        return invalid(type, "the item number must be digits of a positive 64-bit number; not " + shown(digits));
    return *item;
}

Result<> check_next(std::string_view encoded) {
    constexpr auto type = TaskType::search;
    const auto next = percent_decode(encoded).value_or("");
    if (next.starts_with("%2F") || next.starts_with("%2f"))
        return invalid(type, "nextApiUrl is encoded twice: " + shown(encoded));
    if (!next.starts_with('/') || next.starts_with("//"))
        return invalid(type, "nextApiUrl must be a path that begins with one slash; not " + shown(next));
    if (next.size() > RequestUrl::max_length)
        return invalid(type, "nextApiUrl must have at most " + std::to_string(RequestUrl::max_length) +
                                 " characters, not " + std::to_string(next.size()));
    return {};
}

Result<> check_search(std::string_view text) {
    constexpr auto type = TaskType::search;
    const auto mark = std::min(text.find('?'), text.size());
    if (text.substr(0, mark) != search_path || mark == text.size())
        return invalid(type, "must begin with " + std::string(search_path) + "?; not " + shown(text));
    const auto parameters = parameters_of(text.substr(mark + 1));
    const auto keyword = find_once(type, parameters, "keyword");
    if (!keyword) return keyword.error();
    const auto next = find_once(type, parameters, "nextApiUrl");
    if (!next) return next.error();
    if (!*keyword && !*next) return invalid(type, "keyword or nextApiUrl is missing");

    if (*keyword) {
        if (auto word = check_word(type, "keyword", **keyword); !word) return word;
    }
    return *next ? check_next(**next) : Result<>{};
}

}  // namespace

Result<RequestUrl> RequestUrl::parse(TaskType type, std::string text) {
    if (auto checked = check_text(type, text); !checked) return checked.error();
    RequestUrl url(type, std::move(text));
    switch (type) {
        case TaskType::minishop: {
            const auto page = check_minishop(url.text_);
            if (!page) return page.error();
            url.page_ = *page;
            break;
        }
        case TaskType::product_detail:
        case TaskType::product_option: {
            const bool is_detail = type == TaskType::product_detail;
            const auto item = is_detail ? check_item(type, url.text_, detail_begin, detail_end)
                                        : check_item(type, url.text_, option_begin, option_end);
            if (!item) return item.error();
            url.item_ = *item;
            break;
        }
        case TaskType::search:
            if (auto checked = check_search(url.text_); !checked) return checked.error();
            break;
    }
    return url;
}

Result<RequestUrl> RequestUrl::minishop(const SellerId& seller, std::int64_t page) {
    return parse(TaskType::minishop, std::string(minishop_path) + "?sellerId=" + percent_encode(seller.value()) +
                                         "&pageNo=" + std::to_string(page) +
                                         "&pageSize=" + std::to_string(listing_page_size) + "&order=LATEST");
}

Result<RequestUrl> RequestUrl::detail(ItemNo item) {
    return parse(TaskType::product_detail, std::string(detail_begin) + std::to_string(item) + std::string(detail_end));
}

Result<RequestUrl> RequestUrl::option(ItemNo item) {
    return parse(TaskType::product_option, std::string(option_begin) + std::to_string(item) + std::string(option_end));
}

Result<RequestUrl> RequestUrl::search(const std::string& keyword) {
    return parse(TaskType::search, std::string(search_path) + "?keyword=" + percent_encode(keyword));
}

Result<RequestUrl> RequestUrl::search_next(const std::string& next_api_url) {
    return parse(TaskType::search, std::string(search_path) + "?nextApiUrl=" + percent_encode(next_api_url));
}

std::string RequestUrl::message_group() const {
    if (item_) return "item-" + std::to_string(*item_);
    return "page-" + hex(stable_hash(text_), 16);
}

}  // namespace crawler

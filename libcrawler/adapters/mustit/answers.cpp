#include "adapters/mustit/answers.hpp"

#include <unordered_set>

namespace crawler::adapters::mustit {
namespace {

using codec::Member;
using codec::Shape;

// A list of things with a type, none of which is looked into.
constexpr Shape any_module{.kind = Shape::Kind::tagged};
constexpr std::array module_element{Member{.inside = &any_module}};
constexpr Shape modules{.kind = Shape::Kind::array, .members = module_element};
constexpr std::array module_members{Member{.name = "moduleList", .inside = &modules}};
constexpr Shape of_modules{.members = module_members};

constexpr Shape any_object{};
constexpr std::array object_element{Member{.inside = &any_object}};
constexpr Shape of_objects{.kind = Shape::Kind::array, .members = object_element};
constexpr std::array listing_members{Member{.name = "items", .inside = &of_objects}};
constexpr Shape of_items{.members = listing_members};

const Shape& kind_of(TaskType type) {
    if (type == TaskType::product_option) return of_objects;
    return type == TaskType::minishop ? of_items : of_modules;
}

Result<Contents> just(Result<Facet> facet) {
    if (!facet) return facet.error();
    Contents contents;
    contents.facets.push_back(std::move(*facet));
    return contents;
}

Result<Contents> detail_of(std::optional<ItemNo> item, std::string_view body, codec::PickLimits limits) {
    auto facet = read_detail(body, limits);
    if (facet && item && facet->item != *item)
        return Error{Errc::invalid, "/moduleList: must be about the item that was asked for, " + std::to_string(*item) +
                                        ", found " + std::to_string(facet->item)};
    return just(std::move(facet));
}

}  // namespace

Result<Contents> read_answer(TaskType type, std::optional<ItemNo> item, std::string_view body,
                             const MustitConfig& config) {
    if (body.size() > config.max_body)
        return Error{Errc::invalid, "the answer: must not be longer than " + std::to_string(config.max_body) +
                                        " bytes, found " + std::to_string(body.size())};
    switch (type) {
        case TaskType::minishop: {
            auto page = read_listing(body, config.limits);
            if (!page) return page.error();
            return Contents{std::move(page->facets), page->announced, std::nullopt};
        }
        case TaskType::search: {
            auto page = read_search(body, config.limits);
            if (!page) return page.error();
            return Contents{std::move(page->facets), std::nullopt, std::move(page->next_api_url)};
        }
        case TaskType::product_detail:
            return detail_of(item, body, config.limits);
        case TaskType::product_option:
            break;
    }
    if (!item) return Error{Errc::invalid, "the options of no item"};
    return just(read_options(body, *item, config.limits));
}

bool is_document_of(TaskType type, std::string_view body, const MustitConfig& config) {
    if (body.size() > config.max_body) return false;
    return static_cast<bool>(codec::pick({.root = &kind_of(type)}, body, config.limits));
}

Result<std::vector<RequestUrl>> follow_ups_of(const RequestUrl& asked, const Contents& contents) {
    std::vector<RequestUrl> next;
    if (asks_about_item(asked.type())) return next;
    std::unordered_set<ItemNo> seen;
    for (const auto& facet : contents.facets) {
        if (!seen.insert(facet.item).second) continue;
        auto detail = RequestUrl::detail(facet.item);
        if (!detail) return detail.error();
        auto option = RequestUrl::option(facet.item);
        if (!option) return option.error();
        next.push_back(std::move(*detail));
        next.push_back(std::move(*option));
    }
    if (!contents.next_api_url) return next;
    auto page = RequestUrl::search_next(*contents.next_api_url);
    if (!page) return Error{Errc::invalid, "/nextApiUrl: " + page.error().detail};
    if (*page == asked) return Error{Errc::invalid, "/nextApiUrl: must lead to another page than this one"};
    next.push_back(std::move(*page));
    return next;
}

}  // namespace crawler::adapters::mustit

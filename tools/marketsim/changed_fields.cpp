#include "changed_fields.hpp"

#include <algorithm>
#include <set>

namespace marketsim {
namespace {

namespace json = boost::json;
using Paths = std::set<std::string>;

// A value that has none inside it: a text, a number, a flag, a whole array, an object with nothing in it.
bool is_leaf(const json::value* value) {
    const auto* object = value->if_object();
    return object == nullptr || object->empty();
}

// The places of all leaves that only one of the two has. Either may not be there.
void collect(const std::string& path, const json::value* before, const json::value* after, Paths& different) {
    if (before != nullptr && after != nullptr && *before == *after) return;
    bool has_leaf = false;
    for (const auto* side : {before, after}) has_leaf = has_leaf || (side != nullptr && is_leaf(side));
    if (has_leaf) different.insert(path);

    const auto members = [](const json::value* side) {
        return side == nullptr || is_leaf(side) ? nullptr : &side->get_object();
    };
    const auto* old_members = members(before);
    const auto* new_members = members(after);
    if (old_members != nullptr) {
        for (const auto& [key, value] : *old_members)
            collect(pointer_to(path, key), &value, new_members ? new_members->if_contains(key) : nullptr, different);
    }
    if (new_members == nullptr) return;
    for (const auto& [key, value] : *new_members) {
        if (old_members == nullptr || !old_members->contains(key))
            collect(pointer_to(path, key), nullptr, &value, different);
    }
}

json::value held_facet(const Catalogue& catalogue, const HeldProduct& held, ItemNo item, Facet facet) {
    const auto product = catalogue.product(item, held.revisions[static_cast<std::size_t>(facet)]);
    auto content = expected_facet(product, facet);
    if (facet == Facet::listing && held.is_partial) make_partial(content);
    return content;
}

}  // namespace

ChangesNamed judge_changes(const Catalogue& catalogue, const HeldProduct& held, const ProductEvent& event) {
    ChangesNamed named;
    for (const auto facet : facets) {
        if (held.revisions[static_cast<std::size_t>(facet)] == no_revision) continue;
        const auto root = "/" + std::string(to_string(facet));
        const auto before = held_facet(catalogue, held, event.item, facet);
        Paths different;
        collect(root, &before, &event.data.at(to_string(facet)), different);
        Paths said;
        for (const auto& change : event.changes) {
            const std::string_view path = change.at("path").get_string();
            if (path == root || path.starts_with(root + "/")) said.emplace(path);
        }
        named.missed = named.missed || !std::ranges::includes(said, different);
        named.invented = named.invented || !std::ranges::includes(different, said);
    }
    return named;
}

}  // namespace marketsim

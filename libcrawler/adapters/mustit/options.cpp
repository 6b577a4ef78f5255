#include "adapters/mustit/facet_table.hpp"
#include "adapters/mustit/mustit.hpp"
#include "codec/canonical.hpp"
#include "codec/sha256.hpp"

namespace crawler::adapters::mustit {
namespace {

using codec::Member;
using codec::Rule;
using codec::Shape;

constexpr FacetKeys keys(std::to_array<std::string_view>({"color", "size", "sizeGuide", "stock"}));
// What says which option it is, and whose.
constexpr auto option_slot = keys.size();
constexpr auto item_slot = keys.size() + 1;
constexpr auto all_slots = keys.size() + 2;

constexpr std::array option_members{
    Member{.name = "optionNo", .rule = Rule::number, .slot = option_slot},
    Member{.name = "itemNo", .rule = Rule::number, .slot = item_slot},
    keys.member("color", Rule::text),
    keys.member("size", Rule::text),
    keys.member("stock", Rule::count),
    keys.member("sizeGuide", Rule::text),
};
constexpr Shape option{.members = option_members, .is_record = true};
constexpr std::array option_element{Member{.inside = &option}};
constexpr Shape answer{.kind = Shape::Kind::array, .members = option_element};

struct Option {
    std::string_view number;
    std::size_t index = 0;

    friend auto operator<=>(const Option&, const Option&) = default;
};

Error wrong(std::size_t index, std::string_view member, std::string_view rule, std::string_view found) {
    return {Errc::invalid, "/" + std::to_string(index) + "/" + std::string(member) + ": must be " + std::string(rule) +
                               ", found " + std::string(found)};
}

}  // namespace

Result<Facet> read_options(std::string_view body, ItemNo item, codec::PickLimits limits) {
    const auto picked = codec::pick({&answer, all_slots, all_slots}, body, limits);
    if (!picked) return picked.error();

    std::vector<Option> options;
    options.reserve(picked->size());
    for (std::size_t i = 0; i < picked->size(); ++i) {
        const auto record = picked->record(i);
        if (record.number(item_slot) != item)
            return wrong(i, "itemNo", "the item that was asked for, " + std::to_string(item), record[item_slot]);
        options.push_back({record[option_slot], i});
    }
    std::ranges::sort(options);  // as keys are sorted: "10" before "9"
    const auto same = std::ranges::adjacent_find(options, {}, &Option::number);
    if (same != options.end()) return wrong(std::next(same)->index, "optionNo", "there once", same->number);

    Facet facet{.item = item, .kind = FacetKind::option, .canonical = {}, .digest = {}, .seller = {}};
    codec::CanonicalWriter writer(facet.canonical);
    writer.begin_object();
    for (const auto& entry : options)
        writer.key(entry.number).fragment(facet_text(keys.names(), picked->record(entry.index)));
    writer.end_object();
    facet.digest = codec::sha256(facet.canonical);
    return facet;
}

}  // namespace crawler::adapters::mustit

#include "product_ledger.hpp"

#include <algorithm>

namespace marketsim {
namespace {

constexpr std::size_t most_wrong_fields = 20;  // kept of a product; enough to see what is the matter
constexpr std::size_t most_path = 200;         // bytes of one, for a sender may have made it up
constexpr SimTime never = SimTime::min();

void shorten(std::string& path) {
    if (path.size() <= most_path) return;
    auto end = most_path;
    while (end > 0 && (static_cast<unsigned char>(path[end]) & 0xC0U) == 0x80U) --end;  // never half a character
    path.resize(end);
    path.append("...").shrink_to_fit();
}

// How far along its history a product is by what is held of it. It shows a mutation where it is at that revision or later.
struct Reached {
    FacetRevisions facets;
    std::uint32_t presence = no_revision;

    bool shows(const Mutation& mutation, std::uint32_t revision) const {
        const auto is_there = [revision](std::uint32_t reached) {
            return reached != no_revision && reached >= revision;
        };
        if (is_coming_or_going(mutation.kind)) return is_there(presence);
        for (std::size_t i = 0; i < facets.size(); ++i) {
            if (mutation.touches[i] && !is_there(facets[i])) return false;
        }
        return true;
    }
};

}  // namespace

const HeldProduct* ProductLedger::find(ItemNo item) const {
    const auto found = products_.find(item);
    return found == products_.end() ? nullptr : &found->second;
}

std::span<const WrongField> ProductLedger::wrong_fields(ItemNo item) const {
    const auto found = wrong_.find(item);
    return found == wrong_.end() ? std::span<const WrongField>{} : found->second;
}

ProductLedger::Effect ProductLedger::apply(const ProductEvent& event, SimTime now) {
    auto& held = products_[event.item];
    const auto before = held;
    held.version = event.version;
    held.is_live = event.kind != EventKind::deleted;
    wrong_.erase(event.item);
    Effect effect;
    if (held.is_live) effect.went_back = hold(held, event);
    note_arrivals(held, event.item, now);
    effect.is_any = held.is_live != before.is_live || (held.is_live && held.content != before.content);
    return effect;
}

bool ProductLedger::hold(HeldProduct& held, const ProductEvent& event) {
    held.content = content_fingerprint(event.data);
    held.is_partial = is_partial(event.data.at(to_string(Facet::listing)).get_object());
    auto match = match_facets(catalogue_, event.item, event.data, held.floors);
    held.revisions = match.revisions;
    held.floors = match.floors;
    held.wrong_fields = static_cast<std::uint32_t>(match.wrong.size());
    if (match.wrong.empty() || wrong_.size() >= most_wrong_products) return match.went_back;
    match.wrong.resize(std::min(match.wrong.size(), most_wrong_fields));
    match.wrong.shrink_to_fit();
    for (auto& field : match.wrong) shorten(field.path);
    wrong_.emplace(event.item, std::move(match.wrong));
    return match.went_back;
}

void ProductLedger::note_arrivals(HeldProduct& held, ItemNo item, SimTime now) {
    const auto history = catalogue_.history(item);
    if (held.arrived == history.size()) return;
    const auto& mutations = catalogue_.mutations();
    arrivals_.resize(mutations.size(), never);
    Reached reached{held.revisions, newest_presence(catalogue_, item, held.is_live)};
    // With the product gone, so is whatever was changed of it before.
    if (!held.is_live) reached.facets.fill(reached.presence);
    for (auto place = held.arrived; place < history.size(); ++place) {
        auto& arrival = arrivals_[history[place]];
        if (arrival != never || !reached.shows(mutations[history[place]], place + 1)) continue;
        arrival = now;
        ++arrived_count_;
    }
    while (held.arrived < history.size() && arrivals_[history[held.arrived]] != never) ++held.arrived;
}

std::optional<SimTime> ProductLedger::arrival(std::size_t mutation) const {
    if (mutation >= arrivals_.size() || arrivals_[mutation] == never) return std::nullopt;
    return arrivals_[mutation];
}

}  // namespace marketsim

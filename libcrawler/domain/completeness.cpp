#include "domain/completeness.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace crawler {
namespace {

using ItemsByNumber = std::map<ItemNo, ItemFacts>;

ItemsByNumber add_up(const std::vector<ItemFacts>& facts) {
    ItemsByNumber items;
    for (const auto& fact : facts) {
        auto& item = items.try_emplace(fact.item, fact).first->second;
        item.listed = item.listed || fact.listed;
        item.detail = std::max(item.detail, fact.detail);
        item.option = std::max(item.option, fact.option);
    }
    return items;
}

// Empty: the item has all its facets. What the marketplace explains goes before what failed, and both before what is
// open, which can mend neither.
std::optional<MissingReason> why_missing(const ItemFacts& item) {
    const auto either = [&](FacetOutcome outcome) { return item.detail == outcome || item.option == outcome; };
    if (either(FacetOutcome::foreign)) return MissingReason::foreign;
    if (item.detail == FacetOutcome::gone) return MissingReason::gone;
    if (item.detail == FacetOutcome::failed) return MissingReason::detail_failed;
    if (item.detail == FacetOutcome::unreadable) return MissingReason::detail_unreadable;
    if (item.option == FacetOutcome::failed) return MissingReason::option_failed;
    if (item.option == FacetOutcome::unreadable) return MissingReason::option_unreadable;
    if (either(FacetOutcome::open)) return MissingReason::not_finished;
    return std::nullopt;
}

}  // namespace

Result<CompletenessProof> CompletenessProof::of(std::int64_t announced, const std::vector<ItemFacts>& facts) {
    if (announced < 0) return Error{Errc::invalid, "a listing cannot announce " + std::to_string(announced) + " items"};
    State proof{.announced = announced};
    for (const auto& [number, item] : add_up(facts)) {
        if (!item.listed) continue;
        ++proof.seen;
        if (const auto reason = why_missing(item)) {
            proof.missing.push_back({number, *reason});
        } else {
            ++proof.complete;
        }
    }
    return CompletenessProof(std::move(proof));
}

std::int64_t CompletenessProof::never_listed() const {
    return std::max<std::int64_t>(state_.announced - state_.seen, 0);
}

std::int64_t CompletenessProof::surplus() const {
    return std::max<std::int64_t>(state_.seen - state_.announced, 0);
}

std::int64_t CompletenessProof::missing_because(MissingReason reason) const {
    if (reason == MissingReason::never_listed) return never_listed();
    return std::ranges::count(state_.missing, reason, &MissingItem::reason);
}

bool CompletenessProof::is_whole() const {
    return never_listed() == 0 && std::ranges::all_of(state_.missing, is_explained, &MissingItem::reason);
}

bool CompletenessProof::listing_is_complete(bool all_listing_tasks_completed) const {
    return all_listing_tasks_completed && never_listed() == 0;
}

}  // namespace crawler

#include "domain/product.hpp"

#include <algorithm>
#include <tuple>

namespace crawler {
namespace {

constexpr auto listing = static_cast<std::size_t>(FacetKind::listing);
constexpr auto detail = static_cast<std::size_t>(FacetKind::detail);

// The whole answer wins over the partial one, then the later fetch; of two at the same time the greater digest does, so that the
// order in which they come never matters.
bool supersedes(const Facet& facet, const KnownFacet& known) {
    if (facet.partial != known.partial) return known.partial;
    return std::tie(facet.fetched_at, facet.digest) > std::tie(known.fetched_at, known.digest);
}

// A known text that cannot be read any more must not hold up what comes after it: it counts as none.
Result<FieldDiff> changes_of(const std::optional<KnownFacet>& known, const Facet& facet, DiffFacets diff) {
    auto changes = diff(known ? std::string_view(known->canonical) : std::string_view(), facet.canonical);
    return changes || !known ? changes : diff({}, facet.canonical);
}

bool all_facets_known(const Product::State& state) {
    return std::ranges::all_of(state.facets, [](const auto& facet) { return facet.has_value(); });
}

// Listings and details are judged apart: only what lost the product can find it again. They disagree for days on end (a
// listing lags behind a deletion, a detail page outlives its listing), and if one could overrule the other, every run would
// delete the product and create it again. For the same reason a partial listing, which comes from a search, proves nothing.
// In doubt, at the very same time, it is there: a deletion must be proved.
bool is_delisted(const Product::State& state) {
    const auto& seen = state.facets[listing];
    return state.missing_at[1] && (!seen || seen->partial || *state.missing_at[1] > seen->fetched_at);
}

bool is_gone(const Product::State& state) {
    const auto& seen = state.facets[detail];
    return state.gone_at && (!seen || *state.gone_at > seen->fetched_at);
}

ProductStatus status_of(const Product::State& state) {
    if (is_delisted(state) || is_gone(state)) return ProductStatus::deleted;
    return all_facets_known(state) ? ProductStatus::live : ProductStatus::incomplete;
}

// Every field there is, as a change from nothing.
FieldDiff content_of(const Product::State& state, DiffFacets diff) {
    FieldDiff all;
    for (const auto& entry : names(FacetKind{})) {
        const auto& known = state.facets[static_cast<std::size_t>(entry.value)];
        if (!known) continue;
        const auto fields = diff({}, known->canonical);
        if (fields) all = all.then(fields->under(path_of(entry.value)));
    }
    return all;
}

ProductEventReason change_of(FacetKind kind) {
    switch (kind) {
        case FacetKind::listing:
            return ProductEventReason::listing_changed;
        case FacetKind::detail:
            return ProductEventReason::detail_changed;
        case FacetKind::option:
            break;
    }
    return ProductEventReason::option_changed;
}

// The server hears of what is LIVE, of its changes and of its end. What changes meanwhile is kept, and told with CREATED.
std::optional<ProductEventType> event_for(ProductStatus before, ProductStatus after, bool changed) {
    const bool was_live = before == ProductStatus::live;
    const bool is_live = after == ProductStatus::live;
    if (is_live && !was_live) return ProductEventType::created;
    if (was_live && !is_live) return ProductEventType::deleted;
    if (is_live && changed) return ProductEventType::updated;
    return std::nullopt;
}

// True where it is news. Of two namings of the same weight the greater name holds, so that their order never matters.
bool name(Product::State& state, const SellerId& seller, Naming naming) {
    if (state.named && std::tie(*state.named, state.seller) >= std::tie(naming, seller)) return false;
    state.seller = seller;
    state.named = naming;
    return true;
}

}  // namespace

Product Product::discover(ItemNo item, SellerId seller, TimePoint now) {
    return Product(State{.item = item,
                         .seller = std::move(seller),
                         .facets = {},
                         .missing_at = {},
                         .gone_at = {},
                         .created_at = now,
                         .updated_at = now});
}

Result<Absorbed> Product::absorb(const Facet& facet, DiffFacets diff, TimePoint now) {
    if (facet.item != state_.item)
        return Error{Errc::invalid,
                     "product " + std::to_string(state_.item) + ": a facet of item " + std::to_string(facet.item)};
    auto next = state_;
    const bool names_seller = facet.seller && name(next, *facet.seller, {.own = true, .at = facet.fetched_at});
    auto& known = next.facets[static_cast<std::size_t>(facet.kind)];
    if (known && !supersedes(facet, *known)) {
        state_ = std::move(next);
        return Absorbed{.taken = names_seller, .event = {}};
    }

    Absorbed absorbed{.taken = true, .changed = !known || known->digest != facet.digest, .event = {}};
    if (absorbed.changed) {
        const auto changes = changes_of(known, facet, diff);
        if (!changes) return changes.error();
        absorbed.diff = changes->under(path_of(facet.kind));
        known =
            KnownFacet{facet.digest, known ? known->version + 1 : 1, facet.fetched_at, facet.canonical, facet.partial};
    } else {
        known->fetched_at = facet.fetched_at;
        known->partial = facet.partial;
    }
    return settle(std::move(next), ProductVerb::describe, change_of(facet.kind), std::move(absorbed), diff, now);
}

bool Product::name_seller(const SellerId& seller, TimePoint fetched_at) {
    return name(state_, seller, {.own = false, .at = fetched_at});
}

Result<Absorbed> Product::missing_from_listing(TimePoint listed_at, DiffFacets diff, TimePoint now) {
    auto next = state_;
    auto& [newest, second] = next.missing_at;
    if (!newest || listed_at > *newest) {
        second = newest;
        newest = listed_at;
    } else if (listed_at != *newest) {
        second = std::max(second, std::optional(listed_at));
    }
    return settle(std::move(next), ProductVerb::miss, ProductEventReason::delisted, {.taken = true, .event = {}}, diff,
                  now);
}

Result<Absorbed> Product::gone(TimePoint fetched_at, DiffFacets diff, TimePoint now) {
    auto next = state_;
    next.gone_at = std::max(next.gone_at, std::optional(fetched_at));
    return settle(std::move(next), ProductVerb::lose, ProductEventReason::gone, {.taken = true, .event = {}}, diff,
                  now);
}

Result<Absorbed> Product::settle(State next, ProductVerb verb, ProductEventReason reason, Absorbed absorbed,
                                 DiffFacets diff, TimePoint now) {
    const auto before = status();
    auto after = before;
    const auto moved = product_table.move(after, verb, status_of(next), std::to_string(next.item));
    if (!moved) return moved.error();

    absorbed.changed = absorbed.changed || after != before;
    if (absorbed.changed) {
        ++next.version;
        next.updated_at = now;
    }
    if (const auto type = event_for(before, after, absorbed.changed)) {
        ProductEvent event{*type, reason, next.item, next.seller, next.version, absorbed.diff, now};
        if (*type != ProductEventType::updated) {
            auto content = content_of(next, diff);
            event.diff = *type == ProductEventType::created ? std::move(content) : content.inverse();
        }
        if (*type == ProductEventType::created)
            event.reason =
                before == ProductStatus::deleted ? ProductEventReason::seen_again : ProductEventReason::first_complete;
        absorbed.event = std::move(event);
    }
    state_ = std::move(next);
    return absorbed;
}

ProductStatus Product::status() const {
    return status_of(state_);
}

bool Product::is_complete() const {
    return all_facets_known(state_);
}

}  // namespace crawler

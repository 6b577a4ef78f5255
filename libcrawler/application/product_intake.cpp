#include "application/product_intake.hpp"

#include <utility>

#include "codec/diff.hpp"
#include "codec/payload.hpp"

namespace crawler::application {
namespace {

Result<FieldDiff> diff_facets(std::string_view before, std::string_view after) {
    return codec::diff(before, after);
}

OutboxEntry entry_of(const ProductEvent& event, const Product& product, ports::IdGenerator& ids) {
    auto id = ids.make<OutboxId>();
    auto key = id.value;
    auto payload = codec::write_product_payload(codec::payload_of(event, product));
    return OutboxEntry::create({.id = std::move(id),
                                .subject = std::to_string(event.item),
                                .payload = std::move(payload),
                                .idempotency_key = std::move(key),
                                .lane = event.seller.value()},
                               event.occurred_at);
}

}  // namespace

ProductIntake::ProductIntake(std::vector<ports::KnownProduct> known, SellerId asked_for, RawId raw,
                             ports::IdGenerator& ids, TimePoint now)
    : asked_for_(std::move(asked_for)), raw_(std::move(raw)), ids_(ids), now_(now) {
    for (auto& [product, untold] : known) {
        const auto item = product.state().item;
        items_.try_emplace(item, Item{.product = std::move(product), .untold = std::move(untold)});
    }
}

void ProductIntake::take(const Facet& facet) {
    const auto owner = facet.seller.value_or(asked_for_);
    auto& item = item_of(facet.item, owner);
    if (owner != asked_for_) return remember_foreign(item, owner, facet.fetched_at);
    note(item, item.product.absorb(facet, diff_facets, now_));
}

void ProductIntake::take_gone(ItemNo item, TimePoint fetched_at) {
    auto& lost = item_of(item, asked_for_);
    note(lost, lost.product.gone(fetched_at, diff_facets, now_));
}

void ProductIntake::miss_all(TimePoint listed_at) {
    for (auto& [number, item] : items_) note(item, item.product.missing_from_listing(listed_at, diff_facets, now_));
}

TakenIn ProductIntake::result() && {
    for (auto& [number, item] : items_) {
        if (item.news) taken_.events.push_back(entry_of(*item.news, item.product, ids_));
        if (item.needs_saving) taken_.products.push_back(std::move(item.product));
    }
    return std::move(taken_);
}

ProductIntake::Item& ProductIntake::item_of(ItemNo item, const SellerId& owner) {
    return items_.try_emplace(item, Item{.product = Product::discover(item, owner, now_), .untold = {}}).first->second;
}

void ProductIntake::note(Item& item, const Result<Absorbed>& absorbed) {
    const auto& product = item.product.state();
    if (!absorbed) {
        taken_.refused.push_back({product.item, absorbed.error().detail});
        return;
    }
    item.needs_saving = item.needs_saving || absorbed->taken;
    if (absorbed->changed) {
        const auto told_as = absorbed->event ? std::optional(absorbed->event->type) : std::nullopt;
        taken_.history.push_back({product.item, product.version, raw_, now_, absorbed->diff, told_as});
    }
    if (absorbed->event) tell(item, *absorbed->event);
}

void ProductIntake::tell(Item& item, const ProductEvent& event) {
    auto older = std::exchange(item.news, std::nullopt);
    if (!older) older = melt_untold(item);
    item.news = older ? coalesce(*older, event) : event;
}

// One that cannot be read stays where it is: it is told as it stands, and what is new after it.
std::optional<ProductEvent> ProductIntake::melt_untold(Item& item) {
    const auto untold = std::exchange(item.untold, std::nullopt);
    if (!untold) return std::nullopt;
    auto payload = codec::read_product_payload(untold->state().payload);
    if (!payload || payload->event.item != item.product.state().item) return std::nullopt;
    taken_.melted.push_back(untold->state().id);
    return std::move(payload->event);
}

// A keyword search finds items of other sellers. They are not this crawl's business, but whose they are is remembered.
void ProductIntake::remember_foreign(Item& item, const SellerId& owner, TimePoint fetched_at) {
    const auto number = item.product.state().item;
    taken_.refused.push_back({number, "it is of seller " + owner.value() + ", not of " + asked_for_.value()});
    if (item.product.name_seller(owner, fetched_at)) item.needs_saving = true;
}

}  // namespace crawler::application

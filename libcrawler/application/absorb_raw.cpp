#include "application/absorb_raw.hpp"

#include <map>

namespace crawler::application {
namespace {

// The version makes the key: the same change told twice is one change.
OutboxEntry change_event(const Product& product, const Facet& facet, ports::IdGenerator& ids, TimePoint now) {
    const auto item = std::to_string(product.state().item);
    return OutboxEntry::create(ids.make<OutboxId>(), item, facet.canonical,
                               "product-" + item + "-" + std::to_string(product.state().version), now);
}

std::vector<ItemNo> items_of(const std::vector<Facet>& facets) {
    std::vector<ItemNo> items;
    items.reserve(facets.size());
    for (const auto& facet : facets) items.push_back(facet.item);
    return items;
}

}  // namespace

Async<Result<std::size_t>> AbsorbRaw::run_once() {
    auto claimed = co_await p_.raws.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    const auto count = claimed->size();
    for (auto& raw : *claimed) {
        const auto absorbed = co_await absorb(std::move(raw));
        // Lost to another replica, or a product moved under us: the raw's lease brings it back.
        if (!absorbed && absorbed.error().code != Errc::conflict) co_return absorbed.error();
    }
    co_return count;
}

Async<Result<>> AbsorbRaw::absorb(CrawledRaw raw) {
    auto facets = p_.marketplace.read(raw);
    if (!facets) co_return co_await quarantine(std::move(raw), facets.error());

    auto known = co_await p_.products.find(items_of(*facets));
    if (!known) co_return known.error();
    std::map<ItemNo, Product> products;
    for (auto& product : *known) products.emplace(product.state().item, std::move(product));

    ports::RawAbsorbed event{.raw = raw.id, .facets = facets->size()};
    ports::AbsorbedRaw absorbed{std::move(raw), {}, {}};
    absorbed.raw.status = RawStatus::processed;
    for (const auto& facet : *facets) {
        auto& product =
            products.try_emplace(facet.item, Product::discover(facet.item, absorbed.raw.seller)).first->second;
        if (!product.absorb(facet)) continue;
        ++event.changed;
        absorbed.events.push_back(change_event(product, facet, p_.ids, p_.clock.now()));
    }
    for (auto& [item, product] : products) absorbed.products.push_back(std::move(product));

    const auto stored = co_await p_.products.absorb(std::move(absorbed));
    if (stored) p_.telemetry.emit(event);
    co_return stored;
}

Async<Result<>> AbsorbRaw::quarantine(CrawledRaw raw, Error why) {
    const ports::RawQuarantined event{raw.id, why};
    raw.status = RawStatus::quarantined;
    raw.reason = why.detail;
    const auto stored = co_await p_.raws.settle(std::move(raw));
    if (stored) p_.telemetry.emit(event);
    co_return stored;
}

}  // namespace crawler::application

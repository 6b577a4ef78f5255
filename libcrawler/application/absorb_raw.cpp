#include "application/absorb_raw.hpp"

#include <map>
#include <set>

#include "codec/diff.hpp"
#include "codec/payload.hpp"
#include "codec/sha256.hpp"

namespace crawler::application {
namespace {

Result<FieldDiff> diff_facets(std::string_view before, std::string_view after) {
    return codec::diff(before, after);
}

OutboxEntry entry_of(const ProductEvent& event, const Product& product, ports::IdGenerator& ids) {
    auto id = ids.make<OutboxId>();
    auto key = id.value;
    auto payload = codec::write_product_payload(codec::payload_of(event, product));
    return OutboxEntry::create(std::move(id), std::to_string(event.item), std::move(payload), std::move(key),
                               event.occurred_at);
}

}  // namespace

struct AbsorbRaw::TakenIn {
    std::map<ItemNo, Product> products;  // those to be saved
    std::vector<OutboxEntry> events;
    std::size_t changed = 0;
    struct Refusal {
        ItemNo item = 0;
        std::string why;
    };
    std::vector<Refusal> refused;
};

namespace {

using TakenIn = AbsorbRaw::TakenIn;

// Works facets into their products, of which `known` are those that have been seen; the first facet of an item makes its product.
class Intake {
  public:
    Intake(std::vector<Product> known, SellerId asked_for, ports::IdGenerator& ids, TimePoint now)
        : asked_for_(std::move(asked_for)), ids_(ids), now_(now) {
        for (auto& product : known) products_.emplace(product.state().item, std::move(product));
    }

    void take(const Facet& facet) {
        const auto owner = facet.seller.value_or(asked_for_);
        auto& product = product_of(facet.item, owner);
        if (owner != asked_for_) return remember_foreign(product, owner, facet.fetched_at);
        note(product, product.absorb(facet, diff_facets, now_));
    }
    // Also of an item that nobody has seen yet: what was fetched before may come after.
    void take_gone(ItemNo item, TimePoint fetched_at) {
        auto& product = product_of(item, asked_for_);
        note(product, product.gone(fetched_at, diff_facets, now_));
    }

    TakenIn result() && {
        for (const auto item : to_save_) taken_.products.insert(products_.extract(item));
        return std::move(taken_);
    }

  private:
    Product& product_of(ItemNo item, const SellerId& owner) {
        return products_.try_emplace(item, Product::discover(item, owner, now_)).first->second;
    }
    void note(const Product& product, const Result<Absorbed>& absorbed) {
        if (!absorbed) {
            taken_.refused.push_back({product.state().item, absorbed.error().detail});
            return;
        }
        if (absorbed->taken) to_save_.insert(product.state().item);
        if (absorbed->changed) ++taken_.changed;
        if (absorbed->event) taken_.events.push_back(entry_of(*absorbed->event, product, ids_));
    }
    // A keyword search finds items of other sellers. They are not this crawl's business, but whose they are is remembered.
    void remember_foreign(Product& product, const SellerId& owner, TimePoint fetched_at) {
        const auto item = product.state().item;
        taken_.refused.push_back({item, "it is of seller " + owner.value() + ", not of " + asked_for_.value()});
        if (product.name_seller(owner, fetched_at)) to_save_.insert(item);
    }

    SellerId asked_for_;
    ports::IdGenerator& ids_;
    TimePoint now_;
    std::map<ItemNo, Product> products_;
    std::set<ItemNo> to_save_;
    TakenIn taken_;
};

// What "gone" in answer to the options means: there are none, unless somebody has seen some.
Facet no_options(const CrawledRaw::State& raw) {
    const std::string none = "{}";
    return {.item = raw.item.value_or(0),
            .kind = FacetKind::option,
            .canonical = none,
            .digest = codec::sha256(none),
            .fetched_at = raw.fetched_at,
            .partial = true};
}

// An answer about another item than the one that was asked for says nothing about either.
Result<> check_item(const CrawledRaw::State& raw, const std::vector<Facet>& facets) {
    for (const auto& facet : facets) {
        if (raw.item && facet.item != *raw.item)
            return Error{Errc::invalid, "item " + std::to_string(*raw.item) + " was asked for, and item " +
                                            std::to_string(facet.item) + " answered"};
    }
    return {};
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
        const auto absorbed = co_await work_in(raw);
        if (absorbed) continue;
        // It waits its turn, and one that never works out does not stand in the way of the others. Where another replica has it by
        // now, or the storing happened after all, that is a conflict and nothing is to be done.
        const auto put_off = co_await fail(std::move(raw), absorbed.error());
        if (!put_off && put_off.error().code != Errc::conflict) co_return absorbed.error();
    }
    co_return count;
}

Async<Result<>> AbsorbRaw::work_in(CrawledRaw raw) {
    if (raw.state().lost_count > settings_.most_lost) {
        Error why{Errc::invalid, "lost " + std::to_string(raw.state().lost_count) + " times by whoever worked on it"};
        co_return co_await quarantine(std::move(raw), std::move(why));
    }
    auto absorbed = co_await absorb(raw);
    // A product moved under us: read again, it is likely to work out.
    for (int again = 0; again < 3 && !absorbed && absorbed.error().code == Errc::conflict; ++again)
        absorbed = co_await absorb(raw);
    co_return absorbed;
}

Async<Result<>> AbsorbRaw::absorb(CrawledRaw raw) {
    if (raw.says_gone()) co_return co_await absorb_gone(std::move(raw));
    auto facets = p_.marketplace.read(raw);
    if (!facets) co_return co_await quarantine(std::move(raw), facets.error());
    const auto answers = check_item(raw.state(), *facets);
    if (!answers) co_return co_await quarantine(std::move(raw), answers.error());

    auto known = co_await p_.products.find(items_of(*facets));
    if (!known) co_return known.error();
    Intake intake(std::move(*known), raw.state().seller, p_.ids, p_.clock.now());
    for (const auto& facet : *facets) intake.take(facet);
    // One stranger on a page does not hold up the others.
    co_return co_await store(std::move(raw), std::move(intake).result(), facets->size());
}

// A detail that is gone says that the product is. Options that are gone do not: it may just have none.
Async<Result<>> AbsorbRaw::absorb_gone(CrawledRaw raw) {
    std::vector<ItemNo> items;
    if (raw.state().item) items.push_back(*raw.state().item);
    auto known = co_await p_.products.find(std::move(items));
    if (!known) co_return known.error();

    Intake intake(std::move(*known), raw.state().seller, p_.ids, p_.clock.now());
    const auto& answer = raw.state();
    if (answer.type == TaskType::product_option && answer.item) intake.take(no_options(answer));
    if (answer.type == TaskType::product_detail && answer.item) intake.take_gone(*answer.item, answer.fetched_at);
    co_return co_await store(std::move(raw), std::move(intake).result(), 0);
}

Async<Result<>> AbsorbRaw::store(CrawledRaw raw, TakenIn taken, std::size_t facets) {
    if (const auto settled = raw.mark_processed(); !settled) co_return settled.error();
    const ports::RawAbsorbed event{raw.state().id, facets, taken.changed, taken.refused.size()};
    ports::AbsorbedRaw absorbed{std::move(raw), {}, std::move(taken.events)};
    for (auto& [item, product] : taken.products) absorbed.products.push_back(std::move(product));
    const auto stored = co_await p_.products.absorb(std::move(absorbed));
    if (!stored) co_return stored;
    p_.telemetry.emit(event);
    for (auto& [item, why] : taken.refused) p_.telemetry.emit(ports::FacetRefused{event.raw, item, std::move(why)});
    co_return stored;
}

Async<Result<>> AbsorbRaw::fail(CrawledRaw raw, Error why) {
    if (const auto failed = raw.mark_failed(why, settings_.retry, p_.clock.now()); !failed) co_return failed.error();
    const auto id = raw.state().id;
    const bool is_over = raw.state().status == RawStatus::quarantined;
    const auto stored = co_await p_.raws.settle(std::move(raw));
    if (stored && is_over) p_.telemetry.emit(ports::RawQuarantined{id, why});
    co_return stored;
}

Async<Result<>> AbsorbRaw::quarantine(CrawledRaw raw, Error why) {
    if (const auto settled = raw.quarantine(why.detail); !settled) co_return settled.error();
    const ports::RawQuarantined event{raw.state().id, why};
    const auto stored = co_await p_.raws.settle(std::move(raw));
    if (stored) p_.telemetry.emit(event);
    co_return stored;
}

}  // namespace crawler::application

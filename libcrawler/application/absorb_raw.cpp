#include "application/absorb_raw.hpp"

#include "application/product_intake.hpp"
#include "codec/sha256.hpp"

namespace crawler::application {
namespace {

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
    ProductIntake intake(std::move(*known), raw, p_.ids, p_.clock.now());
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

    ProductIntake intake(std::move(*known), raw, p_.ids, p_.clock.now());
    const auto& answer = raw.state();
    if (answer.type == TaskType::product_option && answer.item) intake.take(no_options(answer));
    if (answer.type == TaskType::product_detail && answer.item) intake.take_gone(*answer.item, answer.fetched_at);
    co_return co_await store(std::move(raw), std::move(intake).result(), 0);
}

Async<Result<>> AbsorbRaw::store(CrawledRaw raw, TakenIn taken, std::size_t facets) {
    if (const auto settled = raw.mark_processed(); !settled) co_return settled.error();
    const ports::RawAbsorbed event{raw.state().id, facets, taken.history.size(), taken.refused.size()};
    ports::AbsorbedRaw absorbed{.raw = std::move(raw),
                                .products = std::move(taken.products),
                                .history = std::move(taken.history),
                                .events = std::move(taken.events),
                                .melted = std::move(taken.melted)};
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

#include "application/absorb_raw.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

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

// Whatever it says something about: a raw about one item also where it says that this is gone.
std::set<ItemNo> items_of(const CrawledRaw& raw, const std::vector<Facet>& facets) {
    std::set<ItemNo> items;
    for (const auto& facet : facets) items.insert(facet.item);
    if (raw.state().item) items.insert(*raw.state().item);
    return items;
}

bool overlap(const std::set<ItemNo>& a, const std::set<ItemNo>& b) {
    return std::ranges::any_of(a, [&](ItemNo item) { return b.contains(item); });
}

// Those of `all` that are among the items; they leave `all`.
std::vector<ports::KnownProduct> take_out(std::map<ItemNo, ports::KnownProduct>& all, const std::set<ItemNo>& items) {
    std::vector<ports::KnownProduct> taken;
    for (const auto item : items) {
        if (auto known = all.extract(item)) taken.push_back(std::move(known.mapped()));
    }
    return taken;
}

}  // namespace

Async<Result<std::size_t>> AbsorbRaw::run_once() {
    const auto until = p_.clock.now() + settings_.lease;
    auto claimed = co_await p_.raws.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    Readings open;
    for (auto& raw : *claimed) {
        auto reading = co_await read(std::move(raw));
        if (!reading) co_return reading.error();
        if (*reading) open.push_back(*std::move(*reading));
    }
    // What others may have claimed by now is theirs.
    while (!open.empty() && p_.clock.now() < until) {
        const auto absorbed = co_await absorb_group(next_group(open));
        if (!absorbed) co_return absorbed.error();
    }
    co_return claimed->size();
}

Async<Result<std::optional<AbsorbRaw::Reading>>> AbsorbRaw::read(CrawledRaw raw) {
    const auto& state = raw.state();
    std::optional<Error> wrong;
    std::vector<Facet> facets;
    if (state.lost_count > settings_.most_lost) {
        wrong = Error{Errc::invalid, "lost " + std::to_string(state.lost_count) + " times by whoever worked on it"};
    } else if (!raw.says_gone()) {
        auto said = p_.marketplace.read(raw);
        const auto fits = said ? check_item(state, *said) : Result<>(said.error());
        if (!fits) wrong = fits.error();
        if (fits) facets = *std::move(said);
    } else if (state.type == TaskType::product_option && state.item) {
        facets.push_back(no_options(state));
    }
    if (!wrong) co_return std::optional(Reading{std::move(raw), std::move(facets)});
    const auto set_aside = co_await quarantine(std::move(raw), *wrong);
    // Another replica has it by now: nothing is to be done.
    if (!set_aside && set_aside.error().code != Errc::conflict) co_return set_aside.error();
    co_return std::optional<Reading>();
}

// Up to a group of those that are open, no two of them about one product: what an answer changes depends on what is known, and what
// one answer of a group changes the others would not know.
AbsorbRaw::Readings AbsorbRaw::next_group(Readings& open) const {
    Readings group, left;
    std::set<ItemNo> items;
    std::size_t facets = 0;
    for (auto& reading : open) {
        const auto its_items = items_of(reading.raw, reading.facets);
        const bool has_room = std::ssize(group) < settings_.group &&
                              std::cmp_less_equal(facets + reading.facets.size(), settings_.group_facets);
        const bool joins = group.empty() || (has_room && !overlap(its_items, items));
        facets += joins ? reading.facets.size() : 0;
        // What overlaps with one that is left stays behind it.
        items.insert(its_items.begin(), its_items.end());
        (joins ? group : left).push_back(std::move(reading));
    }
    open = std::move(left);
    return group;
}

// One that cannot be stored does not stand in the way of the others: where the whole cannot be stored, each is tried alone. Where
// a product moved under us it is read again, it is likely to work out.
Async<Result<>> AbsorbRaw::absorb_group(Readings group) {
    auto absorbed = co_await absorb_together(group);
    if (absorbed) co_return absorbed;
    if (group.size() > 1) {
        for (auto& reading : group) {
            Readings alone;
            alone.push_back(std::move(reading));
            const auto done = co_await absorb_group(std::move(alone));
            if (!done) co_return done;
        }
        co_return Result<>{};
    }
    for (int again = 0; again < 3 && !absorbed && absorbed.error().code == Errc::conflict; ++again)
        absorbed = co_await absorb_together(group);
    if (absorbed) co_return absorbed;
    // It waits its turn. Where another replica has it by now, or the storing happened after all, that is a conflict and nothing is to
    // be done.
    const auto put_off_now = co_await put_off(std::move(group.front().raw), absorbed.error());
    if (!put_off_now && put_off_now.error().code != Errc::conflict) co_return absorbed;
    co_return Result<>{};
}

Async<Result<>> AbsorbRaw::absorb_together(Readings group) {
    std::vector<ItemNo> wanted;
    for (const auto& reading : group) {
        const auto items = items_of(reading.raw, reading.facets);
        wanted.insert(wanted.end(), items.begin(), items.end());
    }
    auto found = co_await p_.products.find(std::move(wanted));
    if (!found) co_return found.error();
    std::map<ItemNo, ports::KnownProduct> known;
    for (auto& product : *found) known.emplace(product.product.state().item, std::move(product));

    std::vector<ports::AbsorbedRaw> absorbed;
    std::vector<ports::Event> events;
    for (auto& [raw, facets] : group) {
        auto taken = take_in(raw, facets, take_out(known, items_of(raw, facets)));
        const auto& id = raw.state().id;
        events.emplace_back(ports::RawAbsorbed{id, facets.size(), taken.history.size(), taken.refused.size()});
        for (auto& [item, why] : taken.refused) events.emplace_back(ports::FacetRefused{id, item, std::move(why)});
        if (const auto settled = raw.mark_processed(); !settled) co_return settled.error();
        absorbed.push_back({.raw = std::move(raw),
                            .products = std::move(taken.products),
                            .history = std::move(taken.history),
                            .events = std::move(taken.events),
                            .melted = std::move(taken.melted)});
    }
    const auto stored = co_await p_.products.absorb(std::move(absorbed));
    if (!stored) co_return stored;
    for (const auto& event : events) p_.telemetry.emit(event);
    co_return stored;
}

// A detail that is gone says that the product is. Options that are gone do not: it may just have none. One stranger on a page
// does not hold up the others.
TakenIn AbsorbRaw::take_in(const CrawledRaw& raw, const std::vector<Facet>& facets,
                           std::vector<ports::KnownProduct> known) {
    const auto& state = raw.state();
    ProductIntake intake(std::move(known), state.seller, state.id, p_.ids, p_.clock.now());
    for (const auto& facet : facets) intake.take(facet);
    const bool is_lost = raw.says_gone() && state.type == TaskType::product_detail;
    if (is_lost && state.item) intake.take_gone(*state.item, state.fetched_at);
    return std::move(intake).result();
}

// -> FAILED, due after a wait; set aside when its retries are spent.
Async<Result<>> AbsorbRaw::put_off(CrawledRaw raw, Error why) {
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

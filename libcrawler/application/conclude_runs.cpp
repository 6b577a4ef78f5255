#include "application/conclude_runs.hpp"

#include <algorithm>
#include <limits>

#include "application/product_intake.hpp"

namespace crawler::application {

Async<Result<std::size_t>> ConcludeRuns::run_once() {
    auto claimed = co_await p_.runs.claim(settings_.batch, p_.clock.now(), settings_.lease);
    if (!claimed) co_return claimed.error();
    std::size_t proven = 0;
    std::optional<Error> first_failure;
    for (auto& run : *claimed) {
        const auto concluded = co_await conclude(std::move(run));
        if (concluded) proven += *concluded ? 1 : 0;
        // A conflict: the run was opened again, or another replica has proven it.
        const bool is_failure = !concluded && concluded.error().code != Errc::conflict;
        if (is_failure && !first_failure) first_failure = concluded.error();
    }
    if (first_failure) co_return *first_failure;
    co_return proven;
}

Async<Result<bool>> ConcludeRuns::conclude(Run run) {
    const auto id = run.state().id;
    const auto evidence = co_await p_.runs.evidence(id);
    if (!evidence) co_return evidence.error();
    if (must_wait(run, *evidence)) {
        // What has kept a run waiting for hours is not over in seconds: looks get rarer.
        const auto waited = p_.clock.now() - run.state().completed_at.value_or(p_.clock.now());
        const auto again = std::max(settings_.again, waited / 10);
        const auto put_off = co_await p_.runs.look_again(id, p_.clock.now() + again);
        if (!put_off) co_return put_off.error();
        co_return false;
    }

    auto proof = prove(run.state().seller, *evidence);
    if (!proof) co_return proof.error();
    const bool is_listed = proves_removal(run, *evidence, *proof);
    Delisted delisted;
    if (is_listed) {
        auto listed = evidence->listed();
        const auto told = co_await delist(run, std::move(listed));
        if (!told) co_return told.error();
        delisted = *told;
    }

    const auto& facts = proof->state();
    const ports::RunConcluded event{id,         run.state().seller, proof->is_whole(), is_listed,       facts.announced,
                                    facts.seen, facts.complete,     delisted.told,     delisted.deleted};
    if (const auto proven = run.prove(*std::move(proof), p_.clock.now()); !proven) co_return proven.error();
    const auto stored = co_await p_.runs.conclude(std::move(run));
    if (!stored) co_return stored.error();
    p_.telemetry.emit(event);
    co_return true;
}

bool ConcludeRuns::must_wait(const Run& run, const RunEvidence& evidence) const {
    if (evidence.has_unread_answers) return true;
    const bool is_late = p_.clock.now() >= run.state().completed_at.value_or(TimePoint{}) + settings_.late_tasks;
    return evidence.open_tasks > 0 && !is_late;
}

Async<Result<ConcludeRuns::Delisted>> ConcludeRuns::delist(Run run, std::set<ItemNo> listed) {
    Delisted all;
    auto after = std::numeric_limits<ItemNo>::min();
    for (bool has_more = true; has_more;) {
        const auto page = co_await p_.runs.on_record(run.state().seller, run.state().started_at, after, settings_.page);
        if (!page) co_return page.error();
        has_more = std::ssize(*page) == settings_.page;
        if (has_more) after = page->back();

        std::vector<ItemNo> missing;
        std::ranges::copy_if(*page, std::back_inserter(missing), [&](ItemNo item) { return !listed.contains(item); });
        for (auto next = missing.begin(); next != missing.end();) {
            const auto end = next + std::min(missing.end() - next, std::ptrdiff_t{settings_.delisted});
            std::vector<ItemNo> batch(next, end);
            next = end;
            const auto deleted = co_await delist_batch(run, std::move(batch));
            if (!deleted) co_return deleted.error();
            all.deleted += *deleted;
        }
        all.told += missing.size();
    }
    co_return all;
}

// A product that moved under us is read again; it is likely to work out.
Async<Result<std::size_t>> ConcludeRuns::delist_batch(Run run, std::vector<ItemNo> items) {
    auto deleted = co_await try_delist(run, items);
    for (int again = 0; again < 3 && !deleted && deleted.error().code == Errc::conflict; ++again)
        deleted = co_await try_delist(run, items);
    co_return deleted;
}

Async<Result<std::size_t>> ConcludeRuns::try_delist(Run run, std::vector<ItemNo> items) {
    auto known = co_await p_.products.find(std::move(items));
    if (!known) co_return known.error();
    ProductIntake intake(std::move(*known), run.state().seller, RawId{}, p_.ids, p_.clock.now());
    intake.miss_all(run.state().started_at);
    auto taken = std::move(intake).result();
    const auto deleted = static_cast<std::size_t>(std::ranges::count_if(taken.products, &Product::is_deleted));
    ports::Delisting delisting{.run = std::move(run),
                               .products = std::move(taken.products),
                               .history = std::move(taken.history),
                               .events = std::move(taken.events),
                               .melted = std::move(taken.melted)};
    const auto stored = co_await p_.runs.delist(std::move(delisting));
    if (!stored) co_return stored.error();
    co_return deleted;
}

}  // namespace crawler::application

// Retention where others write at the same time.
#include <atomic>
#include <barrier>
#include <catch2/catch_test_macros.hpp>

#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using ports::Expendable;

namespace {

// The answer that a raw becomes where it is the listing of these items, for those stores.
template <class World>
ports::AbsorbedRaw listing_of(World& w, const std::vector<ItemNo>& items, TimePoint at) {
    auto raw = claim_raw(w, at);
    REQUIRE(raw.mark_processed());
    std::vector<Product> products;
    for (const auto item : items) {
        const auto known = w.run(w.products->find({item}));
        auto product = known->empty() ? Product::discover(item, seller_id(), at) : known->front().product;
        REQUIRE(product.absorb(a_listing().of_item(item).fetched(at), flat_diff, at));
        products.push_back(product);
    }
    return {.raw = raw, .products = products, .history = {}, .events = {}, .melted = {}};
}

}  // namespace

TEST_CASE("retention: where two take the last two facets of an answer at the same time, it has come to its end",
          "[integration][retention]") {
    MariaDbStores w;
    // Both have written their facets, and neither has committed, when they look whether the answer is still needed.
    std::barrier both_have_written(2);
    std::atomic<int> met = 0;
    const auto meet = [&](std::string_view statement) {
        if (!statement.starts_with("SELECT id FROM crawled_raw ") ||
            statement.find("WHERE id IN") == std::string_view::npos)
            return;
        ++met;
        both_have_written.arrive_and_wait();
    };
    const auto database = adapters::open_database(
        {.url = w.place.url(), .min_connections = 2, .max_connections = 2, .before_statement = meet}, *w.telemetry);
    const auto products = adapters::make_sql_product_store(*database);

    // Who commits first is left to chance, so it takes a few rounds to see them go wrong.
    constexpr int rounds = 12;
    for (int round = 1; round <= rounds; ++round) {
        const auto number = std::to_string(round);
        const ItemNo item = 10 * round;
        put_raws(w, {a_raw("a-" + number, t0), a_raw("b-" + number, t0 + 1s), a_raw("c-" + number, t0 + 2s)},
                 "e-" + number);
        REQUIRE(w.run(w.products->absorb(listing_of(w, {item, item + 1}, t0))));
        const auto first = listing_of(w, {item}, t0 + 1s);
        const auto second = listing_of(w, {item + 1}, t0 + 2s);

        const auto [one, other] = w.run_both(products->absorb(first), products->absorb(second));

        REQUIRE(one);
        REQUIRE(other);
        CHECK(*w.run(w.retention->purge(Expendable::superseded_raws, t0 + 1h, 10)) == 1);
    }
    CHECK(met == 2 * rounds);
    CHECK(w.run(w.invariants->check(t0, {}, 10))->empty());
}

TEST_CASE("retention: a row that somebody is at is passed over, not waited for", "[integration][retention]") {
    MariaDbStores w;
    for (const std::string id : {"s-1", "s-2"})
        REQUIRE(w.run(w.ledger->reserve({.reservation = id, .identity = {"ua-1"}, .reserved = t0, .lease_end = t0})));
    std::optional<Result<std::size_t>> meanwhile;

    // Inside a transaction that holds s-1, a purge on another connection comes to its end.
    auto hold = [&](adapters::sql::Session& session) -> Result<> {
        session.execute("UPDATE request_ledger SET answered_at = 1, outcome = 'SUCCEEDED' WHERE reservation = 's-1'");
        boost::asio::io_context io{1};
        meanwhile = run(io, w.retention->purge(Expendable::ledger_entries, t0 + 1h, 10));
        return {};
    };
    REQUIRE(w.run(w.database->transact(hold)));

    REQUIRE(meanwhile);
    CHECK(**meanwhile == 1);
    CHECK(w.run(w.ledger->since(t0, {}))->size() == 1);
    CHECK(*w.run(w.retention->purge(Expendable::ledger_entries, t0 + 1h, 10)) == 1);
}

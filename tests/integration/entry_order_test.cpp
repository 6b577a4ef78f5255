// Of one subject entries leave in the order in which they were written, whatever clocks their ids were made by.
#include <catch2/catch_template_test_macros.hpp>

#include "application/change_seller.hpp"
#include "application/register_seller.hpp"
#include "codec/payload.hpp"
#include "contract/fixtures/memory.hpp"
#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

using Fixtures = std::tuple<SqliteStores, MariaDbStores>;
using OutboxFixtures = OutboxesOf<Fixtures>::Type;
using Ids = std::vector<std::string>;

template <class Fixture>
std::vector<OutboxEntry> claim(Fixture& f) {
    auto claimed = f.run(f.outbox().claim(100, t0, 60s));
    REQUIRE(claimed);
    return *claimed;
}

Ids ids(const std::vector<OutboxEntry>& entries) {
    Ids ids;
    for (const auto& entry : entries) ids.push_back(entry.state().id.value);
    return ids;
}

// The next one, sent.
template <class Fixture>
Ids send_next(Fixture& f) {
    auto claimed = claim(f);
    for (auto& entry : claimed) REQUIRE(entry.mark_sent());
    REQUIRE(f.run(f.outbox().settle(claimed, t0)));
    return ids(claimed);
}

// What a seller's next order wants, carried out.
template <class Stores>
std::string next_order(Stores& f) {
    auto claimed = f.run(f.scheduler_outbox->claim(1, f.now(), 60s));
    REQUIRE(claimed);
    REQUIRE(claimed->size() == 1);
    const auto order = codec::read_schedule_payload(claimed->front().state().payload);
    REQUIRE(order);
    REQUIRE(claimed->front().mark_sent());
    REQUIRE(f.run(f.scheduler_outbox->settle(*claimed, f.now())));
    return std::string(to_string(order->type));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("entry order: what was written first goes first, in one transaction and over several",
                        "[integration][entry_order]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-3", "s-1"), an_entry("o-2", "s-1")});
    f.put({an_entry("o-1", "s-1")});

    CHECK(send_next(f) == Ids{"o-3"});
    CHECK(send_next(f) == Ids{"o-2"});
    CHECK(send_next(f) == Ids{"o-1"});
}

TEMPLATE_LIST_TEST_CASE("entry order: one that waits for its retry holds back what was written after it",
                        "[integration][entry_order]", OutboxFixtures) {
    TestType f;
    f.put({an_entry("o-2", "s-1")});
    f.put({an_entry("o-1", "s-1")});
    auto claimed = claim(f);
    REQUIRE(ids(claimed) == Ids{"o-2"});
    REQUIRE(claimed.at(0).mark_failed({Errc::timeout, "late"}, RetryPolicy{}, t0));
    REQUIRE(f.run(f.outbox().settle(claimed, t0)));

    CHECK(claim(f).empty());
}

TEMPLATE_LIST_TEST_CASE("entry order: a seller's orders are carried out as they were given, though one clock is behind",
                        "[integration][entry_order]", Fixtures) {
    TestType f;
    const auto ids = adapters::make_counting_ids("id-");
    const auto early_ids = adapters::make_counting_ids("a-");
    application::RegisterSeller registration({*f.sellers, *ids, f.clock});
    application::ChangeSeller change({*f.sellers, *ids, f.clock});
    application::ChangeSeller replica({*f.sellers, *early_ids, f.clock});
    REQUIRE(f.run(registration.handle({.id = seller_id(), .name = "가방"})));
    REQUIRE(f.run(replica.handle(seller_id(), application::Deactivate{})));
    REQUIRE(f.run(change.handle(seller_id(), application::Activate{})));
    REQUIRE(f.run(replica.handle(seller_id(), application::ChangeInterval{*CrawlingInterval::days(3)})));

    CHECK(next_order(f) == "SCHEDULE_CREATED");
    CHECK(next_order(f) == "SCHEDULE_DELETED");
    CHECK(next_order(f) == "SCHEDULE_CREATED");
    CHECK(next_order(f) == "SCHEDULE_UPDATED");
}

TEMPLATE_LIST_TEST_CASE("entry order: the younger order decides whether a schedule has failed, whatever its id",
                        "[integration][entry_order]", Fixtures) {
    TestType f;
    REQUIRE(enlist(f, a_seller()));
    auto older = f.run(f.scheduler_outbox->claim(1, t0, 60s))->at(0);
    auto both = *f.run(f.sellers->find_both(seller_id()));
    REQUIRE(both.schedule.deactivate(t0));
    REQUIRE(both.seller.deactivate(t0));
    REQUIRE(f.run(f.sellers->save(both, an_order("a-late-clock"))));
    REQUIRE(older.mark_failed({Errc::invalid, "no"}, RetryPolicy{}, t0));

    REQUIRE(f.run(f.scheduler_outbox->settle({older}, t0)));

    CHECK(f.run(f.sellers->find_both(seller_id()))->schedule.state().status == ScheduleStatus::inactive);
}

TEMPLATE_LIST_TEST_CASE("entry order: of several untold events of a product the one that was written last melts",
                        "[integration][entry_order]", Fixtures) {
    TestType f;
    put_raws(f, {a_raw("r-1")});
    auto raw = f.run(f.raws->claim(1, t0, 60s))->at(0);
    REQUIRE(raw.mark_processed());
    auto product = Product::discover(4711, seller_id(), t0);
    REQUIRE(f.run(f.products->absorb({.raw = raw,
                                      .products = {product},
                                      .history = {},
                                      .events = {an_entry("o-2", "4711"), an_entry("o-1", "4711")},
                                      .melted = {}})));

    const auto found = f.run(f.products->find({4711}));

    REQUIRE(found->at(0).untold);
    CHECK(found->at(0).untold->state().id == OutboxId{"o-1"});
}

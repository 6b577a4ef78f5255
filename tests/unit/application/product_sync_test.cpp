#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "adapters/memory/database.hpp"
#include "codec/payload.hpp"
#include "line_world.hpp"
#include "support/builders/raw.hpp"
#include "support/builders/task.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

// One seller crawled, nothing absorbed yet: a listing raw, and a detail and an option raw per item.
struct SyncWorld : LineWorld {
    SyncWorld() {
        enroll("s1", 4);
        REQUIRE(begin_crawl("s1"));
        crawl_everything();
    }
    void absorb_all() {
        for (;;) {
            const auto absorbed = run(absorb.run_once());
            REQUIRE(absorbed);
            if (*absorbed == 0) return;
        }
    }
    // The next day's crawl, absorbed but not told.
    void crawl_again() {
        time.advance(24h);
        REQUIRE(begin_crawl("s1"));
        crawl_everything();
        absorb_all();
    }
    void push_all() {
        for (std::size_t pushed = 1; pushed > 0;) {
            const auto told = run(push.run_once());
            REQUIRE(told);
            pushed = *told;
        }
    }
    // What the server heard last about one item.
    codec::ProductPayload told(ItemNo item) const {
        const auto payload = server->payload_of(std::to_string(item));
        REQUIRE(payload);
        auto read = codec::read_product_payload(*payload);
        REQUIRE(read);
        return *std::move(read);
    }
};

std::vector<std::string> paths(const FieldDiff& diff) {
    std::vector<std::string> paths;
    for (const auto& change : diff.changes()) paths.push_back(change.path);
    return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("absorb: every raw becomes facets, and a product is complete when it has all three") {
    SyncWorld w;

    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
    const auto known = w.run(w.products->find({5'000'000'002}));
    REQUIRE(known->size() == 1);
    CHECK(known->front().product.is_complete());
    CHECK(known->front().product.state().version == 3);
}

TEST_CASE("absorb: a product is told once, when it is complete, under the id of its outbox entry") {
    SyncWorld w;

    w.absorb_all();

    auto entries = w.run(w.product_outbox->claim(100, w.clock.now(), 1min));
    REQUIRE(entries);
    REQUIRE(entries->size() == 4);
    std::ranges::sort(*entries, {}, [](const OutboxEntry& entry) { return entry.state().subject; });
    CHECK(entries->front().state().subject == "5000000000");
    CHECK(entries->front().state().idempotency_key == entries->front().state().id.value);
    CHECK(entries->front().state().payload.find("PRODUCT_CREATED") != std::string::npos);
}

TEST_CASE("absorb: what changes of a product that is known to the server is an update") {
    SyncWorld w;
    w.sync_everything();
    w.catalogue["s1"][1].options = {"새 옵션"};
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();

    w.sync_everything();

    CHECK(w.server->accepted() == 5);
    CHECK(w.server->payload_of("5000000001")->find("PRODUCT_UPDATED") != std::string::npos);
    CHECK(w.server->payload_of("5000000001")->find("새 옵션") != std::string::npos);
}

TEST_CASE("absorb: an item that moved to another seller is his, once his crawl has found it") {
    SyncWorld w;
    w.sync_everything();
    w.enroll("s2", 0);
    w.catalogue["s2"].push_back(w.catalogue["s1"].back());
    w.catalogue["s1"].pop_back();
    REQUIRE(w.begin_crawl("s2"));
    w.crawl_everything();

    w.sync_everything();

    CHECK(w.run(w.products->find({5'000'000'003}))->front().product.state().seller.value() == "s2");
    CHECK(w.server->payload_of("5000000003")->find(R"("sellerId":"s2")") != std::string::npos);
    CHECK(w.events<ports::RawQuarantined>().empty());
}

TEST_CASE(
    "absorb: a stored text that cannot be read any more holds up neither its product nor the others of its page") {
    SyncWorld w;
    w.absorb_all();
    auto known = w.run(w.products->find({5'000'000'003}))->front().product.state();
    known.facets[0]->canonical = "<html>";
    known.facets[0]->digest = {};
    w.database.tables().products.insert_or_assign(known.item, Product::restore(known));
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();

    w.absorb_all();

    CHECK(w.events<ports::FacetRefused>().empty());
    CHECK(w.events<ports::RawAbsorbed>().size() == 18);
}

TEST_CASE("absorb: a product whose detail is gone is deleted, and created again when it is back") {
    SyncWorld w;
    w.sync_everything();
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::not_found, "HTTP 404"}, .nth = 2});
    w.crawl_everything();

    w.sync_everything();

    CHECK(w.run(w.products->find({5'000'000'000}))->front().product.is_deleted());
    CHECK(w.server->payload_of("5000000000")->find("PRODUCT_DELETED") != std::string::npos);
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.crawl_everything();
    w.sync_everything();
    CHECK_FALSE(w.run(w.products->find({5'000'000'000}))->front().product.is_deleted());
    CHECK(w.server->payload_of("5000000000")->find("PRODUCT_CREATED") != std::string::npos);
}

TEST_CASE("absorb: options that are gone say nothing about the product") {
    SyncWorld w;
    w.sync_everything();
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::not_found, "HTTP 404"}, .nth = 3});
    w.crawl_everything();
    const auto told = w.server->accepted();

    w.sync_everything();

    CHECK(w.server->accepted() == told);
    CHECK(w.events<ports::RawAbsorbed>().size() == 18);
    CHECK(w.events<ports::RawQuarantined>().empty());
}

TEST_CASE(
    "absorb: that an item is gone is remembered before anybody knew it, so that older answers do not bring it to "
    "life") {
    LineWorld w;
    const auto gone = a_raw("r-1", t0 + 1h).of(TaskType::product_detail).about(5'000'000'000).answering(404, "");
    w.database.tables().put_raw(gone);
    w.time.advance(1h);
    REQUIRE(*w.run(w.absorb.run_once()) == 1);
    CHECK(w.run(w.products->find({5'000'000'000}))->at(0).product.is_deleted());

    w.enroll("shop-1", 1);
    for (const auto& url : {a_listing_url(), a_detail_url(5'000'000'000), *RequestUrl::option(5'000'000'000)}) {
        const auto page = w.run(w.marketplace->fetch(a_task().asking(url), {}));
        auto raw = a_raw("r-" + url.text(), t0).of(url.type()).answering(200, page->body);
        w.database.tables().put_raw(url.item() ? raw.about(*url.item()) : raw);
    }
    w.sync_everything();

    CHECK(w.run(w.products->find({5'000'000'000}))->at(0).product.is_complete());
    CHECK(w.server->accepted() == 0);
}

TEST_CASE("absorb: an answer about another item than was asked for is set aside") {
    LineWorld w;
    w.enroll("shop-1", 2);
    const auto page = w.run(w.marketplace->fetch(a_task().asking(a_detail_url(5'000'000'000)), {}));
    auto raw = a_raw().of(TaskType::product_detail).about(5'000'000'001);
    w.database.tables().put_raw(raw.answering(200, page->body));

    REQUIRE(*w.run(w.absorb.run_once()) == 1);

    REQUIRE(w.events<ports::RawQuarantined>().size() == 1);
    CHECK(w.events<ports::RawQuarantined>()[0].error.detail ==
          "item 5000000001 was asked for, and item 5000000000 answered");
    CHECK(w.run(w.products->find({5'000'000'000, 5'000'000'001}))->empty());
}

TEST_CASE("absorb: an answer that is lost by whoever works on it, again and again, is set aside unread") {
    LineWorld w;
    w.database.tables().put_raw(a_raw());
    for (int lost = 0; lost < 4; ++lost) {
        REQUIRE(w.run(w.raws->claim(1, w.clock.now(), 1min))->size() == 1);
        w.time.advance(1min);
    }

    REQUIRE(*w.run(w.absorb.run_once()) == 1);

    REQUIRE(w.events<ports::RawQuarantined>().size() == 1);
    CHECK(w.events<ports::RawQuarantined>()[0].error.detail == "lost 4 times by whoever worked on it");
}

TEST_CASE("absorb: a product that moved under us is read again, and nobody waits") {
    SyncWorld w;
    w.faults.add({.call = "product_store.absorb", .error = {Errc::conflict, "saved since it was read"}, .times = 3});

    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
}

TEST_CASE("absorb: a storing that happened although its answer was lost does not hold up the others") {
    SyncWorld w;
    w.faults.add({.call = "product_store.absorb", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    CHECK(*w.run(w.absorb.run_once()) == 9);

    CHECK(w.events<ports::RawAbsorbed>().size() == 8);
    CHECK(*w.run(w.absorb.run_once()) == 0);
}

TEST_CASE("absorb: answers about different products are stored together, and one by one where that fails") {
    SyncWorld w;
    // The listing goes first and alone, because all the others are about its products.
    w.faults.add({.call = "product_store.absorb", .error = {Errc::unavailable, "no database"}, .nth = 2, .times = 3});

    CHECK(*w.run(w.absorb.run_once()) == 9);

    // The details failed together; then two of them failed alone.
    CHECK(w.events<ports::RawAbsorbed>().size() == 7);
    w.time.advance(30s);
    w.absorb_all();
    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
    CHECK(w.run(w.products->find({5'000'000'000}))->front().product.is_complete());
}

TEST_CASE("absorb: a raw whose storing failed waits its turn, and the others go on meanwhile") {
    SyncWorld w;
    w.faults.add({.call = "product_store.absorb", .error = {Errc::unavailable, "no database"}});

    w.absorb_all();
    CHECK(w.events<ports::RawAbsorbed>().size() == 8);
    w.time.advance(30s);
    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
    CHECK(w.events<ports::RawQuarantined>().empty());
}

TEST_CASE("absorb: a raw whose storing fails for ever is set aside when its retries are spent") {
    SyncWorld w;
    w.absorb_all();
    w.time.advance(24h);
    REQUIRE(w.begin_crawl("s1"));
    w.faults.add({.call = "product_store.absorb", .error = {Errc::unavailable, "no database"}, .times = 1000});
    w.crawl_everything();

    for (int i = 0; i < 6; ++i) {
        CHECK(w.events<ports::RawQuarantined>().empty());
        w.absorb_all();
        w.time.advance(1h);
    }

    const auto quarantined = w.events<ports::RawQuarantined>();
    CHECK(quarantined.size() == 9);
    CHECK(quarantined[0].error.detail == "no database");
}

TEST_CASE("absorb: where not even the failure can be stored the claim's end brings the raw back") {
    SyncWorld w;
    w.faults.add({.call = "product_store.absorb", .error = {Errc::unavailable, "no database"}});
    w.faults.add({.call = "raw_store.settle", .error = {Errc::unavailable, "no database"}});

    CHECK_FALSE(w.run(w.absorb.run_once()));
    w.time.advance(1min);
    w.absorb_all();

    CHECK(w.events<ports::RawAbsorbed>().size() == 9);
}

TEST_CASE("absorb: a detail that names another seller is not taken, but whose item it is is remembered") {
    LineWorld w;
    w.catalogue["다른 셀러"].push_back({.no = 6'000'000'000, .name = "지갑", .price = 1000});
    const auto task = a_task().asking(a_detail_url(6'000'000'000)).build();
    const auto page = w.run(w.marketplace->fetch(task, {}));
    auto raw = a_raw().from("s1").of(TaskType::product_detail).about(6'000'000'000);
    w.database.tables().put_raw(raw.answering(200, page->body));

    REQUIRE(*w.run(w.absorb.run_once()) == 1);

    const auto known = w.run(w.products->find({6'000'000'000}));
    REQUIRE(known->size() == 1);
    CHECK(known->front().product.state().seller.value() == "다른 셀러");
    CHECK_FALSE(known->front().product.state().named->own);
    CHECK_FALSE(known->front().product.facet(FacetKind::detail));
    CHECK(w.events<ports::RawAbsorbed>().at(0).refused == 1);
    CHECK(w.events<ports::FacetRefused>().at(0).why == "it is of seller 다른 셀러, not of s1");
}

TEST_CASE("absorb: an answer that cannot be read is set aside with the reason, and the others go on") {
    SyncWorld w;
    w.faults.add({.call = "marketplace.read", .error = {Errc::invalid, "/price: not a number"}, .nth = 2});

    w.absorb_all();

    const auto quarantined = w.events<ports::RawQuarantined>();
    REQUIRE(quarantined.size() == 1);
    CHECK(quarantined[0].error.detail == "/price: not a number");
    CHECK(w.events<ports::RawAbsorbed>().size() == 8);
    w.time.advance(1h);
    CHECK(*w.run(w.absorb.run_once()) == 0);
}

TEST_CASE("coalescing: two changes before a push become one event with the fields of both") {
    SyncWorld w;
    w.sync_everything();
    w.catalogue["s1"][1].options = {"새 옵션"};
    w.crawl_again();
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();

    w.push_all();

    CHECK(w.server->accepted() == 5);
    const auto told = w.told(5'000'000'001);
    CHECK(told.event.type == ProductEventType::updated);
    CHECK(told.event.version == 6);
    CHECK(paths(told.event.diff) == Paths{"/detail/price", "/listing/price", "/option/options"});
    CHECK(told.facets[2].find("새 옵션") != std::string::npos);
    CHECK(told.facets[0].find("500000") != std::string::npos);
}

TEST_CASE("coalescing: what changed before the server heard of the product is part of its creation") {
    SyncWorld w;
    w.absorb_all();
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();

    w.push_all();

    CHECK(w.server->accepted() == 4);
    CHECK(w.told(5'000'000'001).event.type == ProductEventType::created);
    CHECK(w.told(5'000'000'001).event.version == 5);
    CHECK(w.told(5'000'000'001).facets[1].find("500000") != std::string::npos);
}

TEST_CASE("coalescing: a product that came and went before a push is not told at all") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "marketplace.fetch", .error = {Errc::not_found, "HTTP 404"}, .nth = 2});
    w.crawl_again();
    REQUIRE(w.run(w.products->find({5'000'000'000}))->at(0).product.is_deleted());

    w.push_all();

    CHECK(w.server->accepted() == 3);
    CHECK_FALSE(w.server->payload_of("5000000000"));
}

TEST_CASE("coalescing: what changed there and back before a push is not told") {
    SyncWorld w;
    w.sync_everything();
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();
    w.catalogue["s1"][1].price = 545'600;
    w.crawl_again();

    CHECK(w.run(w.product_outbox->claim(100, w.clock.now(), 1min))->empty());
    CHECK(w.run(w.products->find({5'000'000'001}))->at(0).product.state().version == 7);
}

TEST_CASE("coalescing: an event that is being pushed is not melted into, and the next is told after it") {
    SyncWorld w;
    w.absorb_all();
    const auto pushing = w.run(w.product_outbox->claim(100, w.clock.now(), 48h));
    REQUIRE(pushing->size() == 4);
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();
    w.push_all();
    CHECK(w.server->accepted() == 0);

    w.time.advance(48h);
    w.push_all();

    CHECK(w.server->accepted() == 5);
    CHECK(w.told(5'000'000'001).event.type == ProductEventType::updated);
    CHECK(paths(w.told(5'000'000'001).event.diff) == Paths{"/detail/price", "/listing/price"});
}

TEST_CASE("coalescing: an event that was tried and failed stays as it is, and the next is told after it") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::timeout, "no answer"}, .times = 4});
    REQUIRE(w.run(w.push.run_once()));
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();

    w.push_all();

    CHECK(w.server->accepted() == 5);
    CHECK(w.told(5'000'000'001).event.type == ProductEventType::updated);
}

TEST_CASE("coalescing: an untold event that cannot be read is left alone, and the next is told after it") {
    SyncWorld w;
    w.absorb_all();
    auto entry = w.run(w.products->find({5'000'000'001}))->at(0).untold->state();
    entry.payload = GENERATE(as<std::string>{}, "<html>", "another item's");
    if (entry.payload != "<html>")
        entry.payload = w.run(w.products->find({5'000'000'000}))->at(0).untold->state().payload;
    w.database.tables().product_outbox.put(OutboxEntry::restore(entry));
    w.catalogue["s1"][1].price = 500'000;
    w.crawl_again();

    w.push_all();

    CHECK(w.server->accepted() == 5);
    CHECK(w.server->pushes(entry.idempotency_key) == 1);
    CHECK(w.told(5'000'000'001).event.type == ProductEventType::updated);
}

TEST_CASE("coalescing: an item that stands on one page twice is told once, as what it is in the end") {
    SyncWorld w;
    w.sync_everything();
    const bool other_way_round = GENERATE(false, true);  // of two of the same time one wins, whichever comes first
    auto& items = w.catalogue["s1"];
    items.resize(1);
    items.push_back(items[0]);
    items[other_way_round ? 0 : 1].price = 1000;
    items[other_way_round ? 1 : 0].price = 2000;
    const auto page = w.run(w.marketplace->fetch(a_task().of_seller("s1").asking(a_listing_url(0, "s1")), {}));
    w.database.tables().put_raw(a_raw("r-1", w.clock.now()).from("s1").answering(200, page->body));

    w.sync_everything();

    CHECK(w.server->accepted() == 5);
    const auto told = w.told(5'000'000'000);
    const auto product = w.run(w.products->find({5'000'000'000}))->at(0).product;
    CHECK(told.facets[0] == product.facet(FacetKind::listing)->canonical);
    REQUIRE(paths(told.event.diff) == Paths{"/listing/price"});
    CHECK(told.event.diff.changes()[0].before == "545600");
    CHECK(told.event.version == product.state().version);
}

TEST_CASE("history: every real change is kept with the answer that brought it and what was told about it") {
    SyncWorld w;
    w.absorb_all();
    const auto absorbed_at = w.clock.now();
    w.catalogue["s1"][1].options = {"새 옵션"};
    w.crawl_again();

    const auto changes = w.run(w.products->history(5'000'000'001, 10));

    REQUIRE(changes);
    REQUIRE(changes->size() == 4);
    const auto& newest = changes->at(0);
    CHECK(newest.version == 4);
    CHECK(newest.changed_at == w.clock.now());
    CHECK(newest.event == ProductEventType::updated);  // also where it melted into another
    CHECK(newest.diff == FieldDiff({{"/option/options", "[]", R"(["새 옵션"])"}}));
    const auto& raw = w.database.tables().raws.at(newest.raw).state();
    CHECK(raw.item == 5'000'000'001);
    CHECK(raw.type == TaskType::product_option);
    CHECK(changes->at(1).event == ProductEventType::created);
    CHECK(changes->at(1).changed_at == absorbed_at);
    CHECK(changes->at(2).event == std::nullopt);
    CHECK(changes->at(3).version == 1);
}

TEST_CASE("history: an answer that changes nothing leaves none") {
    SyncWorld w;
    w.absorb_all();

    w.crawl_again();

    CHECK(w.run(w.products->history(5'000'000'001, 10))->size() == 3);
}

TEST_CASE("push: a server that is down is told again later, and in the same order") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::unavailable, "HTTP 503"}, .times = 2});

    REQUIRE(w.run(w.push.run_once()));
    CHECK(w.events<ports::ProductPushFailed>().size() == 2);
    for (int i = 0; i < 10; ++i) {
        w.time.advance(1s);
        REQUIRE(w.run(w.push.run_once()));
    }

    CHECK(w.server->accepted() == 4);
    CHECK(w.events<ports::ProductPushed>().size() == 4);
}

TEST_CASE("push: an answer that is lost is told again under the same key, and counts once") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::timeout, "no answer"}, .answer_lost = true});

    for (int i = 0; i < 10; ++i) {
        REQUIRE(w.run(w.push.run_once()));
        w.time.advance(1s);
    }

    CHECK(w.server->accepted() == 4);
}

TEST_CASE("push: what the server refuses for good is dead at once and says why") {
    SyncWorld w;
    w.absorb_all();
    w.faults.add({.call = "product_server.push", .error = {Errc::invalid, "HTTP 422: no such category"}});

    REQUIRE(w.run(w.push.run_once()));

    const auto failed = w.events<ports::ProductPushFailed>();
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].final);
    CHECK(failed[0].error.detail == "HTTP 422: no such category");
}

// What a run proves and what follows from it: from the listing to what the product server is told, on memory and on databases.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <deque>
#include <functional>

#include "application/absorb_raw.hpp"
#include "application/conclude_runs.hpp"
#include "application/push_products.hpp"
#include "codec/payload.hpp"
#include "codec/sha256.hpp"
#include "contract/fixtures/memory.hpp"
#include "contract/fixtures/seed.hpp"
#include "contract/fixtures/sql.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

constexpr ItemNo bag = 5'000'000'001;
constexpr ItemNo shoes = 5'000'000'002;
constexpr ItemNo hat = 5'000'000'003;

// One seller, from the marketplace to the product server.
template <class Stores>
struct Shop : Stores {
    adapters::Catalogue catalogue;
    std::unique_ptr<adapters::MemoryTelemetry> heard = adapters::make_memory_telemetry();
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_counting_ids("id-");
    std::unique_ptr<ports::Marketplace> marketplace = adapters::make_memory_marketplace(catalogue);
    std::unique_ptr<adapters::MemoryProductServer> server = adapters::make_memory_product_server();
    application::AbsorbRaw absorb{{*this->raws, *this->products, *marketplace, *ids, this->clock, *heard}, {}};
    application::PushProducts push{{*this->product_outbox, *server, this->clock, *heard}, {}};
    application::ConcludeRuns::Settings settings{.page = 2, .delisted = 1};

    // What of the next crawl goes wrong.
    std::function<std::optional<Error>(const CrawlerTask&)> trouble = [](const CrawlerTask&) { return std::nullopt; };
    std::int64_t announced_too_many = 0;
    std::string last_run;

    Shop() {
        sell({bag, shoes});
        (void)enlist(*this, a_seller());
    }
    void sell(const std::vector<ItemNo>& items) {
        auto& shelf = catalogue["shop-1"];
        shelf.clear();
        for (const auto item : items) shelf.push_back({item, "상품 " + std::to_string(item), 1000, {}});
    }

    // The next day's run, all of its answers stored, none worked in.
    void crawl() {
        this->advance(24h);
        last_run = "run-" + std::to_string(++runs_);
        auto seller = *this->run(this->sellers->find(seller_id()));
        const auto count = std::ssize(catalogue["shop-1"]);
        REQUIRE(seller.announce_total(count + announced_too_many, this->now()));
        auto run = CrawlingScheduleExecution::begin(ExecutionId{last_run}, seller_id(), this->now());
        run.announce(count + announced_too_many);
        std::deque<CrawlerTask> open;
        if (count > 0) open.push_back(task_for(a_listing_url()));
        REQUIRE(run.tasks_created(std::ssize(open), this->now()));
        REQUIRE(this->run(this->executions->start({seller, run, {open.begin(), open.end()}, {}})));
        for (; !open.empty(); open.pop_front()) work_on(open.front(), open);
    }
    void absorb_all() {
        for (std::size_t absorbed = 1; absorbed > 0;) absorbed = *this->run(absorb.run_once());
    }
    Result<std::size_t> conclude() {
        application::ConcludeRuns use_case({*this->conclusions, *this->products, *ids, this->clock, *heard}, settings);
        return this->run(use_case.run_once());
    }
    void push_all() {
        for (std::size_t pushed = 1; pushed > 0;) pushed = *this->run(push.run_once());
    }
    // A whole day: crawled, worked in, concluded, told.
    void live_through_a_day() {
        crawl();
        absorb_all();
        REQUIRE(*conclude() == 1);
        push_all();
    }

    CompletenessProof proof() {
        const auto run = this->run(this->executions->find(ExecutionId{last_run}));
        REQUIRE(run);
        REQUIRE(run->state().proof);
        return *run->state().proof;
    }
    bool is_deleted(ItemNo item) { return this->run(this->products->find({item}))->front().product.is_deleted(); }
    ProductEvent told(ItemNo item) const {
        const auto payload = server->payload_of(std::to_string(item));
        REQUIRE(payload);
        return codec::read_product_payload(*payload)->event;
    }
    ports::RunConcluded concluded() const { return test::told<ports::RunConcluded>(*heard).back(); }

  private:
    CrawlerTask task_for(const RequestUrl& url) {
        return a_running_task("t-" + std::to_string(++tasks_), last_run).asking(url);
    }
    void work_on(CrawlerTask task, std::deque<CrawlerTask>& open) {
        ports::TaskOutcome outcome{.task = task, .raws = {}, .follow_ups = {}, .outbox = {}};
        auto page = this->run(marketplace->fetch(task, {}));
        const auto wrong = trouble(task);
        if (!page || wrong) {
            const auto why = wrong ? *wrong : page.error();
            if (why.code == Errc::not_found) {
                REQUIRE(outcome.task.complete(this->now(), CompletedAs::gone));
                outcome.raws.push_back(kept(task, 404, ""));
            } else {
                REQUIRE(outcome.task.fail(why, RetryPolicy{.max_retries = 0}, this->now()));
            }
        } else {
            REQUIRE(outcome.task.complete(this->now()));
            outcome.raws.push_back(kept(task, 200, page->body));
            for (const auto& url : page->follow_ups) outcome.follow_ups.push_back(task_for(url));
        }
        open.insert(open.end(), outcome.follow_ups.begin(), outcome.follow_ups.end());
        REQUIRE(this->run(this->tasks->finish(outcome)));
    }
    CrawledRaw kept(const CrawlerTask& task, int status, const std::string& body) {
        return CrawledRaw::keep({.id = ids->make<RawId>(),
                                 .task = task.state().id,
                                 .seller = seller_id(),
                                 .item = task.state().request_url.item(),
                                 .type = task.type(),
                                 .fetched_at = this->now(),
                                 .http_status = status,
                                 .body = body,
                                 .content_hash = codec::sha256(body)});
    }
    int runs_ = 0;
    int tasks_ = 0;
};

using Shops = std::tuple<Shop<MemoryStores>, Shop<SqliteStores>, Shop<MariaDbStores>>;

std::function<std::optional<Error>(const CrawlerTask&)> failing(TaskType type, Error why) {
    return [=](const CrawlerTask& task) { return task.type() == type ? std::optional(why) : std::nullopt; };
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("conclude: a run whose answers are all worked in is proven whole", "[integration][conclude]",
                        Shops) {
    TestType shop;
    shop.crawl();
    shop.absorb_all();

    CHECK(*shop.conclude() == 1);

    CHECK(shop.proof().is_whole());
    CHECK(shop.proof().state().announced == 2);
    CHECK(shop.proof().state().complete == 2);
    CHECK(shop.concluded().whole);
    CHECK(shop.concluded().listed);
    CHECK(shop.concluded().delisted == 0);
    CHECK(*shop.conclude() == 0);
}

TEMPLATE_LIST_TEST_CASE("conclude: a run with answers that wait is not concluded yet", "[integration][conclude]",
                        Shops) {
    TestType shop;
    shop.crawl();

    CHECK(*shop.conclude() == 0);
    shop.absorb_all();
    CHECK(*shop.conclude() == 0);  // the next look is some seconds away

    shop.advance(10s);
    CHECK(*shop.conclude() == 1);
    CHECK(shop.proof().is_whole());
}

TEMPLATE_LIST_TEST_CASE(
    "conclude: what two complete listings in a row lack is deleted, and created when it is listed "
    "again",
    "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();
    REQUIRE(shop.told(bag).type == ProductEventType::created);
    shop.sell({shoes});

    shop.live_through_a_day();
    CHECK_FALSE(shop.is_deleted(bag));
    CHECK(shop.told(bag).type == ProductEventType::created);
    CHECK(shop.concluded().delisted == 1);
    CHECK(shop.concluded().deleted == 0);

    shop.live_through_a_day();
    CHECK(shop.is_deleted(bag));
    CHECK(shop.told(bag).type == ProductEventType::deleted);
    CHECK(shop.told(bag).reason == ProductEventReason::delisted);
    CHECK(shop.concluded().deleted == 1);
    CHECK(shop.run(shop.products->history(bag, 1))->front().event == ProductEventType::deleted);
    CHECK_FALSE(shop.is_deleted(shoes));

    shop.live_through_a_day();
    CHECK(shop.concluded().delisted == 0);  // it is deleted already

    shop.sell({bag, shoes});
    shop.live_through_a_day();
    CHECK_FALSE(shop.is_deleted(bag));
    CHECK(shop.told(bag).type == ProductEventType::created);
    CHECK(shop.told(bag).reason == ProductEventReason::seen_again);
}

TEMPLATE_LIST_TEST_CASE("conclude: one listing without it between two with it deletes nothing",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();

    for (int i = 0; i < 2; ++i) {
        shop.sell({shoes});
        shop.live_through_a_day();
        shop.sell({bag, shoes});
        shop.live_through_a_day();
    }

    CHECK_FALSE(shop.is_deleted(bag));
    CHECK(shop.server->accepted() == 2);
}

TEMPLATE_LIST_TEST_CASE("conclude: an item whose detail is gone is deleted at once, and missing for that reason",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.trouble = [](const CrawlerTask& task) {
        const bool is_it = task.type() == TaskType::product_detail && task.state().request_url.item() == bag;
        return is_it ? std::optional(Error{Errc::not_found, "HTTP 404"}) : std::nullopt;
    };

    shop.live_through_a_day();

    CHECK(shop.is_deleted(bag));
    CHECK(shop.told(bag).type == ProductEventType::deleted);
    CHECK(shop.proof().missing_because(MissingReason::gone) == 1);
    CHECK(shop.proof().is_whole());
}

TEMPLATE_LIST_TEST_CASE("conclude: a listing that failed removes nothing, however often it fails",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.sell({shoes});
    shop.trouble = failing(TaskType::minishop, {Errc::unavailable, "HTTP 503"});

    for (int i = 0; i < 3; ++i) shop.live_through_a_day();

    CHECK_FALSE(shop.is_deleted(bag));
    CHECK_FALSE(shop.concluded().listed);
    CHECK_FALSE(shop.proof().is_whole());
    CHECK(shop.proof().never_listed() == 1);
    CHECK_FALSE(shop.run(shop.products->find({bag}))->front().product.state().missing_at[0]);
}

TEMPLATE_LIST_TEST_CASE("conclude: a listing shorter than it announced removes nothing, however often it is",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.sell({shoes});
    shop.announced_too_many = 1;

    for (int i = 0; i < 3; ++i) shop.live_through_a_day();

    CHECK_FALSE(shop.is_deleted(bag));
    CHECK_FALSE(shop.concluded().listed);
    CHECK(shop.proof().never_listed() == 1);
}

TEMPLATE_LIST_TEST_CASE("conclude: a listing of nothing is believed the second time", "[integration][conclude]",
                        Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.sell({});

    shop.live_through_a_day();
    CHECK(shop.concluded().delisted == 2);
    CHECK_FALSE(shop.is_deleted(bag));

    shop.live_through_a_day();
    CHECK(shop.concluded().deleted == 2);
    CHECK(shop.is_deleted(bag));
    CHECK(shop.is_deleted(shoes));
}

TEMPLATE_LIST_TEST_CASE("conclude: a run whose tasks are not there any more removes nothing", "[integration][conclude]",
                        Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.crawl();
    shop.absorb_all();
    auto seller = *shop.run(shop.sellers->find(seller_id()));
    REQUIRE(seller.announce_total(0, shop.now()));
    shop.advance(1h);
    // As if they had been purged: the counters tell of more than there is.
    const auto purged = CrawlingScheduleExecution::restore({.id = {"run-purged"},
                                                            .seller = seller_id(),
                                                            .status = ExecutionStatus::completed,
                                                            .total_tasks = 5,
                                                            .completed_tasks = 5,
                                                            .proof = {},
                                                            .started_at = shop.now(),
                                                            .completed_at = shop.now(),
                                                            .updated_at = shop.now()});
    REQUIRE(shop.run(shop.executions->start({seller, purged, {}, {}})));
    REQUIRE(*shop.conclude() == 2);

    CHECK_FALSE(shop.concluded().listed);
    CHECK(shop.concluded().delisted == 0);
}

TEMPLATE_LIST_TEST_CASE("conclude: a run that was given up waits for its late tasks, and is proven without removing",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.advance(24h);
    auto seller = *shop.run(shop.sellers->find(seller_id()));
    auto run = CrawlingScheduleExecution::begin(ExecutionId{"run-stuck"}, seller_id(), shop.now());
    run.announce(2);
    REQUIRE(run.tasks_created(1, shop.now()));
    REQUIRE(run.fail("stuck", shop.now()));
    REQUIRE(shop.run(shop.executions->start({seller, run, {a_task("t-stuck", "run-stuck")}, {}})));
    shop.last_run = "run-stuck";

    CHECK(*shop.conclude() == 0);
    shop.advance(24h);
    CHECK(*shop.conclude() == 1);

    CHECK(shop.proof().never_listed() == 2);
    CHECK_FALSE(shop.concluded().listed);
    CHECK(shop.concluded().delisted == 0);
}

TEMPLATE_LIST_TEST_CASE("conclude: what failed is missing for its reason, and the rest is complete",
                        "[integration][conclude]", Shops) {
    TestType shop;
    shop.sell({bag, shoes, hat});
    shop.trouble = [](const CrawlerTask& task) {
        const bool is_it = task.type() == TaskType::product_option && task.state().request_url.item() == hat;
        return is_it ? std::optional(Error{Errc::unavailable, "HTTP 503"}) : std::nullopt;
    };

    shop.live_through_a_day();

    CHECK(shop.proof().state().complete == 2);
    CHECK(shop.proof().state().missing == std::vector<MissingItem>{{hat, MissingReason::option_failed}});
    CHECK_FALSE(shop.proof().is_whole());
    CHECK(shop.concluded().listed);
}

TEMPLATE_LIST_TEST_CASE("conclude: two that conclude at once tell of each product once", "[integration][conclude]",
                        Shops) {
    TestType shop;
    shop.live_through_a_day();
    shop.sell({});
    shop.live_through_a_day();
    shop.crawl();
    shop.settings.lease = 1us;
    application::ConcludeRuns a({*shop.conclusions, *shop.products, *shop.ids, shop.clock, *shop.heard}, shop.settings);
    application::ConcludeRuns b({*shop.conclusions, *shop.products, *shop.ids, shop.clock, *shop.heard}, shop.settings);

    const auto [first, second] = shop.run_both(a.run_once(), b.run_once());
    shop.advance(1s);
    while (*shop.conclude() > 0) shop.advance(1s);

    const auto entries = shop.run(shop.product_outbox->claim(100, shop.now(), 60s));
    CHECK(entries->size() == 2);
    CHECK(shop.proof().is_whole());
    for (const auto item : {bag, shoes}) {
        const auto history = shop.run(shop.products->history(item, 10));
        CHECK(std::ranges::count(*history, ProductEventType::deleted, &ports::ProductChange::event) == 1);
    }
}

TEST_CASE("conclude: what was cut off before the proof is done again, and counts once", "[integration][conclude]") {
    adapters::Faults faults;
    Shop<MemoryStores> shop;
    shop.database.tables().faults = &faults;
    shop.live_through_a_day();
    shop.sell({});
    shop.live_through_a_day();
    shop.crawl();
    const bool is_told = GENERATE(false, true);
    faults.add({.call = is_told ? "run_conclusions.conclude" : "run_conclusions.delist",
                .error = {Errc::unavailable, "no database"},
                .nth = is_told ? 1 : 2});

    CHECK_FALSE(shop.conclude());
    CHECK(*shop.conclude() == 0);
    shop.advance(5min);
    CHECK(*shop.conclude() == 1);

    CHECK(shop.run(shop.product_outbox->claim(100, shop.now(), 60s))->size() == 2);
    CHECK(shop.run(shop.products->history(bag, 10))->front().version ==
          shop.run(shop.products->history(shoes, 10))->front().version);
}

TEST_CASE("conclude: the longer a run has to wait, the more rarely it is looked at", "[integration][conclude]") {
    Shop<MemoryStores> shop;
    shop.crawl();  // none of its answers is ever worked in
    CHECK(*shop.conclude() == 0);
    CHECK(shop.run(shop.conclusions->claim(1, shop.now() + 9s, 1us))->empty());
    CHECK(shop.run(shop.conclusions->claim(1, shop.now() + 10s, 1us))->size() == 1);

    shop.advance(10h);
    CHECK(*shop.conclude() == 0);

    CHECK(shop.run(shop.conclusions->claim(1, shop.now() + 59min, 1us))->empty());
    CHECK(shop.run(shop.conclusions->claim(1, shop.now() + 60min, 1us))->size() == 1);
}

TEST_CASE("conclude: a run that cannot be concluded holds up no other", "[integration][conclude]") {
    adapters::Faults faults;
    Shop<MemoryStores> shop;
    shop.database.tables().faults = &faults;
    shop.crawl();
    shop.crawl();
    shop.absorb_all();
    faults.add({.call = "run_conclusions.evidence", .error = {Errc::invalid, "a row that nobody can read"}});

    CHECK_FALSE(shop.conclude());

    CHECK(shop.proof().is_whole());
    CHECK(test::told<ports::RunConcluded>(*shop.heard).size() == 1);
}

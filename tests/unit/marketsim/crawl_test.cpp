// The product's side of the marketplace against the simulated one, over HTTP: every fault by itself, and then some of each.
#include <boost/json.hpp>
#include <catch2/catch_test_macros.hpp>

#include "adapters/mustit/mustit.hpp"
#include "delivery.hpp"
#include "expectation.hpp"
#include "simulator.hpp"
#include "support/builders.hpp"
#include "support/local_site.hpp"

using namespace marketsim;
using namespace std::chrono_literals;
using crawler::CrawledRaw;
using crawler::Errc;
using crawler::RequestUrl;
using crawler::Result;
using crawler::ports::Page;

namespace {

Scenario small_world() {
    Scenario scenario;
    scenario.size = {.seed = 7, .sellers = 2, .products = 5};
    scenario.limits.per_hour = 0;
    scenario.faults.huge_body = 2'000'000;
    scenario.faults.slow_pause = 1ms;
    return scenario;
}

Scenario with(Place place, Fault fault, int per_mille = 1000) {
    auto scenario = small_world();
    scenario.faults.at[static_cast<std::size_t>(place)].per_mille[static_cast<std::size_t>(fault)] = per_mille;
    return scenario;
}

struct Crawl {
    explicit Crawl(const Scenario& scenario = small_world())
        : catalogue(scenario.size), simulator(scenario, [this] { return now; }) {}

    crawler::ports::Slot slot(const std::string& token = "") {
        crawler::ports::Slot slot;
        slot.user_agent = "Mozilla/5.0 (Linux; Android 14)";
        slot.token = crawler::Secret(token.empty() ? session : token);
        return slot;
    }
    void enter() {
        const auto opened = site.run(marketplace->open_session(slot()));
        if (!opened) FAIL(opened.error().detail);
        session = opened->reveal();
    }
    Result<Page> fetch(const RequestUrl& url, int retries = 0) {
        const auto task = crawler::test::a_task().asking(url).retries(retries).build();
        return *site.run(as_optional(task));
    }
    // Within a first attempt of three tries and one more attempt of a single one.
    Result<Page> insist(const RequestUrl& url) {
        for (int tries = 0; tries < 3; ++tries) {
            auto page = fetch(url);
            if (page) return page;
            if (page.error().code == Errc::blocked) enter();
        }
        return fetch(url, 1);
    }
    std::vector<crawler::Facet> read(const RequestUrl& url, const std::string& body) {
        auto state = crawler::test::a_raw("r-1", crawler::test::t0).of(url.type()).answering(200, body).build().state();
        state.item = url.item();
        auto facets = marketplace->read(CrawledRaw::restore(std::move(state)));
        if (!facets) FAIL(facets.error().detail);
        return *std::move(facets);
    }
    void check(const crawler::Facet& facet) {
        const auto kind = static_cast<Facet>(facet.kind);
        const auto expected = expected_facet(catalogue.product(facet.item), kind);
        CAPTURE(facet.item, to_string(kind));
        CHECK(differences(kind, expected, boost::json::parse(facet.canonical)).empty());
    }

    SimTime now{};
    std::string session;
    Catalogue catalogue;
    Simulator simulator;
    crawler::test::LocalSite site{[this](HttpRequest request) { return simulator.handle(std::move(request)); },
                                  taken_off,
                                  {.max_body = 1'000'000}};
    std::unique_ptr<crawler::ports::Marketplace> marketplace =
        crawler::adapters::make_mustit_marketplace({.base_url = site.url()}, site.client());

  private:
    crawler::Async<std::optional<Result<Page>>> as_optional(crawler::CrawlerTask task) {
        co_return co_await marketplace->fetch(std::move(task), slot());
    }
};

const crawler::SellerId seller = *crawler::SellerId::parse("seller_1");

// What a detail comes to where that fault always happens: at first, and in a later attempt.
void check_fault(Fault fault, std::optional<Errc> first, std::optional<Errc> later) {
    CAPTURE(to_string(fault));
    Crawl crawl(with(Place::detail, fault));
    crawl.enter();
    const auto url = *RequestUrl::detail(crawl.catalogue.page(0, 0, 1).front());

    const auto one = crawl.fetch(url, 0);
    if (fault == Fault::token_dies) crawl.enter();
    const auto two = crawl.fetch(url, 1);

    CHECK((one ? std::nullopt : std::optional(one.error().code)) == first);
    CHECK((two ? std::nullopt : std::optional(two.error().code)) == later);
}

}  // namespace

TEST_CASE("crawl: with a session everything can be asked and read, and without one nothing", "[marketsim][crawl]") {
    Crawl crawl;
    CHECK(crawl.site.run(crawl.marketplace->count_items(seller, crawl.slot())).error().code == Errc::blocked);
    crawl.enter();

    CHECK(*crawl.site.run(crawl.marketplace->count_items(seller, crawl.slot())) == 5);
    const auto page = crawl.fetch(*RequestUrl::minishop(seller, 0));
    REQUIRE(page);
    CHECK(page->announced == 5);
    CHECK(page->follow_ups.size() == 10);
    for (const auto& url : page->follow_ups) {
        for (const auto& facet : crawl.read(url, crawl.fetch(url)->body)) crawl.check(facet);
    }
}

TEST_CASE("crawl: a search is followed to its end, and finds each item", "[marketsim][crawl]") {
    Crawl crawl;
    crawl.enter();

    std::set<crawler::ItemNo> found;
    std::vector<RequestUrl> next{*RequestUrl::search("seller_1")};
    while (!next.empty()) {
        const auto page = crawl.fetch(next.back());
        next.pop_back();
        REQUIRE(page);
        for (const auto& url : page->follow_ups) {
            if (url.type() == crawler::TaskType::search) next.push_back(url);
            if (url.type() == crawler::TaskType::product_detail) found.insert(*url.item());
        }
    }

    for (const auto item : crawl.catalogue.page(0, 0, 5)) CHECK(found.contains(item));
}

TEST_CASE("crawl: a session of another browser or an old one is refused", "[marketsim][crawl]") {
    Crawl crawl;
    crawl.enter();
    const auto old = crawl.session;
    crawl.enter();

    CHECK(crawl.site.run(crawl.marketplace->count_items(seller, crawl.slot(old))).error().code == Errc::blocked);
}

TEST_CASE("crawl: each fault comes to what must happen next", "[marketsim][crawl]") {
    using enum Errc;
    check_fault(Fault::throttled, rate_limited, rate_limited);
    check_fault(Fault::error_500, unavailable, unavailable);
    check_fault(Fault::error_503, unavailable, unavailable);
    check_fault(Fault::reset, unavailable, unavailable);
    check_fault(Fault::truncated_body, unavailable, unavailable);
    check_fault(Fault::token_dies, blocked, blocked);
    check_fault(Fault::slow_body, std::nullopt, std::nullopt);
    check_fault(Fault::numbers_as_strings, std::nullopt, std::nullopt);
    check_fault(Fault::not_json, unavailable, invalid);
    check_fault(Fault::error_body, unavailable, invalid);
    check_fault(Fault::huge_body, unavailable, invalid);
    check_fault(Fault::missing_module, unavailable, std::nullopt);
}

TEST_CASE("crawl: a throttled request says how long to wait", "[marketsim][crawl]") {
    Crawl crawl(with(Place::listing, Fault::throttled));
    crawl.enter();

    const auto refused = crawl.fetch(*RequestUrl::minishop(seller, 0));

    REQUIRE_FALSE(refused);
    CHECK(refused.error().retry_after == 60s);
}

TEST_CASE("crawl: under every fault at once nothing is lost and nothing is wrong", "[marketsim][crawl]") {
    auto scenario = small_world();
    scenario.size.products = 100;
    for (const auto place : {Place::listing, Place::detail, Place::options}) {
        for (std::size_t fault = 0; fault < fault_kinds; ++fault) {
            if (happens_at(static_cast<Fault>(fault), place))
                scenario.faults.at[static_cast<std::size_t>(place)].per_mille[fault] = 9;
        }
    }
    Crawl crawl(scenario);
    crawl.enter();

    const auto page = crawl.insist(*RequestUrl::minishop(seller, 0));
    REQUIRE(page);
    REQUIRE(page->follow_ups.size() == 200);
    for (const auto& url : page->follow_ups) {
        const auto answer = crawl.insist(url);
        REQUIRE(answer);
        for (const auto& facet : crawl.read(url, answer->body)) crawl.check(facet);
    }
}

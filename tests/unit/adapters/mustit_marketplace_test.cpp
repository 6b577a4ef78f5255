#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "adapters/memory/memory.hpp"
#include "adapters/mustit/mustit.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using adapters::MustitConfig;

namespace {

const auto listing_url = *RequestUrl::minishop(*SellerId::parse("dmont"), 0);
const auto search_url = *RequestUrl::search("dmont");
const auto detail_url = *RequestUrl::detail(118005032);
const auto option_url = *RequestUrl::option(117005038);

std::string sample_for(const RequestUrl& url) {
    if (url.type() == TaskType::minishop) return sample_answer("minishop.json");
    if (url.type() == TaskType::search) return sample_answer("search.json");
    return sample_answer(url.type() == TaskType::product_detail ? "detail.json" : "options.json");
}

// A marketplace that gives this answer to everything.
struct Site {
    explicit Site(Result<ports::HttpResponse> says, MustitConfig config = {}) : answer(std::move(says)) {
        marketplace = adapters::make_mustit_marketplace(std::move(config), *http);
    }
    explicit Site(std::string body)
        : Site(ports::HttpResponse{.status = 200, .headers = {}, .body = std::move(body)}) {}

    Result<ports::Page> fetch(const RequestUrl& url, int retries = 0) {
        return *run(as_optional(a_task().asking(url).retries(retries)));
    }
    Result<std::int64_t> count() { return run(marketplace->count_items(*SellerId::parse("dmont"), {})); }

    Result<ports::HttpResponse> answer;
    std::unique_ptr<ports::HttpClient> http =
        adapters::make_memory_http_client([this](const ports::HttpRequest&) { return answer; });
    std::unique_ptr<ports::Marketplace> marketplace;

  private:
    Async<std::optional<Result<ports::Page>>> as_optional(CrawlerTask task) {
        co_return co_await marketplace->fetch(std::move(task), ports::Slot{});
    }
};

std::vector<std::string> texts(const std::vector<RequestUrl>& urls) {
    std::vector<std::string> all;
    for (const auto& url : urls) all.push_back(url.text());
    return all;
}

ports::HttpResponse status(int code, std::vector<ports::HttpHeader> headers = {}) {
    return {.status = code, .headers = std::move(headers), .body = "{}"};
}

}  // namespace

TEST_CASE("mustit: a listing leads to detail and options of its items, and says how many there are", "[mustit]") {
    const auto page = Site(sample_for(listing_url)).fetch(listing_url);

    REQUIRE(page);
    CHECK(page->announced == 3464);
    CHECK(page->body == sample_for(listing_url));
    CHECK(page->follow_ups.size() == 10);
    CHECK(page->follow_ups[0] == *RequestUrl::detail(117757690));
    CHECK(page->follow_ups[1] == *RequestUrl::option(117757690));
}

TEST_CASE("mustit: an item that is on a page twice is asked for once", "[mustit]") {
    EditedAnswer answer("minishop.json");
    answer.at("/items/1") = answer.at("/items/0");

    const auto page = Site(answer.text()).fetch(listing_url);

    REQUIRE(page);
    CHECK(page->follow_ups.size() == 8);
}

TEST_CASE("mustit: a search leads to its items and to its next page, encoded once", "[mustit]") {
    const auto page = Site(sample_for(search_url)).fetch(search_url);

    REQUIRE(page);
    CHECK_FALSE(page->announced);
    CHECK(texts(page->follow_ups) ==
          std::vector<std::string>{
              "/mustit-api/facade-api/v1/item/103446837/detail/top",
              "/mustit-api/legacy-api/v1/auction_products/103446837/options",
              "/v2/api/facade/"
              "searchItems?nextApiUrl=%2Fv1%2Fsearch%2Fitems%3Fkeyword%3Ddmont%26sort%3DPOPULAR2%26f%3Dus%3ANEW"
              "%2Clwp%3AY%26pageNo%3D3%26beforeItemType%3DNormal%26previousIdx%3D0%252C0"});
}

TEST_CASE("mustit: the last page of a search leads nowhere, and none leads to itself or elsewhere", "[mustit]") {
    const auto next = [](const std::string& json) {
        return EditedAnswer("search.json").set("/nextApiUrl", json).text();
    };

    CHECK(Site(next("null")).fetch(search_url)->follow_ups.size() == 2);
    CHECK(Site(next(R"("/v1/next")")).fetch(*RequestUrl::search_next("/v1/next"), 1).error().detail ==
          "/nextApiUrl: must lead to another page than this one");
    CHECK(Site(next(R"("https://evil.example/")")).fetch(search_url, 1).error().detail.starts_with("/nextApiUrl: "));
}

TEST_CASE("mustit: detail and options are kept as they came and lead nowhere", "[mustit]") {
    for (const auto& url : {detail_url, option_url}) {
        const auto page = Site(sample_for(url)).fetch(url);

        REQUIRE(page);
        CHECK(page->body == sample_for(url));
        CHECK(page->follow_ups.empty());
        CHECK_FALSE(page->announced);
    }
}

TEST_CASE("mustit: what a status means", "[mustit]") {
    for (const auto& [code, expected] : std::vector<std::pair<int, Errc>>{{429, Errc::rate_limited},
                                                                          {401, Errc::blocked},
                                                                          {403, Errc::blocked},
                                                                          {404, Errc::not_found},
                                                                          {410, Errc::not_found},
                                                                          {500, Errc::unavailable},
                                                                          {503, Errc::unavailable},
                                                                          {599, Errc::unavailable},
                                                                          {400, Errc::invalid},
                                                                          {421, Errc::invalid},
                                                                          {301, Errc::unavailable},
                                                                          {302, Errc::unavailable}}) {
        CAPTURE(code);
        Site site(status(code));
        CHECK(site.fetch(detail_url).error().code == expected);
        CHECK(site.fetch(listing_url).error().detail == "HTTP " + std::to_string(code));
        CHECK(site.count().error().code == expected);
        CHECK(run(site.marketplace->open_session({})).error().code == expected);
    }
}

TEST_CASE("mustit: how long it asks to wait travels with the error, up to a limit", "[mustit]") {
    const auto code = GENERATE(429, 503);

    CHECK(Site(status(code, {{"Retry-After", "60"}})).fetch(detail_url).error().retry_after == 60s);
    CHECK(Site(status(code, {{"Retry-After", "86400"}})).fetch(detail_url).error().retry_after == 1h);
    CHECK_FALSE(Site(status(code)).fetch(detail_url).error().retry_after);
}

TEST_CASE("mustit: what the connection came to is what the request came to", "[mustit]") {
    const auto code = GENERATE(Errc::timeout, Errc::unavailable);
    Site site(Error{code, "why"});

    CHECK(site.fetch(detail_url).error() == Error{code, "why"});
    CHECK(site.count().error() == Error{code, "why"});
    CHECK(run(site.marketplace->open_session({})).error() == Error{code, "why"});
}

TEST_CASE("mustit: a good status with a bad body passes in the first attempt, and is believed later", "[mustit]") {
    const auto url = GENERATE(listing_url, search_url, detail_url, option_url);
    const auto body =
        GENERATE_COPY(std::string("<!DOCTYPE html><html></html>"), std::string(R"({"errorCode":"E9999"})"),
                      std::string(), sample_for(url).substr(0, 300));
    Site site(body);

    const auto first = site.fetch(url, 0);
    const auto later = site.fetch(url, 1);

    CHECK(first.error().code == Errc::unavailable);
    CHECK(later.error().code == Errc::invalid);
    CHECK(later.error().detail == first.error().detail);
}

TEST_CASE("mustit: an answer that is too long passes in the first attempt, and is believed later", "[mustit]") {
    Site cut_by_the_client(Error{Errc::invalid, "the answer is too large"});
    Site read_by_us(ports::HttpResponse{.status = 200, .headers = {}, .body = sample_for(detail_url)},
                    {.max_body = 1000});

    for (auto* site : {&cut_by_the_client, &read_by_us}) {
        CHECK(site->fetch(detail_url, 0).error().code == Errc::unavailable);
        CHECK(site->fetch(detail_url, 1).error().code == Errc::invalid);
    }
}

TEST_CASE("mustit: a detail or options with something wrong inside is kept for a better reader, once believed",
          "[mustit]") {
    const auto body = GENERATE(EditedAnswer("detail.json").remove("/moduleList/16").text(),
                               EditedAnswer("detail.json").set("/moduleList/1/data/sellingPrice", R"("무료")").text());
    Site site(body);

    CHECK(site.fetch(detail_url, 0).error().code == Errc::unavailable);
    const auto page = site.fetch(detail_url, 1);

    REQUIRE(page);
    CHECK(page->body == body);
    const auto raw = a_raw("r-1", t0).of(TaskType::product_detail).about(118005032).answering(200, page->body).build();
    CHECK(site.marketplace->read(raw).error().detail.starts_with("/moduleList"));
}

TEST_CASE("mustit: a listing with something wrong inside is never kept: nobody would ask for its items", "[mustit]") {
    Site site(EditedAnswer("minishop.json").set("/items/3/price", R"("무료")").text());

    CHECK(site.fetch(listing_url, 1).error() ==
          Error{Errc::invalid, R"(/items/3/price: must be a positive price, found "무료")"});
}

TEST_CASE("mustit: the answer about another item is not taken for the one that was asked for", "[mustit]") {
    Site detail(sample_for(detail_url));
    Site options(sample_for(option_url));

    CHECK(detail.fetch(*RequestUrl::detail(5)).error().detail ==
          "/moduleList: must be about the item that was asked for, 5, found 118005032");
    CHECK(options.fetch(*RequestUrl::option(5)).error().code == Errc::unavailable);
    const auto kept = detail.fetch(*RequestUrl::detail(5), 1);
    REQUIRE(kept);
    const auto raw = a_raw("r-1", t0).of(TaskType::product_detail).about(5).answering(200, kept->body).build();
    CHECK(code_of(detail.marketplace->read(raw)) == "INVALID");
}

TEST_CASE("mustit: items are counted by what the listing announces; a spoilt one is asked again", "[mustit]") {
    CHECK(*Site(sample_for(listing_url)).count() == 3464);
    CHECK(*Site(R"({"count":0,"items":[]})").count() == 0);
    CHECK(Site("<html>").count().error().code == Errc::unavailable);
}

TEST_CASE("mustit: a session that is not given is an answer that cannot be used", "[mustit]") {
    const std::vector<ports::HttpHeader> cookies{{"Set-Cookie", "token=t"}, {"Set-Cookie", "nid=n"}};

    const auto session = run(Site(status(200, cookies)).marketplace->open_session({}));

    CHECK(session.error() == Error{Errc::invalid, "no cookie mustit_uid was given"});
}

TEST_CASE("mustit: depth and length of what is read are limited", "[mustit]") {
    const auto raw =
        a_raw("r-1", t0).of(TaskType::product_detail).about(118005032).answering(200, sample_for(detail_url));

    CHECK(Site(status(200)).marketplace->read(raw));
    CHECK(code_of(Site(status(200), {.max_body = 100}).marketplace->read(raw)) == "INVALID");
    CHECK(code_of(Site(status(200), {.limits = {.depth = 3}}).marketplace->read(raw)) == "INVALID");
}

TEST_CASE("mustit: a base URL that is none stops the start", "[mustit]") {
    const auto url = GENERATE("", "site.example", "ftp://site.example", "https://", "https://site.example/path",
                              "https://user@site.example", "https://site.example?a=b");

    CHECK_THROWS_AS(Site(status(200), {.base_url = url}), std::runtime_error);
}

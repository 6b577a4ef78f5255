#include <stdexcept>

#include "adapters/mustit/answers.hpp"
#include "adapters/mustit/requests.hpp"
#include "ports/retry_after.hpp"

namespace crawler::adapters {
namespace {

using ports::HttpRequest;
using ports::HttpResponse;
using ports::Page;
using ports::Slot;

std::string checked_base(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    const bool is_web = url.starts_with("http://") || url.starts_with("https://");
    const auto host = is_web ? url.substr(url.find("://") + 3) : "";
    if (host.empty() || host.find_first_of("/?#@ ") != std::string::npos)
        throw std::runtime_error("the marketplace's base URL must be http:// or https:// and a host, not '" + url +
                                 "'");
    return url;
}

Errc code_of_status(int status) {
    if (status == 429) return Errc::rate_limited;
    if (status == 401 || status == 403) return Errc::blocked;
    if (status == 404 || status == 410) return Errc::not_found;
    // Somewhere else, it says: maintenance, a log-in. What was asked for is neither answered nor refused for good.
    const bool is_elsewhere = status >= 300 && status < 400;
    return is_elsewhere || status >= 500 ? Errc::unavailable : Errc::invalid;
}

class MustitMarketplace final : public ports::Marketplace {
  public:
    MustitMarketplace(MustitConfig config, ports::HttpClient& http) : config_(std::move(config)), http_(http) {
        config_.base_url = checked_base(std::move(config_.base_url));
    }

    Async<Result<std::int64_t>> count_items(SellerId seller, Slot slot) override {
        const auto url = RequestUrl::minishop(seller, 0);
        if (!url) co_return url.error();
        auto answer = co_await http_.send(mustit::ask_for(config_, *url, slot));
        if (!answer) co_return spoilt(answer.error(), true);
        if (auto refused = refusal_of(*answer)) co_return *std::move(refused);
        const auto contents = mustit::read_answer(url->type(), std::nullopt, answer->body, config_);
        if (!contents) co_return spoilt(contents.error(), true);
        co_return *contents->announced;
    }

    Async<Result<Page>> fetch(CrawlerTask task, Slot slot) override {
        const auto& url = task.state().request_url;
        const bool may_pass = task.state().retry_count == 0;
        auto answer = co_await http_.send(mustit::ask_for(config_, url, slot));
        if (!answer) co_return spoilt(answer.error(), may_pass);
        if (auto refused = refusal_of(*answer)) co_return *std::move(refused);
        auto page = look_at(url, answer->body);
        if (page) {
            page->http_status = answer->status;
            page->body = std::move(answer->body);
            co_return page;
        }
        const bool is_kept =
            !may_pass && asks_about_item(url.type()) && mustit::is_document_of(url.type(), answer->body, config_);
        if (is_kept) co_return Page{.http_status = answer->status, .body = std::move(answer->body), .follow_ups = {}};
        co_return spoilt(page.error(), may_pass);
    }

    Async<Result<Secret>> open_session(Slot slot) override {
        auto answer = co_await http_.send(mustit::ask_for_session(config_, slot));
        if (!answer) co_return answer.error();
        if (auto refused = refusal_of(*answer)) co_return *std::move(refused);
        co_return mustit::session_in(answer->headers);
    }

    Result<std::vector<Facet>> read(const CrawledRaw& raw) const override {
        const auto& state = raw.state();
        auto contents = mustit::read_answer(state.type, state.item, state.body, config_);
        if (!contents) return contents.error();
        for (auto& facet : contents->facets) {
            facet.fetched_at = state.fetched_at;
            if (state.type == TaskType::minishop) facet.seller = state.seller;
        }
        return std::move(contents->facets);
    }

  private:
    // Nothing where the marketplace answered what was asked.
    std::optional<Error> refusal_of(const HttpResponse& answer) const {
        if (answer.status >= 200 && answer.status < 300) return std::nullopt;
        return Error{code_of_status(answer.status), "HTTP " + std::to_string(answer.status),
                     ports::retry_after(answer, config_.longest_retry_after)};
    }

    static Error spoilt(Error error, bool may_pass) {
        if (error.code == Errc::invalid && may_pass) error.code = Errc::unavailable;
        return error;
    }

    // A page without its body yet: what it announces and what it says to ask next.
    Result<Page> look_at(const RequestUrl& url, std::string_view body) const {
        const auto contents = mustit::read_answer(url.type(), url.item(), body, config_);
        if (!contents) return contents.error();
        auto next = mustit::follow_ups_of(url, *contents);
        if (!next) return next.error();
        return Page{.body = {}, .follow_ups = std::move(*next), .announced = contents->announced};
    }

    MustitConfig config_;
    ports::HttpClient& http_;
};

}  // namespace

std::unique_ptr<ports::Marketplace> make_mustit_marketplace(MustitConfig config, ports::HttpClient& http) {
    return std::make_unique<MustitMarketplace>(std::move(config), http);
}

}  // namespace crawler::adapters

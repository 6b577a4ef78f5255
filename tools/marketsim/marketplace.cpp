#include "marketplace.hpp"

namespace marketsim {
namespace {

constexpr std::string_view front_page =
    "<!DOCTYPE html><html lang=\"ko\"><head><title>머스트잇</title></head><body>머스트잇</body></html>";

std::string header(const HttpRequest& request, std::string_view name) {
    return std::string(crawler::ports::find_header(request.headers, name).value_or(""));
}

std::string without_port(std::string host) {
    const auto colon = host.rfind(':');
    if (colon != std::string::npos && host.find(']', colon) == std::string::npos) host.resize(colon);
    return host;
}

HttpResponse page_of(std::string html) {
    return {.status = 200, .headers = {{"Content-Type", "text/html;charset=UTF-8"}}, .body = std::move(html)};
}

// A JSON document that is still one, only larger than anybody should read.
std::string padded(std::string body, std::size_t size) {
    if (body.size() < size) body.insert(body.size() - 1, size - body.size(), ' ');
    return body;
}

constexpr SimTime injected_wait = std::chrono::seconds{60};

}  // namespace

Marketplace::Outcome Marketplace::handle(const HttpRequest& request, SimTime now) {
    Outcome outcome{.answer = {}, .outcome = "refused", .spoilt = std::nullopt};
    const auto user_agent = header(request, "User-Agent");
    auto question = read_question(request.url, parts_.catalogue);
    auto* bad = std::get_if<NoQuestion>(&question);
    outcome.place = bad ? bad->place : std::get<Question>(question).place;

    if (auto away = turn_away(request, user_agent, now)) {
        outcome.answer = *std::move(away);
        return outcome;
    }
    if (outcome.place != Place::root && outcome.place != Place::elsewhere) {
        using enum Sessions::Standing;
        const auto standing = parts_.sessions.check(user_agent, read_cookies(header(request, "Cookie")), now);
        if (standing != good) {
            outcome.answer = refusal(401, standing == expired ? "TOKEN_EXPIRED" : "TOKEN_MISSING",
                                     "the cookies token, nid and mustit_uid that GET / gave to this User-Agent are "
                                     "needed, and no others");
            return outcome;
        }
    }
    if (bad) {
        outcome.answer = std::move(bad->answer);
        return outcome;
    }

    const auto& asked = std::get<Question>(question);
    const auto fate = parts_.faults.decide(asked.place, asked.place == Place::root ? user_agent : request.url);
    outcome.latency = fate.latency;
    outcome.outcome = "answered";
    if (fate.fault) {
        suffer(outcome, *fate.fault, asked, user_agent, now);
    } else {
        outcome.answer = answer(asked, user_agent, {}, now);
    }
    // Not what a client may rightly give up.
    if (!fate.fault || *fate.fault == Fault::numbers_as_strings) note_listed(asked);
    return outcome;
}

// Whoever reaches us counts, whatever is asked and however it is answered. A wrong Host never would reach the real thing, and without a
// User-Agent there is nobody to count.
std::optional<HttpResponse> Marketplace::turn_away(const HttpRequest& request, const std::string& user_agent,
                                                   SimTime now) {
    const auto host = without_port(header(request, "Host"));
    if (!parts_.hosts.empty() && !parts_.hosts.contains(host))
        return refusal(421, "UNKNOWN_HOST", "'" + host + "' is not a host of this marketplace");
    if (user_agent.empty()) return refusal(400, "NO_USER_AGENT", "a browser says who it is");
    if (const auto wait = parts_.judge.arrive(user_agent, now)) return too_many(real_time(*wait, parts_.time_factor));
    if (request.method != "GET") return refusal(405, "METHOD_NOT_ALLOWED", "only GET is understood here");
    return std::nullopt;
}

void Marketplace::note_listed(const Question& question) {
    if (question.place != Place::listing) return;
    const auto first = question.page * listing_page_size;
    for (const auto item : parts_.catalogue.page(question.seller, first, listing_page_size)) parts_.listed.note(item);
}

HttpResponse Marketplace::answer(const Question& question, const std::string& user_agent, Quirks quirks, SimTime now) {
    ++tick_;
    const auto& catalogue = parts_.catalogue;
    switch (question.place) {
        case Place::listing:
            return json_answer(200, listing_body(catalogue, question.seller, question.page, tick_, quirks));
        case Place::search:
            return json_answer(200, search_body(catalogue, question.keyword, question.page, tick_, quirks));
        case Place::detail:
            return json_answer(200, detail_body(catalogue.product(question.item), tick_, quirks));
        case Place::options:
            return json_answer(200, options_body(catalogue.product(question.item), quirks));
        case Place::root:
        case Place::elsewhere:
        case Place::product_server:
            break;
    }
    auto response = page_of(std::string(front_page));
    const auto cookies = parts_.sessions.open(user_agent, now);
    for (auto& cookie : parts_.sessions.headers(cookies, parts_.time_factor))
        response.headers.push_back({"Set-Cookie", std::move(cookie)});
    return response;
}

void Marketplace::suffer(Outcome& outcome, Fault fault, const Question& question, const std::string& user_agent,
                         SimTime now) {
    outcome.outcome = to_string(fault);
    Quirks quirks;
    switch (fault) {
        case Fault::throttled:
            outcome.answer = too_many(real_time(injected_wait, parts_.time_factor));
            return;
        case Fault::error_500:
            outcome.answer = refusal(500, "INTERNAL_ERROR", "something broke");
            return;
        case Fault::error_503:
            outcome.answer = refusal(503, "UNAVAILABLE", "closed for a moment");
            return;
        case Fault::not_json:
            outcome.answer = page_of(std::string(front_page));
            return;
        case Fault::error_body:
            outcome.answer = json_answer(200, R"({"errorCode":"E9999","message":"일시적인 오류가 발생했습니다."})");
            return;
        case Fault::token_dies:
            parts_.sessions.kill(user_agent);
            outcome.answer = refusal(401, "TOKEN_EXPIRED", "the token is no longer good");
            return;
        case Fault::numbers_as_strings:
            quirks.numbers_as_strings = true;
            break;
        case Fault::missing_module:
            quirks.missing_module = true;
            break;
        case Fault::reset:
        case Fault::slow_body:
        case Fault::truncated_body:
            outcome.spoilt = fault;
            break;
        case Fault::huge_body:
        case Fault::accepted_then_silent:
        case Fault::conflict:
        case Fault::unprocessable:
            break;
    }
    outcome.answer = answer(question, user_agent, quirks, now);
    if (fault == Fault::huge_body)
        outcome.answer.body = padded(std::move(outcome.answer.body), parts_.faults.settings().huge_body);
}

}  // namespace marketsim

#include "product_server.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <charconv>

#include "changed_fields.hpp"

namespace marketsim {
namespace {

namespace json = boost::json;
using crawler::ports::HttpRequest;
using crawler::ports::HttpResponse;

constexpr std::size_t longest_key = 200;

HttpResponse respond(int status, const json::object& body) {
    return {.status = status, .headers = {{"content-type", "application/json"}}, .body = json::serialize(body)};
}

HttpResponse respond(const RefusedEvent& refusal) {
    json::object body{{"errorCode", refusal.code}, {"message", refusal.what()}};
    if (refusal.current_version) body["currentVersion"] = *refusal.current_version;
    auto response = respond(refusal.status, body);
    if (refusal.status == 405) response.headers.push_back({"allow", "GET, POST, PUT, DELETE"});
    if (refusal.status == 401) response.headers.push_back({"www-authenticate", "Bearer"});
    return response;
}

json::object state_of(ItemNo item, std::int64_t version, bool is_live) {
    return {{"itemNo", item}, {"version", version}, {"deleted", !is_live}};
}

ItemNo item_of(std::string_view path) {
    constexpr std::string_view folder = "/products/";
    if (path.starts_with(folder)) {
        const auto digits = path.substr(folder.size());
        ItemNo item = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), item);
        if (read.ec == std::errc{} && read.ptr == digits.data() + digits.size() && item > 0 && digits.front() != '0')
            return item;
    }
    throw RefusedEvent(404, "NOT_FOUND", "the path must be /products/{itemNo}");
}

void check_method(std::string_view method) {
    constexpr std::array<std::string_view, 4> known{"GET", "POST", "PUT", "DELETE"};
    if (std::ranges::find(known, method) == known.end())
        throw RefusedEvent(405, "METHOD_NOT_ALLOWED", "the method must be GET, POST, PUT or DELETE");
}

std::string_view idempotency_key(const HttpRequest& request) {
    const auto key = crawler::ports::find_header(request.headers, "Idempotency-Key");
    const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
    if (!key || key->empty() || key->size() > longest_key || !std::ranges::all_of(*key, is_printable))
        throw RefusedEvent(400, "INVALID_IDEMPOTENCY_KEY", "Idempotency-Key must have 1 to 200 printable characters");
    return *key;
}

}  // namespace

ProductServer::ProductServer(const Catalogue& catalogue, const ListedItems& listed, std::string api_key)
    : catalogue_(catalogue), listed_(listed), authorization_("Bearer " + std::move(api_key)), ledger_(catalogue) {}

HttpResponse ProductServer::handle(const HttpRequest& request, std::string_view path, SimTime now) {
    const bool is_event = request.method != "GET";
    if (is_event) ++counts_.received;
    try {
        return answer(request, path, now);
    } catch (const RefusedEvent& refusal) {
        if (is_event) ++counts_.refused[refusal.status];
        return respond(refusal);
    }
}

HttpResponse ProductServer::answer(const HttpRequest& request, std::string_view path, SimTime now) {
    const auto item = item_of(path);
    check_method(request.method);
    if (crawler::ports::find_header(request.headers, "Authorization") != authorization_)
        throw RefusedEvent(401, "UNAUTHORIZED", "Authorization must be Bearer and the key of this server");
    if (request.method == "GET") return tell(item);

    const auto key = fingerprint_of(idempotency_key(request));
    const auto event = read_event(request.body);
    check_route(event, request.method, item);
    check_catalogue(event);
    check_changes(event);

    const auto body = fingerprint_of(request.body).first;
    if (const auto known = keys_.find(key); known != keys_.end()) {
        if (known->second != body)
            throw RefusedEvent(422, "IDEMPOTENCY_KEY_REUSED", "this Idempotency-Key came with another body before");
        ++counts_.replays;
        return respond(200, {{"replayed", true}, {"itemNo", event.item}, {"version", event.version}});
    }
    auto response = take(event, now);
    keys_.emplace(key, body);
    return response;
}

HttpResponse ProductServer::tell(ItemNo item) const {
    const auto* held = ledger_.find(item);
    if (held == nullptr) throw RefusedEvent(404, "NOT_CREATED", "this product was never created");
    return respond(200, state_of(item, held->version, held->is_live));
}

HttpResponse ProductServer::take(const ProductEvent& event, SimTime now) {
    check_order(event);
    if (event.kind == EventKind::updated) {
        const auto named = judge_changes(catalogue_, *ledger_.find(event.item), event);
        if (named.missed) ++counts_.fields_missed;
        if (named.invented) ++counts_.fields_invented;
    }
    const auto effect = ledger_.apply(event, now);
    ++counts_.applied;
    ++counts_.by_kind[static_cast<std::size_t>(event.kind)];
    if (!effect.is_any) ++counts_.duplicates;
    if (effect.went_back) ++counts_.went_back;
    return respond(event.kind == EventKind::created ? 201 : 200,
                   state_of(event.item, event.version, event.kind != EventKind::deleted));
}

void ProductServer::check_catalogue(const ProductEvent& event) {
    if (!catalogue_.has_been(event.item)) {
        ++counts_.unknown;
        throw RefusedEvent(404, "UNKNOWN_ITEM", "'/itemNo' must be a product of the marketplace");
    }
    const auto seller = Catalogue::seller_id(catalogue_.seller_of(event.item));
    if (event.seller_id != seller) throw RefusedEvent(400, "INVALID_EVENT", "'/sellerId' must be " + seller);
}

void ProductServer::check_order(const ProductEvent& event) {
    const auto* held = ledger_.find(event.item);
    if (held == nullptr) {
        if (event.kind == EventKind::created) return;
        ++counts_.unknown;
        throw RefusedEvent(404, "NOT_CREATED", "this product was never created");
    }
    const auto current = held->version;
    if (event.version < current) ++counts_.out_of_order;
    const bool creates_again = event.version > current && event.kind == EventKind::created && held->is_live;
    if (event.version == current || creates_again) ++counts_.duplicates;
    if (event.version <= current)
        throw RefusedEvent(409, "VERSION_CONFLICT", "'/version' must be above the current one", current);
    if (creates_again)
        throw RefusedEvent(409, "ALREADY_EXISTS", "this product was created and is not deleted", current);
    if (event.kind == EventKind::updated && !held->is_live)
        throw RefusedEvent(409, "DELETED", "this product is deleted", current);
}

ItemsAudit ProductServer::audit_items(std::optional<int> seller, std::size_t most_details) const {
    return {{.catalogue = catalogue_, .ledger = ledger_, .listed = listed_}, seller, most_details};
}

json::object ProductServer::items_report(SimTime now, std::optional<int> seller, std::size_t most_details) const {
    auto audit = audit_items(seller, most_details);
    while (audit.step(now)) continue;
    return std::move(audit).report();
}

json::object ProductServer::events_report() const {
    json::object refused;
    for (const auto& [status, count] : counts_.refused) refused[std::to_string(status)] = count;
    return {{"received", counts_.received},
            {"applied", counts_.applied},
            {"replays", counts_.replays},
            {"duplicates", counts_.duplicates},
            {"outOfOrder", counts_.out_of_order},
            {"wentBack", counts_.went_back},
            {"fieldsMissed", counts_.fields_missed},
            {"fieldsInvented", counts_.fields_invented},
            {"unknown", counts_.unknown},
            {"refused", std::move(refused)},
            {"created", counts_.by_kind[0]},
            {"updated", counts_.by_kind[1]},
            {"deleted", counts_.by_kind[2]}};
}

}  // namespace marketsim

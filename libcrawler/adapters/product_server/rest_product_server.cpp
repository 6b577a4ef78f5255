#include <stdexcept>

#include "adapters/product_server/product_server.hpp"
#include "codec/canonical.hpp"
#include "codec/pick.hpp"
#include "domain/product_event.hpp"
#include "ports/retry_after.hpp"

namespace crawler::adapters {
namespace {

using codec::Member;
using codec::Rule;
using codec::Shape;
using ports::HttpRequest;
using ports::HttpResponse;

constexpr std::string_view item_place = "{itemNo}";

// What of an event decides where it goes.
struct Head {
    ProductEventType type{};
    std::string item;
    std::int64_t version = 0;
};

Result<Head> head_of(const OutboxEntry::State& entry) {
    constexpr std::size_t type_slot = 0, item_slot = 1, version_slot = 2;
    static constexpr std::array members{Member{.name = "eventType", .rule = Rule::name, .slot = type_slot},
                                        Member{.name = "itemNo", .rule = Rule::number, .slot = item_slot},
                                        Member{.name = "version", .rule = Rule::number, .slot = version_slot}};
    static constexpr Shape event{.members = members};
    const auto picked = codec::pick({.root = &event, .slots = members.size()}, entry.payload);
    if (!picked) return Error{Errc::invalid, "the payload cannot be sent: " + picked.error().detail};
    const auto values = picked->document();
    const auto name = codec::unquoted(values[type_slot]);
    const auto type = name ? parse<ProductEventType>(*name) : std::nullopt;
    if (!type) return Error{Errc::invalid, "the payload cannot be sent: /eventType is none that there is"};
    if (values[item_slot] != entry.subject)
        return Error{Errc::invalid, "the payload cannot be sent: it is about " + std::string(values[item_slot]) +
                                        ", its entry about " + entry.subject};
    return Head{*type, entry.subject, values.number(version_slot)};
}

void check(const ProductRoute& route) {
    const bool is_path = route.path.starts_with('/') && route.path.find(item_place) != std::string::npos;
    if (route.method.empty() || !is_path)
        throw std::runtime_error("a route of the product server must be a method and a path with {itemNo}, not '" +
                                 route.method + " " + route.path + "'");
}

bool may_come_later(int status) {
    return status == 408 || status == 425 || status == 429 || status >= 500;
}

Errc code_of_status(int status) {
    if (status == 429) return Errc::rate_limited;
    if (status == 408) return Errc::timeout;
    return may_come_later(status) ? Errc::unavailable : Errc::invalid;
}

class RestProductServer final : public ports::ProductServer {
  public:
    RestProductServer(ProductServerConfig config, ports::HttpClient& http) : config_(std::move(config)), http_(http) {
        while (config_.base_url.ends_with('/')) config_.base_url.pop_back();
        if (!config_.base_url.starts_with("http://") && !config_.base_url.starts_with("https://"))
            throw std::runtime_error("the product server's base URL must begin with http:// or https://, not '" +
                                     config_.base_url + "'");
        for (const auto& route : {config_.created, config_.updated, config_.deleted}) check(route);
    }

    Async<Result<>> push(OutboxEntry entry) override {
        const auto head = head_of(entry.state());
        if (!head) co_return head.error();
        const auto answer = co_await http_.send(request_for(*head, entry.state()));
        if (!answer) co_return answer.error();
        co_return outcome_of(*answer, head->version);
    }

  private:
    const ProductRoute& route_for(ProductEventType type) const {
        if (type == ProductEventType::created) return config_.created;
        return type == ProductEventType::updated ? config_.updated : config_.deleted;
    }

    HttpRequest request_for(const Head& head, const OutboxEntry::State& entry) const {
        const auto& route = route_for(head.type);
        auto path = route.path;
        path.replace(path.find(item_place), item_place.size(), head.item);
        HttpRequest request{
            .method = route.method, .url = config_.base_url + path, .headers = {}, .body = entry.payload};
        request.headers = {{"Content-Type", "application/json"},
                           {"Accept", "application/json"},
                           {"Idempotency-Key", entry.idempotency_key}};
        if (!config_.auth_value.empty()) request.headers.push_back({config_.auth_header, config_.auth_value.reveal()});
        return request;
    }

    Result<> outcome_of(const HttpResponse& answer, std::int64_t version) const {
        if (answer.status >= 200 && answer.status < 300) return {};
        if (answer.status == 409 && current_version(answer.body) >= version) return {};
        return Error{code_of_status(answer.status), words_of(answer),
                     ports::retry_after(answer, config_.longest_retry_after)};
    }

    // 0 where it says none.
    std::int64_t current_version(std::string_view body) const {
        const std::array members{Member{.name = config_.current_version_key, .rule = Rule::number}};
        const Shape conflict{.members = members};
        const auto picked = codec::pick({.root = &conflict, .slots = 1}, body);
        return picked ? picked->document().number(0) : 0;
    }

    std::string words_of(const HttpResponse& answer) const {
        auto words = "HTTP " + std::to_string(answer.status) + ": " + answer.body.substr(0, config_.kept_body);
        if (answer.body.size() > config_.kept_body) words += "...";
        return words;
    }

    ProductServerConfig config_;
    ports::HttpClient& http_;
};

}  // namespace

std::unique_ptr<ports::ProductServer> make_rest_product_server(ProductServerConfig config, ports::HttpClient& http) {
    return std::make_unique<RestProductServer>(std::move(config), http);
}

}  // namespace crawler::adapters

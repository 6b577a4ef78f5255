#include "codec/payload.hpp"

#include "codec/changes.hpp"
#include "codec/diff.hpp"
#include "codec/fields.hpp"
#include "codec/pick.hpp"
#include "domain/schedule_rule.hpp"

namespace crawler::codec {
namespace {

void write_facet(CanonicalWriter& writer, std::string_view key, std::string_view canonical) {
    if (!canonical.empty()) writer.key(key).fragment(canonical);
}

using Facets = std::array<std::string, 3>;

// Where the names of the facets stand in canonical order.
constexpr std::array facet_order{FacetKind::detail, FacetKind::listing, FacetKind::option};
std::string_view facet_key(FacetKind kind) {
    return path_of(kind).substr(1);
}
template <class Texts>
auto& text_of(Texts& facets, FacetKind kind) {
    return facets[static_cast<std::size_t>(kind)];
}

bool read_facets(Facets& out, std::string_view object) {
    const Fields facets(object);
    std::size_t known = 0;
    for (const auto kind : facet_order) {
        text_of(out, kind) = facets[facet_key(kind)];
        known += text_of(out, kind).empty() ? 0 : 1;
    }
    return facets.is_good() && facets.size() == known;
}

// Every field of the product, as a change from nothing.
Result<FieldDiff> content_of(const Facets& facets) {
    FieldDiff all;
    for (const auto kind : facet_order) {
        if (text_of(facets, kind).empty()) continue;
        const auto fields = diff({}, text_of(facets, kind), path_of(kind));
        if (!fields) return fields.error();
        all = all.then(*fields);
    }
    return all;
}

// What an order for the scheduler must have.
enum ScheduleSlot : std::size_t {
    event_type,
    rule_name,
    schedule_expression,
    target_arn,
    input_seller,
    schedule_slots
};
constexpr auto input_members = std::to_array<Member>({{.name = "sellerId", .rule = Rule::name, .slot = input_seller}});
constexpr Shape input_shape{.members = input_members};
constexpr auto schedule_members =
    std::to_array<Member>({{.name = "eventType", .rule = Rule::name, .slot = event_type},
                           {.name = "ruleName", .rule = Rule::name, .slot = rule_name},
                           {.name = "scheduleExpression", .rule = Rule::name, .slot = schedule_expression},
                           {.name = "targetArn", .need = Need::optional, .rule = Rule::name, .slot = target_arn},
                           {.name = "input", .inside = &input_shape}});
constexpr Shape schedule_shape{.members = schedule_members};

}  // namespace

ProductPayload payload_of(ProductEvent event, const Product& product) {
    ProductPayload payload{.event = std::move(event), .facets = {}};
    for (const auto kind : facet_order) {
        if (const auto& known = product.facet(kind)) text_of(payload.facets, kind) = known->canonical;
    }
    return payload;
}

std::string write_product_payload(const ProductPayload& payload) {
    const auto& event = payload.event;
    std::string out;
    out.reserve(512 + payload.facets[0].size() + payload.facets[1].size() + payload.facets[2].size());
    CanonicalWriter writer(out);
    writer.begin_object().key("changedFields");
    static const FieldDiff unsaid;
    write_changes(writer, event.type == ProductEventType::created ? unsaid : event.diff);
    writer.key("eventType").text(to_string(event.type)).key("itemNo").number(event.item);
    writer.key("occurredAt").text(to_rfc3339(event.occurred_at));
    writer.key("productData").begin_object();
    for (const auto kind : facet_order) write_facet(writer, facet_key(kind), text_of(payload.facets, kind));
    writer.end_object();
    writer.key("reason").text(to_string(event.reason)).key("sellerId").text(event.seller.value());
    writer.key("version").number(event.version).end_object();
    return out;
}

Result<ProductPayload> read_product_payload(std::string_view text) {
    const auto wrong = [](std::string_view what) {
        return Error{Errc::invalid, "product payload: " + std::string(what) + " is not as it was written"};
    };
    const Fields fields(text);
    if (!fields.is_good() || fields.size() != 8) return wrong("the whole");
    std::string seller_text;
    if (!read_text(seller_text, fields["sellerId"])) return wrong("/sellerId");
    auto seller = SellerId::parse(std::move(seller_text));
    if (!seller) return wrong("/sellerId");

    ProductPayload payload{.event = {.seller = *std::move(seller)}, .facets = {}};
    auto& event = payload.event;
    auto changes = read_changes(fields["changedFields"]);
    if (!changes) return wrong("/changedFields");
    event.diff = *std::move(changes);
    if (!read_word(event.type, fields["eventType"])) return wrong("/eventType");
    if (!read_number(event.item, fields["itemNo"])) return wrong("/itemNo");
    if (!read_time(event.occurred_at, fields["occurredAt"])) return wrong("/occurredAt");
    if (!read_facets(payload.facets, fields["productData"])) return wrong("/productData");
    if (!read_word(event.reason, fields["reason"])) return wrong("/reason");
    if (!read_number(event.version, fields["version"])) return wrong("/version");
    if (event.type == ProductEventType::created) {
        if (!event.diff.empty()) return wrong("/changedFields");
        auto content = content_of(payload.facets);
        if (!content) return wrong("/productData");
        event.diff = *std::move(content);
    }
    return payload;
}

std::string write_schedule_payload(const SchedulePayload& payload) {
    std::string out;
    CanonicalWriter writer(out);
    writer.begin_object().key("eventType").text(to_string(payload.type));
    writer.key("input").begin_object().key("sellerId").text(payload.seller).end_object();
    writer.key("ruleName").text(payload.rule_name);
    writer.key("scheduleExpression").text(payload.schedule_expression);
    if (!payload.target_arn.empty()) writer.key("targetArn").text(payload.target_arn);
    writer.end_object();
    return out;
}

Result<SchedulePayload> read_schedule_payload(std::string_view text) {
    const auto picked = pick({.root = &schedule_shape, .slots = schedule_slots}, text);
    if (!picked) return Error{Errc::invalid, "schedule payload: " + picked.error().detail};
    const auto document = picked->document();
    SchedulePayload payload;
    if (!read_word(payload.type, document[event_type]))
        return Error{Errc::invalid, "schedule payload: /eventType: " + std::string(document[event_type]) +
                                        " is none of SCHEDULE_CREATED, SCHEDULE_UPDATED and SCHEDULE_DELETED"};
    // The fragments are our own, just picked: they are texts.
    read_text(payload.rule_name, document[rule_name]);
    read_text(payload.schedule_expression, document[schedule_expression]);
    if (!document[target_arn].empty()) read_text(payload.target_arn, document[target_arn]);
    read_text(payload.seller, document[input_seller]);
    if (!is_rule_name(payload.rule_name))
        return Error{Errc::invalid, "schedule payload: /ruleName: '" + payload.rule_name + "' cannot be a rule's name"};
    if (const auto rate = parse_rate(payload.schedule_expression); !rate)
        return Error{Errc::invalid, "schedule payload: /scheduleExpression: " + rate.error().detail};
    return payload;
}

}  // namespace crawler::codec

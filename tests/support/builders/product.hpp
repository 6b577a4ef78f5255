// Products and facets for tests, with canonical texts that are flat JSON objects: {"name":"가방","price":1000}. Needs the
// domain alone.
#pragma once
#include <map>

#include "domain/product.hpp"
#include "domain/stable_hash.hpp"

namespace crawler::test {

using Fields = std::map<std::string, std::string>;

// The fields of a flat object whose values hold neither comma nor colon. No text has none; an object without any is one
// itself, so that "fetched, and empty" can be told from "not there".
inline Fields fields_of(std::string_view text) {
    if (text.empty()) return {};
    if (text == "{}") return {{"", "{}"}};
    Fields fields;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const auto field = text.substr(0, text.find(','));
        const auto colon = field.find(':');
        fields.emplace("/" + std::string(field.substr(1, colon - 2)), field.substr(colon + 1));
        text.remove_prefix(std::min(text.size(), field.size() + 1));
    }
    return fields;
}

inline FieldDiff diff_fields(const Fields& before, const Fields& after) {
    std::vector<FieldChange> changes;
    for (const auto& [path, value] : before) {
        const auto now = after.find(path);
        changes.push_back({path, value, now == after.end() ? std::nullopt : std::optional(now->second)});
    }
    for (const auto& [path, value] : after) {
        if (!before.contains(path)) changes.push_back({path, std::nullopt, value});
    }
    return FieldDiff(std::move(changes));
}

inline Result<FieldDiff> flat_diff(std::string_view before, std::string_view after) {
    for (const auto text : {before, after}) {
        if (!text.empty() && !text.starts_with('{')) return Error{Errc::invalid, "not canonical: " + std::string(text)};
    }
    return diff_fields(fields_of(before), fields_of(after));
}

// Stands for the SHA-256 of the text.
inline Digest digest_of(std::string_view text) {
    Digest digest;
    for (std::size_t i = 0; i < digest.bytes.size(); ++i)
        digest.bytes[i] = static_cast<std::uint8_t>(stable_hash(text, i));
    return digest;
}

class FacetBuilder {
  public:
    explicit FacetBuilder(FacetKind kind) { facet_.kind = kind; }
    explicit FacetBuilder(Facet facet) : facet_(std::move(facet)) {}
    FacetBuilder& of_item(ItemNo item) { return facet_.item = item, *this; }
    FacetBuilder& saying(const std::string& canonical) {
        facet_.canonical = canonical;
        facet_.digest = digest_of(canonical);
        return *this;
    }
    FacetBuilder& fetched(TimePoint at) { return facet_.fetched_at = at, *this; }
    FacetBuilder& naming(const std::string& seller) { return facet_.seller = *SellerId::parse(seller), *this; }
    FacetBuilder& partial() { return facet_.partial = true, *this; }
    Facet build() const { return facet_; }
    operator Facet() const { return facet_; }

  private:
    static constexpr std::string_view usual_text = R"({"name":"가방"})";
    Facet facet_{.item = 4711,
                 .canonical = std::string(usual_text),
                 .digest = digest_of(usual_text),
                 .fetched_at = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 11 / 18}}};
};
inline FacetBuilder a_listing() {
    return FacetBuilder(FacetKind::listing);
}
inline FacetBuilder a_detail() {
    return FacetBuilder(FacetKind::detail);
}
inline FacetBuilder an_option() {
    return FacetBuilder(FacetKind::option);
}

class ProductBuilder {
  public:
    ProductBuilder& of_item(ItemNo item) { return state_.item = item, *this; }
    ProductBuilder& of_seller(const std::string& seller) { return state_.seller = *SellerId::parse(seller), *this; }
    // Who an answer to his own crawl, fetched then, said is its seller.
    ProductBuilder& named(const std::string& seller, TimePoint at) {
        return state_.named = Naming{true, at}, of_seller(seller);
    }
    ProductBuilder& knowing(const Facet& facet) {
        state_.facets[static_cast<std::size_t>(facet.kind)] =
            KnownFacet{facet.digest, 1, facet.fetched_at, facet.canonical, facet.partial};
        ++state_.version;
        return *this;
    }
    // All three facets, fetched then.
    ProductBuilder& complete(TimePoint at) {
        return knowing(a_listing().fetched(at)).knowing(a_detail().fetched(at)).knowing(an_option().fetched(at));
    }
    ProductBuilder& missing(TimePoint newest, std::optional<TimePoint> before = {}) {
        return state_.missing_at = {newest, before}, *this;
    }
    ProductBuilder& gone(TimePoint at) { return state_.gone_at = at, *this; }
    Product build() const { return Product::restore(state_); }
    operator Product() const { return build(); }

  private:
    Product::State state_{.item = 4711, .seller = *SellerId::parse("shop-1"), .facets = {}, .missing_at = {}};
};
inline ProductBuilder a_product() {
    return {};
}

}  // namespace crawler::test

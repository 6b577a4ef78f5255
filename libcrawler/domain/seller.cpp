#include "domain/seller.hpp"

#include "domain/text_rules.hpp"

namespace crawler {
namespace {

constexpr TextLimits id_limits{.bytes = 100, .characters = 100};
constexpr TextLimits name_limits{.bytes = 800, .characters = 200};
constexpr TextLimits code_limits{.bytes = 400, .characters = 100};

}  // namespace

Result<SellerId> SellerId::parse(std::string text) {
    if (auto fine = check_text("sellerId", text, id_limits); !fine) return fine.error();
    return SellerId(std::move(text));
}

Result<CrawlingInterval> CrawlingInterval::days(int count) {
    if (count < 1 || count > 30)
        return Error{Errc::invalid, "crawlingInterval is " + std::to_string(count) + " days; it must be from 1 to 30"};
    return CrawlingInterval(count);
}

Result<Seller> Seller::enroll(SellerId id, std::string name, CrawlingInterval interval, TimePoint now,
                              std::optional<std::string> external_code) {
    if (auto fine = check_text("seller " + id.value() + ": name", name, name_limits); !fine) return fine.error();
    if (external_code) {
        const auto fine = check_text("seller " + id.value() + ": external seller code", *external_code, code_limits);
        if (!fine) return fine.error();
    }
    return Seller(State{.id = std::move(id),
                        .name = std::move(name),
                        .interval = interval,
                        .external_code = std::move(external_code),
                        .created_at = now,
                        .updated_at = now});
}

Result<> Seller::rename(std::string name, TimePoint now) {
    if (auto fine = check_text("seller " + state_.id.value() + ": name", name, name_limits); !fine) return fine;
    if (auto moved = move(SellerVerb::rename, state_.status, now); !moved) return moved;
    state_.name = std::move(name);
    return {};
}

Result<> Seller::change_interval(CrawlingInterval interval, TimePoint now) {
    if (!seller_table.allows(state_.status, SellerVerb::change_interval)) {
        auto refused = seller_table.refusal(state_.status, SellerVerb::change_interval, state_.id.value());
        refused.detail += ": its schedule is not ACTIVE";
        return refused;
    }
    if (interval == state_.interval) return {};
    state_.interval = interval;
    return move(SellerVerb::change_interval, SellerStatus::active, now);
}

Result<> Seller::activate(TimePoint now) {
    return move(SellerVerb::activate, SellerStatus::active, now);
}

Result<> Seller::deactivate(TimePoint now) {
    return move(SellerVerb::deactivate, SellerStatus::inactive, now);
}

Result<> Seller::announce_total(std::int64_t products, TimePoint now) {
    if (products < 0)
        return Error{Errc::invalid,
                     "seller " + state_.id.value() + ": cannot have " + std::to_string(products) + " products"};
    state_.total_product_count = products;
    state_.updated_at = now;
    return {};
}

Result<> Seller::may_be_crawled() const {
    if (seller_table.allows(state_.status, SellerVerb::crawl)) return {};
    return seller_table.refusal(state_.status, SellerVerb::crawl, state_.id.value());
}

Result<> Seller::move(SellerVerb verb, SellerStatus to, TimePoint now) {
    if (auto moved = seller_table.move(state_.status, verb, to, state_.id.value()); !moved) return moved;
    state_.updated_at = now;
    return {};
}

}  // namespace crawler

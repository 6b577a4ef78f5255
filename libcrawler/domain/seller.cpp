#include "domain/seller.hpp"

namespace crawler {
namespace {

bool is_blank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

}  // namespace

Result<SellerId> SellerId::parse(std::string text) {
    if (is_blank(text)) return Error{Errc::invalid, "sellerId must not be blank"};
    return SellerId(std::move(text));
}

Result<CrawlingInterval> CrawlingInterval::days(int count) {
    if (count < 1 || count > 30)
        return Error{Errc::invalid, "crawlingInterval is " + std::to_string(count) + " days; it must be from 1 to 30"};
    return CrawlingInterval(count);
}

Result<Seller> Seller::enroll(SellerId id, std::string name, CrawlingInterval interval, TimePoint now) {
    if (is_blank(name)) return Error{Errc::invalid, "seller " + id.value() + ": name must not be blank"};
    return Seller(State{
        .id = std::move(id), .name = std::move(name), .interval = interval, .created_at = now, .updated_at = now});
}

Result<> Seller::may_be_crawled() const {
    if (state_.status == SellerStatus::active) return {};
    return Error{Errc::invalid, "seller " + state_.id.value() + " is " + std::string(to_string(state_.status)) +
                                    "; only an ACTIVE seller is crawled"};
}

void Seller::announce_total(std::int64_t products, TimePoint now) {
    state_.total_product_count = products;
    state_.updated_at = now;
}

}  // namespace crawler

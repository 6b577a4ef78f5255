// A seller of the marketplace whose catalogue we crawl.
#pragma once
#include <compare>
#include <cstdint>
#include <string>

#include "domain/enum_names.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler {

// The marketplace's own name for a seller: never blank.
class SellerId {
  public:
    static Result<SellerId> parse(std::string text);
    const std::string& value() const { return value_; }

    friend auto operator<=>(const SellerId&, const SellerId&) = default;

  private:
    explicit SellerId(std::string value) : value_(std::move(value)) {}
    std::string value_;
};

// How often a catalogue is crawled: whole days, 1 to 30.
class CrawlingInterval {
  public:
    static Result<CrawlingInterval> days(int count);
    int count() const { return days_; }

    friend auto operator<=>(const CrawlingInterval&, const CrawlingInterval&) = default;

  private:
    explicit CrawlingInterval(int days) : days_(days) {}
    int days_;
};

enum class SellerStatus { active, inactive };
constexpr auto names(SellerStatus) {
    return std::to_array<EnumName<SellerStatus>>(
        {{SellerStatus::active, "ACTIVE"}, {SellerStatus::inactive, "INACTIVE"}});
}

class Seller {
  public:
    struct State {
        SellerId id;
        std::string name;
        CrawlingInterval interval;
        SellerStatus status = SellerStatus::active;
        std::int64_t total_product_count = 0;
        TimePoint created_at;
        TimePoint updated_at;
        std::int64_t revision = 0;  // counts saves; a store saves only what nobody else saved since
    };

    static Result<Seller> enroll(SellerId id, std::string name, CrawlingInterval interval, TimePoint now);
    static Seller restore(State state) { return Seller(std::move(state)); }

    // Invalid for an INACTIVE seller: it is not crawled.
    Result<> may_be_crawled() const;
    void announce_total(std::int64_t products, TimePoint now);

    const State& state() const { return state_; }

  private:
    explicit Seller(State state) : state_(std::move(state)) {}
    State state_;
};

}  // namespace crawler

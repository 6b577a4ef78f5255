// A seller of the marketplace whose catalogue we crawl.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "domain/state_table.hpp"
#include "domain/time.hpp"

namespace crawler {

// The marketplace's own name for a seller, exactly as it writes it: UTF-8 that is not blank, without control
// characters, at most 100 bytes.
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
    CrawlingInterval() = default;  // daily
    static Result<CrawlingInterval> days(int count);
    int count() const { return days_; }

    friend auto operator<=>(const CrawlingInterval&, const CrawlingInterval&) = default;

  private:
    explicit CrawlingInterval(int days) : days_(days) {}
    int days_ = 1;
};

enum class SellerStatus { active, inactive };
constexpr auto names(SellerStatus) {
    return std::to_array<EnumName<SellerStatus>>(
        {{SellerStatus::active, "ACTIVE"}, {SellerStatus::inactive, "INACTIVE"}});
}

enum class SellerVerb { rename, change_interval, activate, deactivate, crawl };
constexpr auto names(SellerVerb) {
    return std::to_array<EnumName<SellerVerb>>({{SellerVerb::rename, "rename"},
                                                {SellerVerb::change_interval, "change the interval of"},
                                                {SellerVerb::activate, "activate"},
                                                {SellerVerb::deactivate, "deactivate"},
                                                {SellerVerb::crawl, "crawl"}});
}

inline constexpr StateTable seller_table{"Seller", SellerStatus::active,
                                         std::to_array<Transition<SellerStatus, SellerVerb>>(
                                             {{SellerStatus::active, SellerVerb::rename, SellerStatus::active},
                                              {SellerStatus::inactive, SellerVerb::rename, SellerStatus::inactive},
                                              {SellerStatus::active, SellerVerb::change_interval, SellerStatus::active},
                                              {SellerStatus::active, SellerVerb::deactivate, SellerStatus::inactive},
                                              {SellerStatus::inactive, SellerVerb::activate, SellerStatus::active},
                                              {SellerStatus::active, SellerVerb::crawl, SellerStatus::active}})};

class Seller {
  public:
    struct State {
        SellerId id;
        std::string name;
        CrawlingInterval interval;
        SellerStatus status = SellerStatus::active;
        std::optional<std::string> external_code;  // what the product server calls this seller
        std::int64_t total_product_count = 0;
        TimePoint created_at;
        TimePoint updated_at;
        std::int64_t revision = 0;  // counts saves; a store saves only what nobody else saved since

        friend bool operator==(const State&, const State&) = default;
    };

    // invalid: the name (up to 200 characters) or the external code (up to 100) is blank, too long or no plain text.
    static Result<Seller> enroll(SellerId id, std::string name, CrawlingInterval interval, TimePoint now,
                                 std::optional<std::string> external_code = {});
    static Seller restore(State state) { return Seller(std::move(state)); }

    Result<> rename(std::string name, TimePoint now);  // invalid: as in enroll
    // ACTIVE only, as it is the schedule that changes. The interval it has already changes nothing.
    Result<> change_interval(CrawlingInterval interval, TimePoint now);
    Result<> activate(TimePoint now);    // INACTIVE -> ACTIVE
    Result<> deactivate(TimePoint now);  // ACTIVE -> INACTIVE
    // What its listing announced. invalid: less than nothing.
    Result<> announce_total(std::int64_t products, TimePoint now);

    // conflict for an INACTIVE seller: it is not crawled.
    Result<> may_be_crawled() const;

    const State& state() const { return state_; }

  private:
    explicit Seller(State state) : state_(std::move(state)) {}
    Result<> move(SellerVerb verb, SellerStatus to, TimePoint now);
    State state_;
};

}  // namespace crawler

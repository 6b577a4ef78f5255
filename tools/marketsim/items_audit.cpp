#include "items_audit.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

namespace marketsim {
namespace {

namespace json = boost::json;

constexpr int items_of_a_step = 16;

struct Lag {
    std::optional<SimTime> since;  // the first change that one of the facets lacks
    json::array facets;
};

Lag lag_of(const Catalogue& catalogue, ItemNo item, const FacetRevisions& revisions) {
    Lag lag;
    if (catalogue.revision(item) == 0) return lag;
    for (const auto facet : facets) {
        const auto since = outdated_since(catalogue, item, facet, revisions[static_cast<std::size_t>(facet)]);
        if (!since) continue;
        lag.since = std::min(*since, lag.since.value_or(*since));
        lag.facets.emplace_back(to_string(facet));
    }
    return lag;
}

json::array fields_of(std::span<const WrongField> wrong) {
    json::array fields;
    for (const auto& field : wrong)
        fields.push_back(json::object{{"path", field.path}, {"expected", field.expected}, {"found", field.found}});
    return fields;
}

// Of a partial listing, once there was a whole one to be had.
std::vector<WrongField> prices_not_taken(const Product& product) {
    const auto listing = expected_facet(product, Facet::listing);
    std::vector<WrongField> fields;
    for (const std::string name : {"appPrice", "normalPrice"})
        fields.push_back(
            {.path = "/listing/" + name, .expected = json::serialize(listing.at(name)), .found = "nothing"});
    return fields;
}

}  // namespace

ItemsAudit::ItemsAudit(Sides sides, std::optional<int> seller, std::size_t most_details)
    : sides_(sides),
      most_details_(most_details),
      seller_(seller.value_or(0)),
      end_(seller ? *seller + 1 : sides.catalogue.sellers()),
      left_(sides.catalogue.made_count(seller_)) {}

bool ItemsAudit::step(SimTime now) {
    for (int judged = 0; judged < items_of_a_step; ++judged) {
        while (left_ == 0) {
            if (++seller_ >= end_) return false;
            left_ = sides_.catalogue.made_count(seller_);
        }
        judge(sides_.catalogue.item_at(seller_, --left_), now);
    }
    return true;
}

template <class More>
void ItemsAudit::add(std::int64_t& count, ItemNo item, std::string_view problem, More more) {
    ++count;
    if (details_.size() == most_details_) {
        ++left_off_;
        return;
    }
    json::object detail{{"itemNo", item}, {"problem", problem}};
    more(detail);
    details_.push_back(std::move(detail));
}

void ItemsAudit::judge(ItemNo item, SimTime now) {
    if (sides_.catalogue.is_live(item)) return judge_live(item, now);
    const auto* held = sides_.ledger.find(item);
    if (held == nullptr || !held->is_live) return;
    add(extra_, item, "extra",
        [&](json::object& detail) { detail["ageMs"] = in_milliseconds(now - present_since(sides_.catalogue, item)); });
}

void ItemsAudit::judge_live(ItemNo item, SimTime now) {
    ++expected_;
    const auto& [catalogue, ledger, listed] = sides_;
    const auto* held = ledger.find(item);
    if (held == nullptr || !held->is_live) {
        return add(missing_, item, "missing", [&](json::object& detail) {
            detail["ageMs"] = in_milliseconds(now - present_since(sides_.catalogue, item));
        });
    }
    if (std::ranges::find(held->revisions, no_revision) != held->revisions.end()) {
        return add(wrong_, item, "wrong", [&](json::object& detail) {
            detail["wrongFields"] = held->wrong_fields;
            detail["fields"] = fields_of(sides_.ledger.wrong_fields(item));
        });
    }
    if (held->is_partial && listed.has(item)) {
        return add(wrong_, item, "wrong", [&](json::object& detail) {
            const auto fields = prices_not_taken(sides_.catalogue.product(item));
            detail["wrongFields"] = fields.size();
            detail["fields"] = fields_of(fields);
        });
    }
    auto lag = lag_of(catalogue, item, held->revisions);
    if (!lag.since) {
        ++equal_;
        return;
    }
    add(stale_, item, "stale", [&](json::object& detail) {
        detail["ageMs"] = in_milliseconds(now - *lag.since);
        detail["facets"] = std::move(lag.facets);
    });
}

json::object ItemsAudit::report() && {
    const auto accuracy = expected_ == 0 ? 1.0 : static_cast<double>(equal_) / static_cast<double>(expected_);
    return {{"expected", expected_},      {"equal", equal_}, {"stale", stale_},      {"wrong", wrong_},
            {"missing", missing_},        {"extra", extra_}, {"accuracy", accuracy}, {"details", std::move(details_)},
            {"detailsLeftOff", left_off_}};
}

}  // namespace marketsim

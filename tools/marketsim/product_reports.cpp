#include <algorithm>

#include "product_server.hpp"

namespace marketsim {
namespace {

namespace json = boost::json;

class Tally {
  public:
    explicit Tally(std::size_t most_details) : most_details_(most_details) {}

    // `more` makes the rest of the details, and is called only where they are wanted.
    template <class More>
    void add(std::int64_t& count, ItemNo item, std::string_view problem, More more) {
        ++count;
        if (details_.size() == most_details_) {
            ++left_off_;
            return;
        }
        json::object detail{{"itemNo", item}, {"problem", problem}};
        more(detail);
        details_.push_back(std::move(detail));
    }

    json::object report() && {
        const auto accuracy = expected == 0 ? 1.0 : static_cast<double>(equal) / static_cast<double>(expected);
        return {
            {"expected", expected},       {"equal", equal}, {"stale", stale},       {"wrong", wrong},
            {"missing", missing},         {"extra", extra}, {"accuracy", accuracy}, {"details", std::move(details_)},
            {"detailsLeftOff", left_off_}};
    }

    std::int64_t expected = 0;
    std::int64_t equal = 0;
    std::int64_t stale = 0;
    std::int64_t wrong = 0;
    std::int64_t missing = 0;
    std::int64_t extra = 0;

  private:
    std::size_t most_details_;
    json::array details_;
    std::int64_t left_off_ = 0;
};

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

void judge(Tally& tally, const Catalogue& catalogue, const ProductLedger& ledger, ItemNo item, SimTime now) {
    ++tally.expected;
    const auto* held = ledger.find(item);
    if (held == nullptr || !held->is_live) {
        return tally.add(tally.missing, item, "missing", [&](json::object& detail) {
            detail["ageMs"] = in_milliseconds(now - present_since(catalogue, item));
        });
    }
    if (std::ranges::find(held->revisions, no_revision) != held->revisions.end()) {
        return tally.add(tally.wrong, item, "wrong",
                         [&](json::object& detail) { detail["fields"] = fields_of(ledger.wrong_fields(item)); });
    }
    auto lag = lag_of(catalogue, item, held->revisions);
    if (!lag.since) {
        ++tally.equal;
        return;
    }
    tally.add(tally.stale, item, "stale", [&](json::object& detail) {
        detail["ageMs"] = in_milliseconds(now - *lag.since);
        detail["facets"] = std::move(lag.facets);
    });
}

// What is held though it is no longer on sale, in the order of the numbers. Nothing goes without a change, so most need no look.
std::vector<ItemNo> extra_items(const Catalogue& catalogue, const ProductLedger& ledger, std::optional<int> seller) {
    std::vector<ItemNo> extra;
    for (const auto& [item, held] : ledger.products()) {
        if (!held.is_live || catalogue.revision(item) == 0 || catalogue.is_live(item)) continue;
        if (!seller || catalogue.seller_of(item) == *seller) extra.push_back(item);
    }
    std::ranges::sort(extra);
    return extra;
}

}  // namespace

json::object ProductServer::items_report(SimTime now, std::optional<int> seller, std::size_t most_details) const {
    Tally tally(most_details);
    const int first = seller.value_or(0);
    const int end = seller ? first + 1 : catalogue_.sellers();
    for (int each = first; each < end; ++each) {
        for (const auto item : catalogue_.page(each, 0, catalogue_.live_count(each)))
            judge(tally, catalogue_, ledger_, item, now);
    }
    for (const auto item : extra_items(catalogue_, ledger_, seller)) {
        tally.add(tally.extra, item, "extra", [&](json::object& detail) {
            detail["ageMs"] = in_milliseconds(now - present_since(catalogue_, item));
        });
    }
    return std::move(tally).report();
}

json::object ProductServer::events_report() const {
    json::object refused;
    for (const auto& [status, count] : counts_.refused) refused[std::to_string(status)] = count;
    return {{"received", counts_.received},     {"applied", counts_.applied},         {"replays", counts_.replays},
            {"duplicates", counts_.duplicates}, {"outOfOrder", counts_.out_of_order}, {"unknown", counts_.unknown},
            {"refused", std::move(refused)},    {"created", counts_.by_kind[0]},      {"updated", counts_.by_kind[1]},
            {"deleted", counts_.by_kind[2]}};
}

}  // namespace marketsim

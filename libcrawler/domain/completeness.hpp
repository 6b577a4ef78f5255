// How whole a run is, proven from facts: what the listing announced, what of it was seen, what has all its facets, and
// what is missing and why. Carried by the run; only a listing proven complete says that an item was removed.
#pragma once
#include <vector>

#include "domain/ids.hpp"
#include "domain/result.hpp"

namespace crawler {

// What became of one facet of one item in a run. Where several answers tell different things the one further down
// holds: one good answer outweighs every failure before or after it.
enum class FacetOutcome {
    open,        // nothing yet: never asked, or still under way
    failed,      // its task FAILED
    unreadable,  // an answer is there but was quarantined
    gone,        // 404, 410; of the options: there are none
    foreign,     // the answer names another seller
    present,     // we have it, from this run or, where it need not be asked again, from an earlier one
};
constexpr auto names(FacetOutcome) {
    return std::to_array<EnumName<FacetOutcome>>({{FacetOutcome::open, "OPEN"},
                                                  {FacetOutcome::failed, "FAILED"},
                                                  {FacetOutcome::unreadable, "UNREADABLE"},
                                                  {FacetOutcome::gone, "GONE"},
                                                  {FacetOutcome::foreign, "FOREIGN"},
                                                  {FacetOutcome::present, "PRESENT"}});
}

// What is known about one item; several of one item add up, so that each answer can be a fact of its own.
struct ItemFacts {
    ItemNo item = 0;
    bool listed = false;  // a listing page of this run names it
    FacetOutcome detail = FacetOutcome::open;
    FacetOutcome option = FacetOutcome::open;
};

enum class MissingReason {
    never_listed,  // announced, but on no page: which items these are nobody knows
    not_finished,
    detail_failed,
    detail_unreadable,
    option_failed,
    option_unreadable,
    gone,
    foreign,
};
constexpr auto names(MissingReason) {
    return std::to_array<EnumName<MissingReason>>({{MissingReason::never_listed, "NEVER_LISTED"},
                                                   {MissingReason::not_finished, "NOT_FINISHED"},
                                                   {MissingReason::detail_failed, "DETAIL_FAILED"},
                                                   {MissingReason::detail_unreadable, "DETAIL_UNREADABLE"},
                                                   {MissingReason::option_failed, "OPTION_FAILED"},
                                                   {MissingReason::option_unreadable, "OPTION_UNREADABLE"},
                                                   {MissingReason::gone, "GONE"},
                                                   {MissingReason::foreign, "FOREIGN"}});
}
// The marketplace itself says that there is nothing to get: missing, but nobody's fault.
constexpr bool is_explained(MissingReason reason) {
    return reason == MissingReason::gone || reason == MissingReason::foreign;
}

struct MissingItem {
    ItemNo item = 0;
    MissingReason reason{};

    friend bool operator==(const MissingItem&, const MissingItem&) = default;
};

class CompletenessProof {
  public:
    struct State {
        std::int64_t announced = 0;
        std::int64_t seen = 0;             // distinct listed items
        std::int64_t complete = 0;         // those with detail and option
        std::vector<MissingItem> missing;  // the other listed ones, by item number; seen = complete + missing

        friend bool operator==(const State&, const State&) = default;
    };

    // The facts in any order, however often; an item that was not listed is not part of it. `announced` is the highest
    // total that any answer of the listing named: items added while it is read push others off its last page. invalid:
    // a negative total.
    static Result<CompletenessProof> of(std::int64_t announced, const std::vector<ItemFacts>& facts);
    static CompletenessProof restore(State state) { return CompletenessProof(std::move(state)); }

    std::int64_t never_listed() const;  // announced but not seen; never negative
    std::int64_t surplus() const;       // seen beyond what was announced; never negative
    std::int64_t missing_because(MissingReason reason) const;

    // Every announced item was seen, and each has all facets or is missing for an explained reason.
    bool is_whole() const;
    // An item that is not in this listing is not for sale. A failed page or a short one never says so.
    bool listing_is_complete(bool all_listing_tasks_completed) const;

    const State& state() const { return state_; }
    friend bool operator==(const CompletenessProof&, const CompletenessProof&) = default;

  private:
    explicit CompletenessProof(State state) : state_(std::move(state)) {}
    State state_;
};

}  // namespace crawler

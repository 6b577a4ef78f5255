// Holds what the product server has against the catalogue, item by item, in steps: of a million it takes a while, and the world goes on
// between them. Each item is judged as it is at its moment.
#pragma once
#include <boost/json/array.hpp>

#include "listed_items.hpp"
#include "product_ledger.hpp"

namespace marketsim {

class ItemsAudit {
  public:
    // What is looked at; it must outlive the audit.
    struct Sides {
        const Catalogue& catalogue;
        const ProductLedger& ledger;
        const ListedItems& listed;
    };
    // Of one seller or of all; details of so many items at most.
    ItemsAudit(Sides sides, std::optional<int> seller, std::size_t most_details);

    // The next few items; false where none is left.
    bool step(SimTime now);
    boost::json::object report() &&;

  private:
    void judge(ItemNo item, SimTime now);
    void judge_live(ItemNo item, SimTime now);
    // `more` makes the rest of the details, and is called only where they are wanted.
    template <class More>
    void add(std::int64_t& count, ItemNo item, std::string_view problem, More more);

    Sides sides_;
    std::size_t most_details_;
    int seller_;              // the one that is next
    int end_;                 // and the one after the last
    std::uint32_t left_ = 0;  // so many of its items have not been looked at; the newest come first

    std::int64_t expected_ = 0;
    std::int64_t equal_ = 0;
    std::int64_t stale_ = 0;
    std::int64_t wrong_ = 0;
    std::int64_t missing_ = 0;
    std::int64_t extra_ = 0;
    boost::json::array details_;
    std::int64_t left_off_ = 0;
};

}  // namespace marketsim

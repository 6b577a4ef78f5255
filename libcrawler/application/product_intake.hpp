// Works the facets of one raw answer into their products, and keeps account: what to save, what changed, and what the product
// server has to hear. Events of one product that nobody has tried to tell yet melt into one. Used by AbsorbRaw and ConcludeRuns.
#pragma once
#include <map>

#include "domain/crawled_raw.hpp"
#include "ports/id_generator.hpp"
#include "ports/product_store.hpp"

namespace crawler::application {

// What became of the facets of one raw.
struct TakenIn {
    std::vector<Product> products;  // those to be saved
    std::vector<ports::ProductChange> history;
    std::vector<OutboxEntry> events;
    std::vector<OutboxId> melted;
    struct Refusal {
        ItemNo item = 0;
        std::string why;
    };
    std::vector<Refusal> refused;
};

class ProductIntake {
  public:
    // `known` are those of the products that have been seen; the first facet of an item makes its product. `raw` is what an answer
    // to a crawl of `asked_for` is kept as; none where no answer, but the lack of one is the news.
    ProductIntake(std::vector<ports::KnownProduct> known, SellerId asked_for, RawId raw, ports::IdGenerator& ids,
                  TimePoint now);

    void take(const Facet& facet);
    // Also of an item that nobody has seen yet: what was fetched before may come after.
    void take_gone(ItemNo item, TimePoint fetched_at);
    // A complete listing that began then has none of the known products.
    void miss_all(TimePoint listed_at);

    TakenIn result() &&;

  private:
    struct Item {
        Product product;
        std::optional<OutboxEntry> untold;                // as the store has it; none once it has been looked at
        std::optional<ProductEvent> news = std::nullopt;  // to be told, with what melted into it
        bool needs_saving = false;                        // something of it is to be saved
    };
    Item& item_of(ItemNo item, const SellerId& owner);
    void note(Item& item, const Result<Absorbed>& absorbed);
    void tell(Item& item, const ProductEvent& event);
    std::optional<ProductEvent> melt_untold(Item& item);
    void remember_foreign(Item& item, const SellerId& owner, TimePoint fetched_at);

    SellerId asked_for_;
    RawId raw_;
    ports::IdGenerator& ids_;
    TimePoint now_;
    std::map<ItemNo, Item> items_;
    TakenIn taken_;
};

}  // namespace crawler::application

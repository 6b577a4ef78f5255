#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryProductStore final : public ports::ProductStore {
  public:
    explicit MemoryProductStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<Product>>> find(std::vector<ItemNo> items) override {
        auto body = [&]() -> Result<std::vector<Product>> {
            std::vector<Product> found;
            for (const auto item : std::set(items.begin(), items.end())) {
                const auto stored = tables_.products.find(item);
                if (stored != tables_.products.end()) found.push_back(stored->second);
            }
            return found;
        };
        co_return with_faults(tables_.faults, "product_store.find", body);
    }

    Async<Result<>> absorb(ports::AbsorbedRaw absorbed) override {
        auto body = [&] { return store(absorbed); };
        co_return with_faults(tables_.faults, "product_store.absorb", body);
    }

  private:
    Result<> store(const ports::AbsorbedRaw& absorbed) {
        const auto& raw = absorbed.raw;
        if (raw.state().status != RawStatus::processed)
            return Error{Errc::invalid, "raw " + raw.state().id.value + " is not PROCESSED"};
        if (auto claimed = tables_.check_claim(raw); !claimed) return claimed;
        std::set<ItemNo> items;
        for (const auto& product : absorbed.products) {
            const auto item = product.state().item;
            if (!items.insert(item).second || revision_of(item) != product.state().revision)
                return Error{Errc::conflict, "product " + std::to_string(item) + " was saved since it was read"};
        }
        if (auto fresh = check_new(tables_.product_outbox, absorbed.events); !fresh) return fresh;

        tables_.put_raw(raw);
        for (const auto& product : absorbed.products)
            tables_.products.insert_or_assign(product.state().item, next_revision(product));
        for (const auto& event : absorbed.events) tables_.product_outbox.put(event);
        return {};
    }

    // One that was never saved has 0.
    std::int64_t revision_of(ItemNo item) const {
        const auto stored = tables_.products.find(item);
        return stored == tables_.products.end() ? 0 : stored->second.state().revision;
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::ProductStore> make_memory_product_store(MemoryDatabase& database) {
    return std::make_unique<MemoryProductStore>(database.tables());
}

}  // namespace crawler::adapters

#include <ranges>

#include "adapters/memory/product_changes.hpp"

namespace crawler::adapters {
namespace {

class MemoryProductStore final : public ports::ProductStore {
  public:
    explicit MemoryProductStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<std::vector<ports::KnownProduct>>> find(std::vector<ItemNo> items) override {
        auto body = [&]() -> Result<std::vector<ports::KnownProduct>> {
            std::vector<ports::KnownProduct> found;
            for (const auto item : std::set(items.begin(), items.end())) {
                const auto stored = tables_.products.find(item);
                if (stored != tables_.products.end()) found.push_back({stored->second, untold_of(item)});
            }
            return found;
        };
        co_return with_faults(tables_.faults, "product_store.find", body);
    }

    Async<Result<>> absorb(std::vector<ports::AbsorbedRaw> absorbed) override {
        auto body = [&]() -> Result<> {
            if (auto storable = check(absorbed); !storable) return storable;
            for (const auto& raw : absorbed) store(raw);
            return {};
        };
        co_return with_faults(tables_.faults, "product_store.absorb", body);
    }

    Async<Result<std::vector<ports::ProductChange>>> history(ItemNo item, int limit) override {
        auto body = [&]() -> Result<std::vector<ports::ProductChange>> {
            std::vector<ports::ProductChange> newest;
            const auto stored = tables_.product_history.find(item);
            if (stored == tables_.product_history.end()) return newest;
            for (const auto& [version, change] : std::views::reverse(stored->second)) {
                if (std::ssize(newest) >= limit) break;
                newest.push_back(change);
            }
            return newest;
        };
        co_return with_faults(tables_.faults, "product_store.history", body);
    }

  private:
    Result<> check(const std::vector<ports::AbsorbedRaw>& absorbed) const {
        if (absorbed.empty()) return {};
        ports::AbsorbedRaw all{.raw = absorbed.front().raw, .products = {}, .history = {}, .events = {}, .melted = {}};
        for (const auto& [raw, products, history, events, melted] : absorbed) {
            if (raw.state().status != RawStatus::processed)
                return Error{Errc::invalid, "raw " + raw.state().id.value + " is not PROCESSED"};
            if (auto claimed = tables_.check_claim(raw); !claimed) return claimed;
            all.products.insert(all.products.end(), products.begin(), products.end());
            all.history.insert(all.history.end(), history.begin(), history.end());
            all.events.insert(all.events.end(), events.begin(), events.end());
            all.melted.insert(all.melted.end(), melted.begin(), melted.end());
        }
        return check_changes(tables_, changes_of(all));
    }

    static ProductChanges changes_of(const ports::AbsorbedRaw& absorbed) {
        return {absorbed.products, absorbed.history, absorbed.events, absorbed.melted};
    }

    void store(const ports::AbsorbedRaw& absorbed) {
        const auto& raw = absorbed.raw.state();
        tables_.put_raw(absorbed.raw);
        for (const auto& product : absorbed.products) {
            for (const auto& facet : names(FacetKind{})) {
                if (is_new(product, facet.value))
                    tables_.answers.take_facet(product.state().item, facet.value, raw.id, raw.fetched_at);
            }
        }
        tables_.answers.work_in(raw.id, raw.fetched_at);
        store_changes(tables_, changes_of(absorbed));
    }

    bool is_new(const Product& product, FacetKind kind) const {
        const auto stored = tables_.products.find(product.state().item);
        const auto& facet = product.facet(kind);
        return facet && (stored == tables_.products.end() || stored->second.facet(kind) != facet);
    }

    std::optional<OutboxEntry> untold_of(ItemNo item) const {
        const auto* youngest = tables_.product_outbox.youngest_unsent(std::to_string(item));
        return youngest != nullptr && is_untold(*youngest) ? std::optional(*youngest) : std::nullopt;
    }

    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::ProductStore> make_memory_product_store(MemoryDatabase& database) {
    return std::make_unique<MemoryProductStore>(database.tables());
}

}  // namespace crawler::adapters

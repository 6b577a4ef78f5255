#include <ranges>

#include "adapters/memory/database.hpp"

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

    Async<Result<>> absorb(ports::AbsorbedRaw absorbed) override {
        auto body = [&]() -> Result<> {
            if (auto storable = check(absorbed); !storable) return storable;
            store(absorbed);
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
    Result<> check(const ports::AbsorbedRaw& absorbed) const {
        const auto& raw = absorbed.raw;
        if (raw.state().status != RawStatus::processed)
            return Error{Errc::invalid, "raw " + raw.state().id.value + " is not PROCESSED"};
        if (auto claimed = tables_.check_claim(raw); !claimed) return claimed;
        if (auto unchanged = check_products(absorbed.products); !unchanged) return unchanged;
        if (auto fresh = check_history(absorbed.history); !fresh) return fresh;
        for (const auto& id : absorbed.melted) {
            const auto* entry = tables_.product_outbox.find(id);
            if (entry == nullptr || !is_untold(*entry))
                return Error{Errc::conflict, "event " + id.value + " was claimed since it was read"};
        }
        return check_new(tables_.product_outbox, absorbed.events);
    }

    Result<> check_products(const std::vector<Product>& products) const {
        std::set<ItemNo> items;
        for (const auto& product : products) {
            const auto item = product.state().item;
            if (!items.insert(item).second || revision_of(item) != product.state().revision)
                return Error{Errc::conflict, "product " + std::to_string(item) + " was saved since it was read"};
        }
        return {};
    }

    Result<> check_history(const std::vector<ports::ProductChange>& history) const {
        std::set<std::pair<ItemNo, std::int64_t>> changes;
        for (const auto& change : history) {
            const auto stored = tables_.product_history.find(change.item);
            const bool is_taken = stored != tables_.product_history.end() && stored->second.contains(change.version);
            if (is_taken || !changes.insert({change.item, change.version}).second)
                return Error{Errc::conflict, "version " + std::to_string(change.version) + " of product " +
                                                 std::to_string(change.item) + " is there already"};
        }
        return {};
    }

    void store(const ports::AbsorbedRaw& absorbed) {
        const auto& raw = absorbed.raw.state();
        tables_.put_raw(absorbed.raw);
        for (const auto& product : absorbed.products) {
            for (const auto& facet : names(FacetKind{})) {
                if (is_new(product, facet.value))
                    tables_.answers.take_facet(product.state().item, facet.value, raw.id, raw.fetched_at);
            }
            tables_.products.insert_or_assign(product.state().item, next_revision(product));
        }
        tables_.answers.work_in(raw.id, raw.fetched_at);
        for (const auto& change : absorbed.history)
            tables_.product_history[change.item].emplace(change.version, change);
        for (const auto& id : absorbed.melted) tables_.product_outbox.erase(id);
        for (const auto& event : absorbed.events) tables_.product_outbox.put(event);
    }

    bool is_new(const Product& product, FacetKind kind) const {
        const auto stored = tables_.products.find(product.state().item);
        const auto& facet = product.facet(kind);
        return facet && (stored == tables_.products.end() || stored->second.facet(kind) != facet);
    }

    static bool is_untold(const OutboxEntry& entry) {
        return entry.state().status == OutboxStatus::pending && may_coalesce(entry);
    }

    std::optional<OutboxEntry> untold_of(ItemNo item) const {
        const auto* youngest = tables_.product_outbox.youngest_unsent(std::to_string(item));
        return youngest != nullptr && is_untold(*youngest) ? std::optional(*youngest) : std::nullopt;
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

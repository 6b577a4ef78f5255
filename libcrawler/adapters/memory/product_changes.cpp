#include "adapters/memory/product_changes.hpp"

namespace crawler::adapters {
namespace {

using Tables = MemoryDatabase::Tables;

// One that was never saved has 0.
std::int64_t revision_of(const Tables& tables, ItemNo item) {
    const auto stored = tables.products.find(item);
    return stored == tables.products.end() ? 0 : stored->second.state().revision;
}

Result<> check_products(const Tables& tables, const std::vector<Product>& products) {
    std::set<ItemNo> items;
    for (const auto& product : products) {
        const auto item = product.state().item;
        if (!items.insert(item).second || revision_of(tables, item) != product.state().revision)
            return Error{Errc::conflict, "product " + std::to_string(item) + " was saved since it was read"};
    }
    return {};
}

Result<> check_history(const Tables& tables, const std::vector<ports::ProductChange>& history) {
    std::set<std::pair<ItemNo, std::int64_t>> changes;
    for (const auto& change : history) {
        const auto stored = tables.product_history.find(change.item);
        const bool is_taken = stored != tables.product_history.end() && stored->second.contains(change.version);
        if (is_taken || !changes.insert({change.item, change.version}).second)
            return Error{Errc::conflict, "version " + std::to_string(change.version) + " of product " +
                                             std::to_string(change.item) + " is there already"};
    }
    return {};
}

}  // namespace

bool is_untold(const OutboxEntry& entry) {
    return entry.state().status == OutboxStatus::pending && may_coalesce(entry);
}

Result<> check_changes(const Tables& tables, const ProductChanges& changes) {
    if (auto unchanged = check_products(tables, changes.products); !unchanged) return unchanged;
    if (auto fresh = check_history(tables, changes.history); !fresh) return fresh;
    for (const auto& id : changes.melted) {
        const auto* entry = tables.product_outbox.find(id);
        if (entry == nullptr || !is_untold(*entry))
            return Error{Errc::conflict, "event " + id.value + " was claimed since it was read"};
    }
    return check_new(tables.product_outbox, changes.events);
}

void store_changes(Tables& tables, const ProductChanges& changes) {
    for (const auto& product : changes.products)
        tables.products.insert_or_assign(product.state().item, next_revision(product));
    for (const auto& change : changes.history) tables.product_history[change.item].emplace(change.version, change);
    for (const auto& id : changes.melted) tables.product_outbox.erase(id);
    for (const auto& event : changes.events) tables.product_outbox.put(event);
}

}  // namespace crawler::adapters

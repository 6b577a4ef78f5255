// Products with what changed of them and what must be told about it, as the memory stores keep them: all of it or nothing.
#pragma once
#include "adapters/memory/database.hpp"

namespace crawler::adapters {

struct ProductChanges {
    const std::vector<Product>& products;
    const std::vector<ports::ProductChange>& history;
    const std::vector<OutboxEntry>& events;
    const std::vector<OutboxId>& melted;
};

// conflict: a product was saved since it was read, a melted entry was claimed since, or an id is taken.
Result<> check_changes(const MemoryDatabase::Tables& tables, const ProductChanges& changes);
// Once they have been checked.
void store_changes(MemoryDatabase::Tables& tables, const ProductChanges& changes);

// Nobody has tried to tell it yet.
bool is_untold(const OutboxEntry& entry);

}  // namespace crawler::adapters

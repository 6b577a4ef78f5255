// Products, their facets and their history as rows.
#pragma once
#include <vector>

#include "adapters/sql/session.hpp"
#include "ports/product_store.hpp"

namespace crawler::adapters::sql {

std::vector<Product> load_products(Session& session, const std::vector<ItemNo>& items);
// Products and what is new of their facets, which came with that answer; one revision on. Returns the answers that facets were
// replaced of. conflict: a product was saved since it was read, or is there twice.
Result<std::vector<RawId>> save_products(Session& session, const std::vector<Product>& products, const RawId& answer);

void insert_history(Session& session, const std::vector<ports::ProductChange>& changes);
std::vector<ports::ProductChange> load_history(Session& session, ItemNo item, int limit);

}  // namespace crawler::adapters::sql

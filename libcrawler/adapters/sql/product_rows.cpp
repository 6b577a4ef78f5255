#include "adapters/sql/product_rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "codec/changes.hpp"

namespace crawler::adapters::sql {
namespace {

const Columns product_columns{"item_no", "seller_id", "named_own",  "named_at",   "missing_at", "missing_before_at",
                              "gone_at", "version",   "created_at", "updated_at", "revision",   "status"};
const Columns facet_columns{"item_no", "kind", "digest", "version", "fetched_at", "canonical", "is_partial", "raw_id"};
const Columns history_columns{"item_no", "version", "raw_id", "changed_at", "diff", "event"};

// As many as one statement asks for.
constexpr std::size_t most_at_once = 500;

Values row_of(const Product& product) {
    const auto& s = product.state();
    const Value nothing = std::nullopt;
    return {s.item,
            s.seller,
            s.named ? Value(s.named->own) : nothing,
            s.named ? Value(s.named->at) : nothing,
            s.missing_at[0],
            s.missing_at[1],
            s.gone_at,
            s.version,
            s.created_at,
            s.updated_at,
            s.revision + 1,
            product.status()};
}

Product::State product_of(Row row) {
    const auto item = row.number();
    Product::State state{
        .item = item, .seller = row.seller(), .named = {}, .facets = {}, .missing_at = {}, .gone_at = {}};
    const auto own = row.optional_number();
    const auto named_at = row.optional_instant();
    if (own && named_at) state.named = Naming{.own = *own != 0, .at = *named_at};
    state.missing_at[0] = row.optional_instant();
    state.missing_at[1] = row.optional_instant();
    state.gone_at = row.optional_instant();
    state.version = row.number();
    state.created_at = row.instant();
    state.updated_at = row.instant();
    state.revision = row.number();
    return state;
}

void add_facet(std::map<ItemNo, Product::State>& products, Row row) {
    const auto item = products.find(row.number());
    const auto kind = row.word<FacetKind>();
    KnownFacet facet;
    facet.digest = row.digest();
    facet.version = row.number();
    facet.fetched_at = row.instant();
    facet.canonical = row.text();
    facet.partial = row.flag();
    if (item != products.end()) item->second.facets[static_cast<std::size_t>(kind)] = std::move(facet);
}

Values numbers(const std::vector<ItemNo>& items, std::size_t from, std::size_t count) {
    return {items.begin() + static_cast<std::ptrdiff_t>(from),
            items.begin() + static_cast<std::ptrdiff_t>(from + count)};
}

std::vector<ItemNo> distinct(std::vector<ItemNo> items) {
    std::ranges::sort(items);
    items.erase(std::ranges::unique(items).begin(), items.end());
    return items;
}

// Locks the rows of those that are stored already; conflict unless each is as it was read.
Result<> lock_unchanged(Session& session, const std::vector<Product>& products) {
    std::map<ItemNo, std::int64_t> read;
    std::vector<ItemNo> stored;
    for (const auto& product : products) {
        const auto& state = product.state();
        if (!read.emplace(state.item, state.revision).second)
            return Error{Errc::conflict, "product " + std::to_string(state.item) + " is there twice"};
        if (state.revision > 0) stored.push_back(state.item);
    }
    std::ranges::sort(stored);  // everybody in the same order: nobody waits in a circle
    std::size_t unchanged = 0;
    for (std::size_t at = 0; at < stored.size(); at += most_at_once) {
        const auto count = std::min(most_at_once, stored.size() - at);
        const auto rest = "FROM products" + std::string(session.dialect().by_key()) + "WHERE item_no IN " +
                          placeholders(count) + " ORDER BY item_no " + std::string(session.dialect().lock_rows());
        for (auto& row : session.select({"item_no", "revision"}, rest, numbers(stored, at, count))) {
            const auto item = row.number();
            if (row.number() == read.at(item)) ++unchanged;
        }
    }
    if (unchanged == stored.size()) return {};
    return Error{Errc::conflict, "a product was saved since it was read"};
}

struct StoredFacet {
    // What of it changes whenever it is fetched again; its text follows from the digest.
    std::tuple<Digest, std::int64_t, TimePoint, bool> stamp;
    RawId answer;
};
using StoredFacets = std::map<std::pair<ItemNo, FacetKind>, StoredFacet>;

StoredFacets stored_facets(Session& session, const std::vector<Product>& products) {
    std::vector<ItemNo> items;
    for (const auto& product : products) {
        if (product.state().revision > 0) items.push_back(product.state().item);
    }
    StoredFacets facets;
    for (std::size_t at = 0; at < items.size(); at += most_at_once) {
        const auto count = std::min(most_at_once, items.size() - at);
        const auto rest = "FROM product_raw_data WHERE item_no IN " + placeholders(count);
        for (auto& row : session.select({"item_no", "kind", "digest", "version", "fetched_at", "is_partial", "raw_id"},
                                        rest, numbers(items, at, count))) {
            const auto item = row.number();
            const auto kind = row.word<FacetKind>();
            const auto digest = row.digest();
            const auto version = row.number();
            const auto fetched_at = row.instant();
            const auto is_partial = row.flag();
            facets.try_emplace({item, kind}, StoredFacet{{digest, version, fetched_at, is_partial}, row.id<RawId>()});
        }
    }
    return facets;
}

// The facets that are not stored as they are yet, and the answers of those whose place they take.
struct NewFacets {
    std::vector<Values> rows;
    std::vector<RawId> replaced;
};

NewFacets new_facets(const StoredFacets& stored, const std::vector<Product>& products, const RawId& answer) {
    NewFacets found;
    for (const auto& product : products) {
        const auto item = product.state().item;
        for (const auto& [kind, name] : names(FacetKind{})) {
            const auto& facet = product.facet(kind);
            if (!facet) continue;
            const auto before = stored.find({item, kind});
            const std::tuple stamp{facet->digest, facet->version, facet->fetched_at, facet->partial};
            if (before != stored.end() && before->second.stamp == stamp) continue;
            if (before != stored.end()) found.replaced.push_back(before->second.answer);
            found.rows.push_back({item, kind, facet->digest, facet->version, facet->fetched_at, facet->canonical,
                                  facet->partial, answer});
        }
    }
    return found;
}

}  // namespace

std::vector<Product> load_products(Session& session, const std::vector<ItemNo>& wanted) {
    const auto items = distinct(wanted);
    std::map<ItemNo, Product::State> states;
    for (std::size_t at = 0; at < items.size(); at += most_at_once) {
        const auto count = std::min(most_at_once, items.size() - at);
        const auto rest = " WHERE item_no IN " + placeholders(count);
        const auto values = numbers(items, at, count);
        for (auto& row : session.select(product_columns, "FROM products" + rest, values)) {
            auto state = product_of(std::move(row));
            const auto item = state.item;
            states.emplace(item, std::move(state));
        }
        for (auto& row : session.select(facet_columns, "FROM product_raw_data" + rest, values))
            add_facet(states, std::move(row));
    }
    std::vector<Product> products;
    products.reserve(states.size());
    for (auto& [item, state] : states) products.push_back(Product::restore(std::move(state)));
    return products;
}

Result<std::vector<RawId>> save_products(Session& session, const std::vector<Product>& products, const RawId& answer) {
    if (auto unchanged = lock_unchanged(session, products); !unchanged) return unchanged.error();
    std::vector<Values> fresh, known;
    // A new one that is there by now is a taken key: a conflict too.
    for (const auto& product : products) (product.state().revision == 0 ? fresh : known).push_back(row_of(product));
    auto facets = new_facets(stored_facets(session, products), products, answer);
    session.insert("products", product_columns, fresh);
    session.replace("products", product_columns, known);
    session.replace("product_raw_data", facet_columns, facets.rows);
    return std::move(facets.replaced);
}

void insert_history(Session& session, const std::vector<ports::ProductChange>& changes) {
    std::vector<Values> rows;
    rows.reserve(changes.size());
    for (const auto& change : changes)
        rows.push_back({change.item, change.version, change.raw, change.changed_at, codec::write_changes(change.diff),
                        change.event});
    session.insert("product_history", history_columns, rows);
}

std::vector<ports::ProductChange> load_history(Session& session, ItemNo item, int limit) {
    std::vector<ports::ProductChange> changes;
    const auto* rest = "FROM product_history WHERE item_no = ? ORDER BY version DESC LIMIT ?";
    for (auto& row : session.select(history_columns, rest, {item, limit})) {
        ports::ProductChange change;
        change.item = row.number();
        change.version = row.number();
        change.raw = row.id<RawId>();
        change.changed_at = row.instant();
        change.diff = row.checked(codec::read_changes(row.text()));
        change.event = row.optional_word<ProductEventType>();
        changes.push_back(std::move(change));
    }
    return changes;
}

}  // namespace crawler::adapters::sql

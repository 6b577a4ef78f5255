#include <map>

#include "adapters/sql/database.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/product_rows.hpp"
#include "adapters/sql/raw_rows.hpp"
#include "domain/product_event.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

// The youngest unsent entry of each subject; a younger one that somebody is at hides the older.
std::map<std::string, OutboxEntry> youngest_unsent(Session& session, const std::vector<Product>& products) {
    std::map<std::string, OutboxEntry> youngest;
    if (products.empty()) return youngest;
    Values subjects;
    for (const auto& product : products) subjects.emplace_back(std::to_string(product.state().item));
    const auto rest = "FROM product_outbox WHERE subject IN " + placeholders(subjects.size()) +
                      " AND waiting_lane IS NOT NULL ORDER BY subject, number, id";
    for (auto& row : session.select(outbox_columns, rest, subjects)) {
        auto entry = outbox_entry(std::move(row));
        const auto subject = entry.state().subject;
        youngest.insert_or_assign(subject, std::move(entry));
    }
    return youngest;
}

Result<std::vector<ports::KnownProduct>> find_in(Session& session, const std::vector<ItemNo>& items) {
    auto products = load_products(session, items);
    const auto unsent = youngest_unsent(session, products);
    std::vector<ports::KnownProduct> known;
    known.reserve(products.size());
    for (auto& product : products) {
        const auto found = unsent.find(std::to_string(product.state().item));
        const bool is_untold = found != unsent.end() && may_coalesce(found->second);
        known.push_back({std::move(product), is_untold ? std::optional(found->second) : std::nullopt});
    }
    return known;
}

Result<> absorb_in(Session& session, const ports::AbsorbedRaw& absorbed) {
    const auto& raw = absorbed.raw;
    if (raw.state().status != RawStatus::processed)
        return Error{Errc::invalid, "raw " + raw.state().id.value + " is not PROCESSED"};
    if (auto settled = settle_raw(session, raw); !settled) return settled;
    auto replaced = save_products(session, absorbed.products, raw.state().id);
    if (!replaced) return replaced.error();
    // The answer itself, too: nothing of it may have been new.
    replaced->push_back(raw.state().id);
    end_superseded(session, *std::move(replaced), raw.state().fetched_at);
    if (auto melted = melt_entries(session, absorbed.melted); !melted) return melted;
    insert_history(session, absorbed.history);
    insert_entries(session, product_outbox_table, absorbed.events);
    return {};
}

class SqlProductStore final : public ports::ProductStore {
  public:
    explicit SqlProductStore(SqlDatabase& database) : database_(database) {}

    Async<Result<std::vector<ports::KnownProduct>>> find(std::vector<ItemNo> items) override {
        auto body = [items = std::move(items)](Session& session) { return find_in(session, items); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<>> absorb(std::vector<ports::AbsorbedRaw> absorbed) override {
        auto body = [absorbed = std::move(absorbed)](Session& session) -> Result<> {
            for (const auto& raw : absorbed) {
                if (auto done = absorb_in(session, raw); !done) return done;
            }
            return {};
        };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<std::vector<ports::ProductChange>>> history(ItemNo item, int limit) override {
        auto body = [=](Session& session) -> Result<std::vector<ports::ProductChange>> {
            return load_history(session, item, limit);
        };
        co_return co_await database_.read(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::ProductStore> make_sql_product_store(SqlDatabase& database) {
    return std::make_unique<SqlProductStore>(database);
}

}  // namespace crawler::adapters

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemorySellerStore final : public ports::SellerStore {
  public:
    explicit MemorySellerStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<>> add(ports::SellerAndSchedule both, OutboxEntry order) override {
        auto body = [&]() -> Result<> {
            const auto id = both.seller.state().id;
            if (tables_.sellers.contains(id))
                return Error{Errc::conflict, "seller " + id.value() + " is there already"};
            if (tables_.scheduler_outbox.contains(order.state().id))
                return Error{Errc::conflict, order.state().id.value + " is there already"};
            tables_.sellers.emplace(id, both.seller);
            tables_.schedules.emplace(id, both.schedule);
            tables_.scheduler_outbox.put(order);
            return {};
        };
        co_return with_faults(tables_.faults, "seller_store.add", body);
    }

    Async<Result<Seller>> find(SellerId id) override {
        auto body = [&]() -> Result<Seller> {
            const auto stored = tables_.sellers.find(id);
            if (stored == tables_.sellers.end()) return Error{Errc::not_found, "there is no seller " + id.value()};
            return stored->second;
        };
        co_return with_faults(tables_.faults, "seller_store.find", body);
    }

    Async<Result<ports::SellerAndSchedule>> find_both(SellerId id) override {
        auto body = [&]() -> Result<ports::SellerAndSchedule> {
            const auto stored = tables_.sellers.find(id);
            if (stored == tables_.sellers.end()) return Error{Errc::not_found, "there is no seller " + id.value()};
            return ports::SellerAndSchedule{stored->second, tables_.schedules.at(id)};
        };
        co_return with_faults(tables_.faults, "seller_store.find_both", body);
    }

    Async<Result<ports::SellerPage>> page(ports::SellerQuery query) override {
        auto body = [&]() -> Result<ports::SellerPage> {
            ports::SellerPage page;
            for (const auto& [id, seller] : tables_.sellers) {
                if (query.status && seller.state().status != *query.status) continue;
                const auto number = page.total++;
                if (number >= query.offset && std::ssize(page.sellers) < query.limit)
                    page.sellers.push_back({seller, tables_.schedules.at(id)});
            }
            return page;
        };
        co_return with_faults(tables_.faults, "seller_store.page", body);
    }

    Async<Result<>> save(ports::SellerAndSchedule both, std::optional<OutboxEntry> order) override {
        auto body = [&]() -> Result<> {
            const auto& id = both.seller.state().id;
            const auto name = "seller " + id.value();
            if (auto same = check_unchanged(tables_.sellers, id, both.seller, name); !same) return same;
            if (auto same = check_unchanged(tables_.schedules, id, both.schedule, "schedule of " + name); !same)
                return same;
            if (order && tables_.scheduler_outbox.contains(order->state().id))
                return Error{Errc::conflict, order->state().id.value + " is there already"};
            tables_.sellers.at(id) = next_revision(both.seller);
            tables_.schedules.at(id) = next_revision(both.schedule);
            if (order) tables_.scheduler_outbox.put(*order);
            return {};
        };
        co_return with_faults(tables_.faults, "seller_store.save", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::SellerStore> make_memory_seller_store(MemoryDatabase& database) {
    return std::make_unique<MemorySellerStore>(database.tables());
}

}  // namespace crawler::adapters

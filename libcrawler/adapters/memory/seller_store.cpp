#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemorySellerStore final : public ports::SellerStore {
  public:
    explicit MemorySellerStore(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<>> add(Seller seller) override {
        auto body = [&]() -> Result<> {
            const auto id = seller.state().id;
            if (!tables_.sellers.emplace(id, seller).second)
                return Error{Errc::conflict, "seller " + id.value() + " is there already"};
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

    Async<Result<>> save(Seller seller) override {
        auto body = [&]() -> Result<> {
            const auto& id = seller.state().id;
            if (auto same = check_unchanged(tables_.sellers, id, seller, "seller " + id.value()); !same) return same;
            tables_.sellers.at(id) = next_revision(seller);
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

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryLeases final : public ports::Leases {
  public:
    MemoryLeases(MemoryDatabase::Tables& tables, const ports::Clock& clock) : tables_(tables), clock_(clock) {}

    Async<Result<std::optional<ports::Lease>>> acquire(std::string name, std::string holder, Duration length) override {
        auto body = [&]() -> Result<std::optional<ports::Lease>> {
            auto& row = tables_.leases[name];
            const auto now = clock_.now();
            if (row.holder != holder) {
                if (!row.holder.empty() && row.until > now) return std::optional<ports::Lease>{};
                row.holder = holder;
                ++row.fence;
            }
            row.until = now + length;
            return std::optional(ports::Lease{name, holder, row.fence, row.until});
        };
        co_return with_faults(tables_.faults, "lease.acquire", body);
    }

    Async<Result<>> release(ports::Lease lease) override {
        auto body = [&]() -> Result<> {
            auto& row = tables_.leases[lease.name];
            if (row.fence != lease.fence) return Error{Errc::conflict, "lease " + lease.name + " was taken anew since"};
            row.holder.clear();
            return {};
        };
        co_return with_faults(tables_.faults, "lease.release", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::Leases> make_memory_leases(MemoryDatabase& database, const ports::Clock& clock) {
    return std::make_unique<MemoryLeases>(database.tables(), clock);
}

}  // namespace crawler::adapters

#include <algorithm>
#include <set>

#include "adapters/memory/database.hpp"

namespace crawler::adapters {
namespace {

class MemoryRequestLedger final : public ports::RequestLedger {
  public:
    explicit MemoryRequestLedger(MemoryDatabase::Tables& tables) : tables_(tables) {}

    Async<Result<>> reserve(ports::LedgerEntry entry) override {
        auto body = [&]() -> Result<> {
            if (!tables_.ledger.emplace(entry.reservation, entry).second)
                return Error{Errc::conflict, "reservation " + entry.reservation + " is there already"};
            return {};
        };
        co_return with_faults(tables_.faults, "request_ledger.reserve", body);
    }

    Async<Result<>> answer(ports::LedgerStamp stamp) override {
        auto body = [&]() -> Result<> {
            if (!tables_.stamp(stamp)) return Error{Errc::not_found, "there is no reservation " + stamp.reservation};
            return {};
        };
        co_return with_faults(tables_.faults, "request_ledger.answer", body);
    }

    Async<Result<std::vector<ports::LedgerEntry>>> since(TimePoint from, std::optional<UserAgentId> identity) override {
        auto body = [&]() -> Result<std::vector<ports::LedgerEntry>> {
            std::vector<ports::LedgerEntry> entries;
            for (const auto& [reservation, entry] : tables_.ledger) {
                if (entry.reserved >= from && (!identity || entry.identity == *identity)) entries.push_back(entry);
            }
            std::ranges::sort(entries, {}, [](const auto& e) { return std::tie(e.reserved, e.reservation); });
            return entries;
        };
        co_return with_faults(tables_.faults, "request_ledger.since", body);
    }

    Async<Result<std::vector<UserAgentId>>> identities(TimePoint from) override {
        auto body = [&]() -> Result<std::vector<UserAgentId>> {
            std::set<UserAgentId> all;
            for (const auto& [reservation, entry] : tables_.ledger) {
                if (entry.reserved >= from) all.insert(entry.identity);
            }
            return std::vector(all.begin(), all.end());
        };
        co_return with_faults(tables_.faults, "request_ledger.identities", body);
    }

  private:
    MemoryDatabase::Tables& tables_;
};

}  // namespace

std::unique_ptr<ports::RequestLedger> make_memory_request_ledger(MemoryDatabase& database) {
    return std::make_unique<MemoryRequestLedger>(database.tables());
}

}  // namespace crawler::adapters

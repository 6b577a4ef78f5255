#include "adapters/memory/memory.hpp"
#include "coro/sleep.hpp"

namespace crawler::adapters {
namespace {

class InMemoryProductServer final : public MemoryProductServer {
  public:
    InMemoryProductServer(Duration latency, Faults* faults) : latency_(latency), faults_(faults) {}

    Async<Result<>> push(OutboxEntry entry) override {
        co_await coro::sleep(latency_);
        auto body = [&]() -> Result<> {
            const auto& state = entry.state();
            if (++pushes_[state.idempotency_key] == 1) payloads_.insert_or_assign(state.subject, state.payload);
            return {};
        };
        co_return with_faults(faults_, "product_server.push", body);
    }

    std::optional<std::string> payload_of(const std::string& subject) const override {
        const auto found = payloads_.find(subject);
        if (found == payloads_.end()) return std::nullopt;
        return found->second;
    }

    std::size_t accepted() const override { return pushes_.size(); }

    std::size_t pushes(const std::string& idempotency_key) const override {
        const auto found = pushes_.find(idempotency_key);
        return found == pushes_.end() ? 0 : found->second;
    }

  private:
    Duration latency_;
    Faults* faults_;
    std::map<std::string, std::string> payloads_;  // by subject
    std::map<std::string, std::size_t> pushes_;    // by idempotency key
};

}  // namespace

std::unique_ptr<MemoryProductServer> make_memory_product_server(Duration latency, Faults* faults) {
    return std::make_unique<InMemoryProductServer>(latency, faults);
}

}  // namespace crawler::adapters

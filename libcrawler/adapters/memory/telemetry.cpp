#include "adapters/memory/memory.hpp"

namespace crawler::adapters {
namespace {

class InMemoryTelemetry final : public MemoryTelemetry {
  public:
    void emit(const ports::Event& event) noexcept override { events_.push_back(event); }
    const std::vector<ports::Event>& events() const override { return events_; }

  private:
    std::vector<ports::Event> events_;
};

}  // namespace

std::unique_ptr<MemoryTelemetry> make_memory_telemetry() {
    return std::make_unique<InMemoryTelemetry>();
}

}  // namespace crawler::adapters

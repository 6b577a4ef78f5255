#include <cstdio>

#include "adapters/memory/memory.hpp"

namespace crawler::adapters {
namespace {

class CountingIds final : public ports::IdGenerator {
  public:
    explicit CountingIds(std::string prefix) : prefix_(std::move(prefix)) {}

  private:
    std::string next() override {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%06llu", ++last_);
        return prefix_ + digits;
    }

    std::string prefix_;
    unsigned long long last_ = 0;
};

}  // namespace

std::unique_ptr<ports::IdGenerator> make_counting_ids(std::string prefix) {
    return std::make_unique<CountingIds>(std::move(prefix));
}

}  // namespace crawler::adapters

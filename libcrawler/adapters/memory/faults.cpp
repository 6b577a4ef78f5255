#include "adapters/memory/faults.hpp"

namespace crawler::adapters {

std::optional<Fault> Faults::strike(std::string_view call) {
    std::optional<Fault> striking;
    for (auto& fault : faults_) {
        if (fault.call != call || fault.times == 0) continue;
        if (fault.nth > 1) {
            --fault.nth;
        } else if (!striking) {
            --fault.times;
            striking = fault;
        }
    }
    return striking;
}

}  // namespace crawler::adapters

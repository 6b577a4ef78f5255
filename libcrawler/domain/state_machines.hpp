// Every state machine of the domain, for whoever draws or lists them. A new one belongs here too; a test looks for tables
// that are missing.
#pragma once
#include <vector>

#include "domain/state_table.hpp"

namespace crawler {

// In the order of the line, from the seller to the product.
std::vector<StateMachine> state_machines();

}  // namespace crawler

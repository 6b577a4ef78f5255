// What a fired schedule puts on the trigger queue: {"sellerId":"..."}, the input that its rule was given; or EventBridge's whole event,
// where somebody made the rule without one.
#pragma once
#include <string>

#include "domain/seller.hpp"

namespace crawler::services {

// invalid: what is wrong with the message.
Result<SellerId> read_trigger_message(const std::string& body);

}  // namespace crawler::services

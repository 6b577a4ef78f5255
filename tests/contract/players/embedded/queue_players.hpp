// Who plays SQS and EventBridge in contract_tests: what the fleet brings itself.
#pragma once
#include <tuple>

#include "contract/fixtures/memory.hpp"
#include "contract/fixtures/sql_queue.hpp"

namespace crawler::test {

using QueueFixtures = std::tuple<MemoryQueues, SqliteQueues, MariaDbQueues>;
using RuleFixtures = std::tuple<MemoryRules, SqliteRules, MariaDbRules>;

}  // namespace crawler::test

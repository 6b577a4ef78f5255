// Who plays SQS and EventBridge in emulator_tests: emulators of AWS that are not ours, behind adapters/aws.
#pragma once
#include <tuple>

#include "contract/fixtures/emulators.hpp"

namespace crawler::test {

using QueueFixtures = std::tuple<ElasticMqQueues, MotoQueues>;
using RuleFixtures = std::tuple<MotoRules>;

}  // namespace crawler::test

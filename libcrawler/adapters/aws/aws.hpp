// SQS and EventBridge: factories and configuration, nothing of what is behind them. That is a client of our own (Signature Version 4 over
// the HTTP client) or the SDK, as the build says (CRAWLER_AWS); both keep the same contract.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "domain/retry_policy.hpp"
#include "ports/clock.hpp"
#include "ports/http_client.hpp"
#include "ports/id_generator.hpp"
#include "ports/queue_desk.hpp"
#include "ports/schedule_rules.hpp"

namespace crawler::adapters {

// What the process's environment says: AWS_ACCESS_KEY_ID, AWS_WEB_IDENTITY_TOKEN_FILE, AWS_PROFILE, HOME ...
using AwsEnvironment = std::map<std::string, std::string, std::less<>>;

struct AwsConfig {
    std::string region = "ap-northeast-2";
    std::string endpoint;  // http://127.0.0.1:9324: of an emulator, for every service; empty: the region's own
    std::string profile;   // in the shared files; empty: AWS_PROFILE, or else default

    Duration attempt_timeout = std::chrono::seconds{10};  // until an answer is there; a long poll has its wait on top
    Duration deadline = std::chrono::seconds{30};         // of a call, retries and their waits included; likewise
    RetryPolicy retry{.max_retries = 5,
                      .first_wait = std::chrono::milliseconds{100},
                      .longest_wait = std::chrono::seconds{5}};  // of what was throttled or failed on the other side

    Duration source_timeout = std::chrono::seconds{2};  // of one question to who hands out credentials
    Duration refresh_early = std::chrono::minutes{5};   // before credentials are over
};

// One identity and its region, shared by all that is made of it: credentials are fetched once, and what was learnt about the other
// side's clock counts for all. Everything it is given must outlive it.
class AwsAccount;
using Aws = std::shared_ptr<AwsAccount>;

// The client must be allowed private addresses (credentials and emulators are there) and be patient for longer than attempt_timeout and a
// long poll together. No question is asked yet: credentials that nobody has are the error of the first call, which says where they
// were looked for.
Aws open_aws(AwsConfig config, AwsEnvironment environment, ports::HttpClient& http, const ports::Clock& clock,
             ports::IdGenerator& ids, const boost::asio::any_io_executor& executor);

struct SqsConfig {
    std::string queue;  // its name, with .fifo where it keeps an order; the queue itself is the operator's
    Duration visibility = std::chrono::seconds{30};  // whole seconds
    int batches_at_once = 4;                         // requests of one kind under way
};

// A queue whose name ends in .fifo keeps the order of groups and drops duplicates. Of another one group and deduplication id stay behind,
// and duplicates come through. A group or an id that SQS would not take is replaced by its digest. `max_receive_count` is the
// queue's RedrivePolicy.
// Besides the port's errors, of all three: blocked: credentials that are refused, or that nobody has; not_found: no such queue.
std::unique_ptr<ports::MessageQueue> make_sqs_queue(Aws aws, SqsConfig config);
std::unique_ptr<ports::QueueDesk> make_sqs_desk(Aws aws, const SqsConfig& config);

struct EventBridgeConfig {
    std::string target_arn;  // of the trigger queue; to a FIFO queue each rule is a group
};
std::unique_ptr<ports::ScheduleRules> make_eventbridge_rules(Aws aws, EventBridgeConfig config);

}  // namespace crawler::adapters

// The door to AWS, for those of queues and rules that the configuration puts there.
#pragma once
#include <boost/asio/io_context.hpp>

#include "adapters/aws/aws.hpp"
#include "adapters/http/http.hpp"
#include "runtime/config.hpp"

namespace crawler::services {

struct AwsSettings {
    adapters::AwsConfig access;
    std::string ca_file;  // PEM certificates to trust besides the system's
};
void read_aws(runtime::Node section, AwsSettings& settings);

struct AwsDoor {
    std::unique_ptr<ports::HttpClient> http;  // its own: it waits longer than others, and goes to private addresses
    adapters::Aws account;
};
// The process's environment says whose credentials are used. Nothing is asked yet.
AwsDoor open_aws(const AwsSettings& settings, const ports::Clock& clock, ports::IdGenerator& ids,
                 boost::asio::io_context& io);

}  // namespace crawler::services

// Where a service of AWS is.
#pragma once
#include <string>

#include "adapters/aws/aws.hpp"

namespace crawler::adapters::aws {

// Without a slash at its end.
inline std::string endpoint_of(const AwsConfig& config, const std::string& service) {
    if (!config.endpoint.empty())
        return config.endpoint.ends_with('/') ? config.endpoint.substr(0, config.endpoint.size() - 1) : config.endpoint;
    const bool is_china = config.region.starts_with("cn-");
    return "https://" + service + "." + config.region + (is_china ? ".amazonaws.com.cn" : ".amazonaws.com");
}

}  // namespace crawler::adapters::aws

// Where a service of AWS is.
#pragma once
#include <string>

#include "adapters/aws/aws.hpp"

namespace crawler::adapters::aws {

inline std::string without_slash(const std::string& url) {
    return url.ends_with('/') ? url.substr(0, url.size() - 1) : url;
}

// As the configuration says; or the environment, which may name a place for each service, as AWS's own tools read it. Without a slash at
// its end.
inline std::string endpoint_of(const AwsConfig& config, const AwsEnvironment& environment, const std::string& service) {
    if (!config.endpoint.empty()) return without_slash(config.endpoint);
    static const std::map<std::string, std::string, std::less<>> variables{
        {"sqs", "AWS_ENDPOINT_URL_SQS"}, {"events", "AWS_ENDPOINT_URL_EVENTBRIDGE"}, {"sts", "AWS_ENDPOINT_URL_STS"}};
    for (const auto& name : {variables.at(service), std::string("AWS_ENDPOINT_URL")}) {
        const auto named = environment.find(name);
        if (named != environment.end() && !named->second.empty()) return without_slash(named->second);
    }
    const bool is_china = config.region.starts_with("cn-");
    return "https://" + service + "." + config.region + (is_china ? ".amazonaws.com.cn" : ".amazonaws.com");
}

}  // namespace crawler::adapters::aws

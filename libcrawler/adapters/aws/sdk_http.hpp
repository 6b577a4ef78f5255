// The SDK's HTTP client, on curl, made so that a request can be given up while it waits for its answer: by itself the SDK looks whether
// anybody still wants it only when bytes come or go, and of a long poll none do. Private to the adapter.
#pragma once
#include <aws/core/http/HttpClientFactory.h>

#include <memory>

#include "adapters/aws/sdk_threads.hpp"

namespace crawler::adapters::aws {

// As long as it lives, what this thread asks through the SDK ends within about a second once `cut` is set.
class GivesUp {
  public:
    explicit GivesUp(const Cut& cut);
    ~GivesUp();
    GivesUp(const GivesUp&) = delete;
    GivesUp& operator=(const GivesUp&) = delete;
};

std::shared_ptr<::Aws::Http::HttpClientFactory> make_http_factory();

}  // namespace crawler::adapters::aws

// The product-sync's configuration; product-sync.yaml shows every key.
#pragma once
#include "application/absorb_raw.hpp"
#include "common/config.hpp"

namespace crawler::services {

struct ProductSyncConfig {
    CommonConfig common;
    std::string product_server = "memory://products";
    runtime::PeriodicConfig loop;
    application::AbsorbRaw::Settings raw_intake;
    application::OutboxSettings product_outbox{.lease = std::chrono::minutes{15}};  // a slow server, entry by entry

    static ProductSyncConfig read(runtime::Node root);
};

}  // namespace crawler::services

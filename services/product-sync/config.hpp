// The product-sync's configuration; product-sync.yaml shows every key.
#pragma once
#include "adapters/product_server/product_server.hpp"
#include "application/absorb_raw.hpp"
#include "application/conclude_runs.hpp"
#include "application/push_products.hpp"
#include "common/outside.hpp"

namespace crawler::services {

struct ProductSyncConfig {
    CommonConfig common;
    adapters::MustitConfig marketplace;  // how its answers are read; it is not asked
    adapters::HttpClientConfig http_client{.read_timeout = std::chrono::seconds{5}};
    adapters::ProductServerConfig product_server{.base_url = "http://localhost:8090/product-server"};
    runtime::PeriodicConfig loop;
    application::AbsorbRaw::Settings raw_intake;
    int raw_loops = 2;
    application::PushProducts::Settings product_outbox{.outbox = {.lease = std::chrono::minutes{15}},  // a slow server
                                                       .reserve = std::chrono::seconds{30}};
    int push_loops = 4;
    application::ConcludeRuns::Settings conclusions;

    static ProductSyncConfig read(runtime::Node root);
};

}  // namespace crawler::services

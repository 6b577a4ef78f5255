#include "product-sync/config.hpp"

namespace crawler::services {

using namespace std::chrono_literals;
using runtime::between;

ProductSyncConfig ProductSyncConfig::read(runtime::Node root) {
    ProductSyncConfig config;
    read_common(root, config.common);
    read_address(root.section("product_server"), config.product_server);
    read_periodic(root.section("loop"), config.loop);

    auto intake = root.section("raw_intake");
    intake.read("batch", config.raw_intake.batch, between(1, 1000));
    intake.read("lease", config.raw_intake.lease, between(1s, 1h));
    read_retry(intake.section("retry"), config.raw_intake.retry);
    intake.read("most_lost", config.raw_intake.most_lost, between(0, 100));

    read_outbox(root.section("product_outbox"), config.product_outbox);
    return config;
}

}  // namespace crawler::services

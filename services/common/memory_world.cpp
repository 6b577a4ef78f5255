#include "common/memory_world.hpp"

#include "common/sample_work.hpp"

namespace crawler::services {
namespace {

constexpr int sample_sellers = 3;
constexpr ItemNo first_item = 4'711'000'000;  // beyond 32 bits, as the marketplace's numbers may be

std::string seller_name(int number) {
    return "seller_" + std::to_string(number);
}

adapters::Catalogue sample_catalogue(int products) {
    adapters::Catalogue catalogue;
    for (int i = 0; i < products; ++i) {
        adapters::CatalogueItem item{.no = first_item + i, .name = "표본 상품 " + std::to_string(i), .price = 1000 + i};
        if (i % 3 != 0) item.options = {"S", "M", "L"};
        catalogue[seller_name(1 + i % sample_sellers)].push_back(std::move(item));
    }
    return catalogue;
}

// Requests in a world of memory hurt nobody: more of them than any sample needs.
adapters::MemoryIdentityPoolConfig plenty() {
    constexpr int lots = 1'000'000;
    return {.identities = 1000,
            .limit = lots,
            .window = std::chrono::seconds{1},
            .spacing = Duration{0},
            .guard = Duration{0},
            .at_once = 1000,
            .ceiling = {.per_second = lots, .per_hour = lots, .guard = Duration{0}}};
}

}  // namespace

MemoryWorld::MemoryWorld(MemoryConfig config, adapters::SqlDatabase* database, Duration visibility,
                         const ports::Clock& clock, ports::IdGenerator& ids, boost::asio::io_context& io)
    : config_(config),
      clock_(clock),
      ids_(ids),
      catalogue_(sample_catalogue(config.sample_products)),
      sellers(database ? adapters::make_sql_seller_store(*database) : adapters::make_memory_seller_store(memory_)),
      executions(database ? adapters::make_sql_execution_store(*database)
                          : adapters::make_memory_execution_store(memory_)),
      tasks(database ? adapters::make_sql_task_store(*database) : adapters::make_memory_task_store(memory_)),
      task_outbox(database ? adapters::make_sql_task_outbox(*database) : adapters::make_memory_task_outbox(memory_)),
      product_outbox(database ? adapters::make_sql_product_outbox(*database)
                              : adapters::make_memory_product_outbox(memory_)),
      raws(database ? adapters::make_sql_raw_store(*database) : adapters::make_memory_raw_store(memory_)),
      products(database ? adapters::make_sql_product_store(*database) : adapters::make_memory_product_store(memory_)),
      leases(database ? adapters::make_sql_leases(*database, clock) : adapters::make_memory_leases(memory_, clock)),
      retention(database ? adapters::make_sql_retention(*database) : adapters::make_memory_retention(memory_)),
      trigger_queue(adapters::make_memory_queue({.visibility = visibility}, clock, io.get_executor())),
      task_queue(adapters::make_memory_queue({.visibility = visibility}, clock, io.get_executor())),
      identities(adapters::make_memory_identity_pool(plenty(), clock)),
      marketplace(adapters::make_memory_marketplace(catalogue_, config.latency)),
      product_server(adapters::make_memory_product_server(config.latency)) {}

Async<Result<>> MemoryWorld::prepare(Stage stage, std::stop_token stop) {
    SampleWork work(*this, catalogue_, clock_, ids_, std::move(stop));
    const auto put = co_await work.put(stage);
    task_queue->set_latency(config_.latency);
    co_return put;
}

}  // namespace crawler::services

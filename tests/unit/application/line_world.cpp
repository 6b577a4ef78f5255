#include "line_world.hpp"

#include <catch2/catch_test_macros.hpp>

namespace crawler::test {

using namespace std::chrono_literals;

void LineWorld::enroll(const std::string& name, int items) {
    auto& shop = catalogue[name];
    for (int i = 0; i < items; ++i) {
        adapters::CatalogueItem item{.no = 5'000'000'000 + i, .name = "가방 " + std::to_string(i), .price = 545'600};
        if (i % 2 == 0) item.options = {"US 4", "US 6"};
        shop.push_back(item);
    }
    REQUIRE(run(registration.handle({.id = seller_id(name), .name = "셀러 " + name})));
}

Result<ports::Disposition> LineWorld::begin_crawl(const std::string& seller) {
    time.advance(1s);
    REQUIRE(run(slots.fill(1))->slots == 1);
    return run(trigger.handle(seller_id(seller)));
}

std::vector<ports::Delivery> LineWorld::receive() {
    auto received = run(queue->receive(10, 0s));
    REQUIRE(received);
    return *received;
}

void LineWorld::crawl_everything() {
    for (int quiet = 0; quiet < 3;) {
        const auto relayed = run(relay.run_once());
        REQUIRE(relayed);
        const auto stock = run(slots.fill(1));
        REQUIRE(stock);
        std::size_t executed = 0;
        if (stock->slots > 0) {
            auto deliveries = run(queue->receive(1, 0s));
            REQUIRE(deliveries);
            for (const auto& delivery : *deliveries) {
                const auto handled = run(execute.handle(TaskId{delivery.body}));
                REQUIRE(handled);
                REQUIRE(run(queue->ack(delivery.receipt)));
            }
            executed = deliveries->size();
        }
        quiet = *relayed + executed == 0 && stock->slots > 0 ? quiet + 1 : 0;
        time.advance(1s);
    }
}

void LineWorld::sync_everything() {
    for (;;) {
        const auto absorbed = run(absorb.run_once());
        REQUIRE(absorbed);
        const auto pushed = run(push.run_once());
        REQUIRE(pushed);
        if (*absorbed + *pushed == 0) break;
    }
}

}  // namespace crawler::test

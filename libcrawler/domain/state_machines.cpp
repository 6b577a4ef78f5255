#include "domain/state_machines.hpp"

#include "domain/breaker.hpp"
#include "domain/crawled_raw.hpp"
#include "domain/execution.hpp"
#include "domain/outbox.hpp"
#include "domain/product.hpp"
#include "domain/schedule.hpp"
#include "domain/seller.hpp"
#include "domain/task_table.hpp"
#include "domain/user_agent_table.hpp"

namespace crawler {

std::vector<StateMachine> state_machines() {
    return {seller_table.machine(),  schedule_table.machine(), execution_table.machine(),
            task_table.machine(),    outbox_table.machine(),   user_agent_table.machine(),
            breaker_table.machine(), raw_table.machine(),      product_table.machine()};
}

}  // namespace crawler

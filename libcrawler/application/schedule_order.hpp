// What a change of a schedule asks of the scheduler, as the outbox entry that is stored with the change.
#pragma once
#include "domain/outbox.hpp"
#include "domain/schedule.hpp"
#include "ports/id_generator.hpp"

namespace crawler::application {

// Orders of one seller keep their order. Each says the whole rule, so that carrying one out twice does no harm.
OutboxEntry order_for(const ScheduleEvent& event, ports::IdGenerator& ids);

}  // namespace crawler::application

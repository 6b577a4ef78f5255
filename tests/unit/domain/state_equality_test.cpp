// The walks through the state machines compare whole states: that is only worth something if every field counts.
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "support/builders/execution.hpp"
#include "support/builders/raw.hpp"
#include "support/builders/schedule.hpp"

using namespace crawler;
using namespace crawler::test;

namespace {

template <class State>
void check_every_change_shows(const State& state, const std::vector<std::function<void(State&)>>& changes) {
    CHECK((state == State(state)));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        CAPTURE(i);
        auto changed = state;
        changes[i](changed);
        CHECK_FALSE((changed == state));
    }
}

}  // namespace

TEST_CASE("state equality: every field of a seller counts") {
    check_every_change_shows<Seller::State>(
        a_seller().build().state(),
        {[](auto& s) { s.id = seller_id("셀러-2"); }, [](auto& s) { s.name = "이름"; },
         [](auto& s) { s.interval = days(2); }, [](auto& s) { s.status = SellerStatus::inactive; },
         [](auto& s) { s.external_code = "EXT"; }, [](auto& s) { s.total_product_count = 5'000'000'000; },
         [](auto& s) { s.created_at += 1us; }, [](auto& s) { s.updated_at += 1us; }, [](auto& s) { ++s.revision; }});
}

TEST_CASE("state equality: every field of a schedule counts") {
    check_every_change_shows<CrawlingSchedule::State>(
        a_schedule().build().state(),
        {[](auto& s) { s.id.value = "s-2"; }, [](auto& s) { s.seller = seller_id("셀러-2"); },
         [](auto& s) { s.interval = days(2); }, [](auto& s) { s.status = ScheduleStatus::failed; },
         [](auto& s) { s.failure_reason = "x"; }, [](auto& s) { s.created_at += 1us; },
         [](auto& s) { s.updated_at += 1us; }, [](auto& s) { ++s.revision; }});
}

TEST_CASE("state equality: every field of a rule counts") {
    check_every_change_shows<ScheduleRule>(rule_of(seller_id(), days(1)),
                                           {[](auto& r) { r.name += "x"; }, [](auto& r) { r.expression += "x"; },
                                            [](auto& r) { r.input += "x"; }, [](auto& r) { r.enabled = false; }});
}

TEST_CASE("state equality: every field of a run counts") {
    check_every_change_shows<CrawlingScheduleExecution::State>(
        a_run().build().state(),
        {[](auto& s) { s.id.value = "e-2"; }, [](auto& s) { s.seller = seller_id("셀러-2"); },
         [](auto& s) { s.status = ExecutionStatus::failed; }, [](auto& s) { ++s.total_tasks; },
         [](auto& s) { ++s.completed_tasks; }, [](auto& s) { ++s.failed_tasks; },
         [](auto& s) { s.failure_reason = "x"; }, [](auto& s) { s.proof = *CompletenessProof::of(0, {}); },
         [](auto& s) { s.started_at += 1us; }, [](auto& s) { s.completed_at = t0; },
         [](auto& s) { s.updated_at += 1us; }, [](auto& s) { ++s.revision; }});
}

TEST_CASE("state equality: every field of a completeness proof counts") {
    const auto proof = *CompletenessProof::of(2, {{.item = 5'000'000'001, .listed = true}});
    check_every_change_shows<CompletenessProof::State>(
        proof.state(), {[](auto& s) { ++s.announced; }, [](auto& s) { ++s.seen; }, [](auto& s) { ++s.complete; },
                        [](auto& s) { s.missing.clear(); }, [](auto& s) { ++s.missing[0].item; },
                        [](auto& s) { s.missing[0].reason = MissingReason::gone; }});
}

TEST_CASE("state equality: every field of a raw counts") {
    check_every_change_shows<CrawledRaw::State>(
        a_raw().build().state(),
        {[](auto& s) { s.id.value = "r-2"; }, [](auto& s) { s.task.value = "t-2"; },
         [](auto& s) { s.seller = seller_id("셀러-2"); }, [](auto& s) { s.item = 5'000'000'001; },
         [](auto& s) { s.type = TaskType::search; }, [](auto& s) { s.fetched_at += 1us; },
         [](auto& s) { s.http_status = 203; }, [](auto& s) { s.body += "x"; },
         [](auto& s) { s.content_hash.bytes[31] = 1; }, [](auto& s) { s.status = RawStatus::processed; },
         [](auto& s) { ++s.attempt; }, [](auto& s) { ++s.retry_count; }, [](auto& s) { s.due_at = t0; },
         [](auto& s) { s.lease_until = t0; }, [](auto& s) { s.reason = "x"; }});
}

// Filling the pool, and what an administrator does to those in it.
#include <catch2/catch_test_macros.hpp>

#include "adapters/memory/database.hpp"
#include "adapters/memory/memory.hpp"
#include "application/change_identity.hpp"
#include "application/enroll_identities.hpp"
#include "support/builders.hpp"
#include "support/run.hpp"
#include "support/told.hpp"

using namespace crawler;
using namespace crawler::application;
using namespace crawler::test;
using namespace std::chrono_literals;

namespace {

struct IdentityWorld {
    ManualClock clock;
    adapters::Faults faults;
    adapters::MemoryDatabase database{&faults};
    std::unique_ptr<ports::IdGenerator> ids = adapters::make_counting_ids("ua-");
    std::unique_ptr<adapters::MemoryTelemetry> telemetry = adapters::make_memory_telemetry();
    std::unique_ptr<ports::UserAgentStore> store = adapters::make_memory_user_agent_store(database);
    EnrollIdentities enroll{{*store, *ids, clock, *telemetry}};
    ChangeIdentity change{{*store, clock}, {}};

    std::size_t count() { return run(store->all())->size(); }
};

}  // namespace

TEST_CASE("enroll identities: the built-in ones are fifty, and a second time there is nobody new") {
    IdentityWorld w;

    CHECK(*run(w.enroll.enroll_builtin()) == 50);
    CHECK(*run(w.enroll.enroll_builtin()) == 0);

    CHECK(w.count() == 50);
    REQUIRE(told<ports::IdentitiesEnrolled>(*w.telemetry).size() == 1);
    CHECK(told<ports::IdentitiesEnrolled>(*w.telemetry).at(0).count == 50);
}

TEST_CASE("enroll identities: a pool is seeded only while there is nobody in it") {
    IdentityWorld w;
    REQUIRE(*run(w.enroll.enroll({"Mozilla/5.0 (own)"})) == 1);

    CHECK(*run(w.enroll.seed()) == 0);
    CHECK(w.count() == 1);

    IdentityWorld empty;
    CHECK(*run(empty.enroll.seed()) == 50);
    CHECK(*run(empty.enroll.seed()) == 0);
}

TEST_CASE("enroll identities: of a list with a bad one nobody is added") {
    IdentityWorld w;

    CHECK(code_of(run(w.enroll.enroll({"Mozilla/5.0", "   "}))) == "INVALID");

    CHECK(w.count() == 0);
}

TEST_CASE("change identity: an administrator blocks and unblocks") {
    IdentityWorld w;
    REQUIRE(run(w.enroll.enroll({"Mozilla/5.0"})));
    const UserAgentId id{"ua-000001"};

    CHECK(run(w.change.apply(id, IdentityChange::block))->state().status == UserAgentStatus::blocked);
    CHECK(code_of(run(w.change.apply(id, IdentityChange::block))) == "CONFLICT");
    CHECK(run(w.change.apply(id, IdentityChange::unblock))->state().health == 70);
    CHECK(run(w.store->find(id))->is_available());
    CHECK(code_of(run(w.change.apply(UserAgentId{"nobody"}, IdentityChange::recover))) == "NOT_FOUND");
}

TEST_CASE("change identity: whoever the pool saves meanwhile is read again") {
    IdentityWorld w;
    REQUIRE(run(w.enroll.enroll({"Mozilla/5.0"})));
    w.faults.add({.call = "user_agent_store.save", .error = {Errc::conflict, "saved since"}, .times = 3});

    CHECK(run(w.change.apply(UserAgentId{"ua-000001"}, IdentityChange::block)));
}

TEST_CASE("change identity: one that never rests is a conflict in the end") {
    IdentityWorld w;
    REQUIRE(run(w.enroll.enroll({"Mozilla/5.0"})));
    w.faults.add({.call = "user_agent_store.save", .error = {Errc::conflict, "saved since"}, .times = 100});

    CHECK(code_of(run(w.change.apply(UserAgentId{"ua-000001"}, IdentityChange::block))) == "CONFLICT");
}

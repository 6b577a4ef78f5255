// Every store on MySQL, MariaDB or SQLite, through SOCI. One object is one database with its connections; what a factory takes
// by reference must outlive what it makes. Used by the daemons and by crawlerctl.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/identity_pool.hpp"
#include "adapters/sql/queue.hpp"
#include "adapters/sql/token_keys.hpp"
#include "domain/retry_policy.hpp"
#include "ports/clock.hpp"
#include "ports/execution_store.hpp"
#include "ports/id_generator.hpp"
#include "ports/identity_pool.hpp"
#include "ports/invariants.hpp"
#include "ports/lease.hpp"
#include "ports/outbox_store.hpp"
#include "ports/overview.hpp"
#include "ports/product_store.hpp"
#include "ports/raw_store.hpp"
#include "ports/request_ledger.hpp"
#include "ports/retention.hpp"
#include "ports/run_conclusions.hpp"
#include "ports/seller_store.hpp"
#include "ports/task_store.hpp"
#include "ports/telemetry.hpp"
#include "ports/user_agent_store.hpp"

namespace crawler::adapters {

struct DatabaseConfig {
    // sqlite:crawler.db, sqlite:/var/lib/crawler.db; mysql://user:password@host:3306/name, with ?ssl_ca=FILE for TLS or
    // ?unix_socket=FILE.
    std::string url = "sqlite:crawler.db";
    // Connections: so many are kept open, and so many there are at most. SQLite has one writer at a time, so few are enough.
    int min_connections = 10;
    int max_connections = 50;
    Duration idle_timeout = std::chrono::minutes{10};  // of one that is not among those kept open; then it is closed
    Duration connect_timeout = std::chrono::seconds{5};
    Duration read_timeout = std::chrono::seconds{30};
    Duration write_timeout = std::chrono::seconds{30};
    Duration lock_timeout = std::chrono::seconds{5};  // for a row, or for SQLite's one place to write
    // Of a transaction that lost to another one.
    RetryPolicy lock_retry{
        .max_retries = 10, .first_wait = std::chrono::milliseconds{5}, .longest_wait = std::chrono::milliseconds{500}};
    // Called before every statement, "BEGIN" and "COMMIT" included, on a thread of the pool. What it throws happens instead of the
    // statement. For tests.
    std::function<void(std::string_view)> before_statement = {};
    // How much time has passed since whenever. For tests; without it that of the machine.
    std::function<Duration()> elapsed = {};
};

class SqlDatabase;
struct CloseDatabase {
    void operator()(SqlDatabase* database) const;
};
using Database = std::unique_ptr<SqlDatabase, CloseDatabase>;

// Throws std::runtime_error, with one line for the operator, where the URL is wrong, nobody is behind it, or its schema is older than
// what this program needs.
Database open_database(DatabaseConfig config, ports::Telemetry& telemetry);

// The schema, as crawlerctl sees and changes it. All three throw std::runtime_error with one line for the operator.
struct MigrationState {
    int version = 0;
    std::string name;
    std::size_t statements = 0;
    std::size_t statements_done = 0;
    std::optional<TimePoint> applied_at;
};
std::vector<MigrationState> migration_status(const DatabaseConfig& config);
// What migrate would run now, in order.
std::vector<std::string> missing_statements(const DatabaseConfig& config);
// Called before every statement, and once after the last: version, name, statements done, statements in all.
using MigrationProgress = std::function<void(int, std::string_view, std::size_t, std::size_t)>;
// Applies what is missing. Several may be started at once: one works, the others wait and find nothing to do. What was cut off goes on
// where it stopped.
void migrate(const DatabaseConfig& config, const ports::Clock& clock, const MigrationProgress& progress);

std::unique_ptr<ports::SellerStore> make_sql_seller_store(SqlDatabase& database);
std::unique_ptr<ports::ExecutionStore> make_sql_execution_store(SqlDatabase& database);
std::unique_ptr<ports::TaskStore> make_sql_task_store(SqlDatabase& database);
std::unique_ptr<ports::OutboxStore> make_sql_task_outbox(SqlDatabase& database);
std::unique_ptr<ports::OutboxStore> make_sql_scheduler_outbox(SqlDatabase& database);
std::unique_ptr<ports::OutboxStore> make_sql_product_outbox(SqlDatabase& database);
std::unique_ptr<ports::RawStore> make_sql_raw_store(SqlDatabase& database);
std::unique_ptr<ports::ProductStore> make_sql_product_store(SqlDatabase& database);
// Throws std::invalid_argument where the keys are no good.
std::unique_ptr<ports::UserAgentStore> make_sql_user_agent_store(SqlDatabase& database, TokenKeys keys);
// The pool on the ledger: any number of processes share one database and one budget.
std::unique_ptr<ports::IdentityPool> make_sql_identity_pool(SqlDatabase& database, SqlIdentityPoolConfig config,
                                                            TokenKeys keys, const ports::Clock& clock,
                                                            ports::IdGenerator& ids);
// Seals every token anew that is not sealed with the current key, a few per transaction.
struct Resealed {
    std::size_t resealed = 0;
    std::size_t current = 0;     // were so already
    std::size_t unreadable = 0;  // their key is gone: the pool opens new sessions
};
Async<Result<Resealed>> reseal_tokens(SqlDatabase& database, TokenKeys keys);
std::unique_ptr<ports::RequestLedger> make_sql_request_ledger(SqlDatabase& database);
std::unique_ptr<ports::Leases> make_sql_leases(SqlDatabase& database, const ports::Clock& clock);
std::unique_ptr<ports::Retention> make_sql_retention(SqlDatabase& database);
std::unique_ptr<ports::RunConclusions> make_sql_run_conclusions(SqlDatabase& database);
std::unique_ptr<ports::Overview> make_sql_overview(SqlDatabase& database);
std::unique_ptr<ports::Invariants> make_sql_invariants(SqlDatabase& database);
// What make_sql_invariants checks, without a database.
std::vector<ports::Invariants::Rule> sql_invariant_rules();

}  // namespace crawler::adapters

#include "adapters/sql/database.hpp"
#include "adapters/sql/execution_rows.hpp"
#include "adapters/sql/outbox_rows.hpp"
#include "adapters/sql/seller_rows.hpp"
#include "adapters/sql/task_rows.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

Result<> start_in(Session& session, const ports::NewRun& run) {
    if (auto saved = update_seller(session, run.seller); !saved) return saved;
    // Two that start a run of one seller have met at the seller's row; the second sees what the first has done.
    if (auto open = find_open_execution(session, run.seller.state().id, ForUpdate::yes)) {
        const auto given_up = open->give_way(run.give_up_before, run.execution.state().started_at);
        if (!given_up) return given_up;
        update_execution(session, *open);
    }
    insert_execution(session, run.execution);
    insert_tasks(session, run.tasks);
    insert_entries(session, task_outbox_table, run.outbox);
    return {};
}

class SqlExecutionStore final : public ports::ExecutionStore {
  public:
    explicit SqlExecutionStore(SqlDatabase& database) : database_(database) {}

    Async<Result<>> start(ports::NewRun run) override {
        auto body = [run = std::move(run)](Session& session) { return start_in(session, run); };
        co_return co_await database_.transact(std::move(body));
    }

    Async<Result<CrawlingScheduleExecution>> find(ExecutionId id) override {
        auto body = [id = std::move(id)](Session& session) { return load_execution(session, id, ForUpdate::no); };
        co_return co_await database_.read(std::move(body));
    }

    Async<Result<std::optional<CrawlingScheduleExecution>>> open_run(SellerId seller) override {
        auto body = [seller = std::move(seller)](Session& s) -> Result<std::optional<CrawlingScheduleExecution>> {
            return find_open_execution(s, seller, ForUpdate::no);
        };
        co_return co_await database_.read(std::move(body));
    }

  private:
    SqlDatabase& database_;
};

}  // namespace

std::unique_ptr<ports::ExecutionStore> make_sql_execution_store(SqlDatabase& database) {
    return std::make_unique<SqlExecutionStore>(database);
}

}  // namespace crawler::adapters

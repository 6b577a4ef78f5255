// By which index MariaDB finds what a claim or a purge looks for: what is walked over or sorted costs nothing in a test and everything
// in a table of months.
#include <soci/soci.h>

#include <catch2/catch_test_macros.hpp>
#include <mutex>

#include "adapters/sql/packed_text.hpp"
#include "contract/fixtures/sql.hpp"

using namespace crawler;
using namespace crawler::test;
using ports::Expendable;

namespace {

// Stores whose statements are written down.
class Watched {
  public:
    Watched() {
        const auto note = [this](std::string_view statement) {
            const std::lock_guard hold(guard_);
            statements_.emplace_back(statement);
        };
        w.database = adapters::open_database(
            {.url = w.place.url(), .min_connections = 1, .max_connections = 1, .before_statement = note}, *w.telemetry);
        outboxes.push_back(adapters::make_sql_task_outbox(*w.database));
        outboxes.push_back(adapters::make_sql_scheduler_outbox(*w.database));
        outboxes.push_back(adapters::make_sql_product_outbox(*w.database));
        raws = adapters::make_sql_raw_store(*w.database);
        retention = adapters::make_sql_retention(*w.database);
    }

    // Those that have a value in them, each once.
    std::vector<std::string> taken_down() {
        const std::lock_guard hold(guard_);
        std::erase_if(statements_, [](const auto& text) { return text.find('?') == std::string::npos; });
        std::ranges::sort(statements_);
        const auto twice = std::ranges::unique(statements_);
        statements_.erase(twice.begin(), twice.end());
        return std::exchange(statements_, {});
    }
    void forget() { (void)taken_down(); }
    void execute(const std::string& statement) { execute_sql(w.place.url(), statement); }

    MariaDbStores w;
    std::vector<std::unique_ptr<ports::OutboxStore>> outboxes;
    std::unique_ptr<ports::RawStore> raws;
    std::unique_ptr<ports::Retention> retention;

  private:
    std::mutex guard_;
    std::vector<std::string> statements_;
};

// One row of EXPLAIN.
struct Step {
    std::string table;
    std::string key;
    std::string extra;
};

// The statement with these values; where they are too few, each is '1'.
std::string with_values(const std::string& statement, const std::vector<std::string>& values) {
    std::string text;
    std::size_t next = 0;
    for (const char c : statement) {
        if (c != '?') {
            text += c;
            continue;
        }
        text += next < values.size() ? values[next] : "'1'";
        ++next;
    }
    return text;
}

std::vector<Step> plan_of(const std::string& url, const std::string& statement) {
    const auto dialect = adapters::sql::make_dialect({.url = url});
    const auto connection = dialect->connect();
    const soci::rowset<soci::row> rows = (connection->prepare << "EXPLAIN " + statement);
    std::vector<Step> steps;
    for (const auto& row : rows)
        steps.push_back(
            {row.get<std::string>("table", ""), row.get<std::string>("key", ""), row.get<std::string>("Extra", "")});
    return steps;
}

// The table is found by this key, all others by some key, and nothing is sorted.
void check_plan(const std::string& url, const std::string& statement, const std::string& table,
                const std::string& key) {
    INFO(statement);
    const auto steps = plan_of(url, statement);
    REQUIRE_FALSE(steps.empty());
    CHECK(steps.front().table == table);
    CHECK(steps.front().key == key);
    for (const auto& step : steps) {
        INFO(step.table << " by " << step.key << ": " << step.extra);
        CHECK_FALSE(step.key.empty());
        CHECK(step.extra.find("filesort") == std::string::npos);
        CHECK(step.extra.find("temporary") == std::string::npos);
    }
}

const std::string now = std::to_string(t0.time_since_epoch().count());
const std::string ids = "LPAD(seq, 6, '0')";

// Two thousand entries, most of them of one lane, and as many that were sent.
void fill_outbox(Watched& f, const std::string& table) {
    const std::string columns =
        " (id, subject, message_group, lane, payload, idempotency_key, status, attempt, retry_count, due_at, "
        "error_message, "
        "created_at, waiting_lane, ready_at, done_at) SELECT ";
    const std::string lane = "IF(seq < 60, CONCAT('lane-', seq MOD 30), 'along')";
    f.execute("INSERT INTO " + table + columns + "CONCAT('a', " + ids + "), CONCAT('s', seq), 'g', " + lane +
              ", '{}', CONCAT('k', seq), 'PENDING', 0, 0, " + now + " - seq, '', 1, " + lane + ", " + now +
              " - seq, NULL FROM seq_1_to_2000");
    f.execute("INSERT INTO " + table + columns + "CONCAT('b', " + ids + "), CONCAT('t', seq), 'g', 'along', '{}', " +
              "CONCAT('l', seq), 'SENT', 1, 0, 1, '', 1, NULL, NULL, seq FROM seq_1_to_2000");
    f.execute("ANALYZE TABLE " + table);
}

void fill_raws(Watched& f) {
    const std::string columns =
        " (id, task_id, seller_id, type, fetched_at, http_status, body, content_hash, status, attempt, retry_count, "
        "lost_count, reason, waiting_lane, ready_at, done_at) SELECT ";
    const std::string lane = "IF(seq < 60, CONCAT('lane-', seq MOD 30), 'along')";
    const std::string hash(64, '0');
    const auto body = adapters::sql::pack("answer");
    f.execute("INSERT INTO crawled_raw" + columns + "CONCAT('a', " + ids + "), 't', " + lane + ", 'MINISHOP', " + now +
              " - seq, 200, '" + body + "', '" + hash + "', 'PENDING', 0, 0, 0, '', " + lane + ", " + now +
              " - seq, NULL FROM seq_1_to_2000");
    f.execute("INSERT INTO crawled_raw" + columns + "CONCAT('b', " + ids +
              "), 't', 'along', 'MINISHOP', 1, 200, '', '" + hash +
              "', 'PROCESSED', 1, 0, 0, '', NULL, NULL, seq FROM seq_1_to_2000");
    f.execute("ANALYZE TABLE crawled_raw");
}

void fill_tasks_and_ledger(Watched& f) {
    f.execute(
        "INSERT INTO crawling_schedule_executions (id, seller_id, status, total_tasks, completed_tasks, failed_tasks, "
        "failure_reason, proof, started_at, completed_at, updated_at, revision) SELECT CONCAT('e', seq), 'shop', "
        "'COMPLETED', 100, 100, 0, '', '{}', 1, 1, 1, 1 FROM seq_1_to_2000");
    f.execute(
        "INSERT INTO crawler_tasks (id, execution_id, seller_id, type, request_url, status, attempt, retry_count, "
        "rescue_count, publications, error_message, created_at, completed_at, updated_at, revision, "
        "request_digest) SELECT CONCAT('a', " +
        ids +
        "), CONCAT('e', 1 + seq MOD 20), 'shop', 'MINISHOP', '/', 'COMPLETED', 1, 0, 0, 1, '', 1, seq, 1, 1, SHA2(seq, "
        "256) "
        "FROM seq_1_to_4000");
    f.execute("INSERT INTO request_ledger (reservation, identity_id, reserved_at, lease_end) SELECT CONCAT('a', " +
              ids + "), 'ua-1', seq, 1 FROM seq_1_to_4000");
    for (const std::string table : {"crawling_schedule_executions", "crawler_tasks", "request_ledger"})
        f.execute("ANALYZE TABLE " + table);
}

// A claim looks for lanes, takes a first helping from each, and a second one from those that have more.
template <class Claim>
void check_claim(Watched& f, const std::string& table, const std::string& key, Claim claim) {
    f.forget();
    claim();
    int helpings = 0;
    int looks = 0;
    for (const auto& statement : f.taken_down()) {
        if (statement.starts_with("UPDATE ")) {
            check_plan(f.w.place.url(), with_values(statement, {}), table, "PRIMARY");
        } else if (statement.find("FOR UPDATE SKIP LOCKED") == std::string::npos) {
            ++looks;
            check_plan(f.w.place.url(), with_values(statement, {now, "'lane-1'", "100"}), table, key);
        } else {
            ++helpings;
            const bool is_second = std::ranges::count(statement, '?') == 6;
            const std::vector<std::string> first{"'along'", now, "10"};
            const std::vector<std::string> second{"'along'", now, "1000", "1000", "'a000100'", "10"};
            check_plan(f.w.place.url(), with_values(statement, is_second ? second : first), table, key);
        }
    }
    CHECK(looks == 2);  // along the line, and round
    CHECK(helpings == 2);
}

}  // namespace

TEST_CASE("plans: claims from the outboxes follow the line", "[integration][plans]") {
    Watched f;
    const std::vector<std::pair<std::string, std::string>> tables{{"crawl_task_outbox", "task_outbox_line"},
                                                                  {"scheduler_outbox", "scheduler_outbox_line"},
                                                                  {"product_outbox", "product_outbox_line"}};
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const auto& [table, key] = tables[i];
        fill_outbox(f, table);
        check_claim(f, table, key, [&] { REQUIRE(f.w.run(f.outboxes[i]->claim(90, t0, 60s))->size() == 90); });
    }
}

TEST_CASE("plans: claims of answers follow the line", "[integration][plans]") {
    Watched f;
    fill_raws(f);

    check_claim(f, "crawled_raw", "raw_line", [&] { REQUIRE(f.w.run(f.raws->claim(90, t0, 60s))->size() == 90); });
}

TEST_CASE("plans: purges follow the time at which things came to their end", "[integration][plans]") {
    Watched f;
    for (const std::string table : {"crawl_task_outbox", "scheduler_outbox", "product_outbox"}) fill_outbox(f, table);
    fill_raws(f);
    fill_tasks_and_ledger(f);

    struct Shelf {
        Expendable what;
        std::string table;
        std::string key;
    };
    const std::vector<Shelf> shelves{{Expendable::finished_tasks, "crawler_tasks", "tasks_by_end"},
                                     {Expendable::sent_tasks, "crawl_task_outbox", "task_outbox_done"},
                                     {Expendable::sent_schedules, "scheduler_outbox", "scheduler_outbox_done"},
                                     {Expendable::sent_products, "product_outbox", "product_outbox_done"},
                                     {Expendable::superseded_raws, "crawled_raw", "raw_done"},
                                     {Expendable::ledger_entries, "request_ledger", "ledger_by_time"}};
    REQUIRE(shelves.size() == names(Expendable{}).size());
    for (const auto& shelf : shelves) {
        INFO(shelf.table);
        f.forget();
        REQUIRE(*f.w.run(f.retention->purge(shelf.what, TimePoint{Duration{1000}}, 50)) == 50);

        const auto statements = f.taken_down();
        REQUIRE(statements.size() == 2);
        CHECK(statements[0].starts_with("DELETE FROM " + shelf.table));
        check_plan(f.w.place.url(), with_values(statements[0], {}), shelf.table, "PRIMARY");
        check_plan(f.w.place.url(), with_values(statements[1], {"1000", "100", "100", "'a000100'", "50"}), shelf.table,
                   shelf.key);
    }
}

TEST_CASE("plans: what a run left behind is read page by page, and what waits by its seller's line",
          "[integration][plans]") {
    Watched f;
    fill_raws(f);
    fill_tasks_and_ledger(f);
    f.execute("UPDATE crawling_schedule_executions SET proof = NULL WHERE id = 'e1'");
    const auto conclusions = adapters::make_sql_run_conclusions(*f.w.database);
    f.forget();

    (void)f.w.run(conclusions->evidence(ExecutionId{"e1"}));  // it ends with the first task that cannot be read

    const auto statements = f.taken_down();
    const auto plan = [&](std::string_view part, const std::vector<std::string>& values, const std::string& table,
                          const std::string& key) {
        const auto found =
            std::ranges::find_if(statements, [&](const auto& text) { return text.find(part) != std::string::npos; });
        REQUIRE(found != statements.end());
        check_plan(f.w.place.url(), with_values(*found, values), table, key);
    };
    plan("WHERE waiting_lane = ?", {"'shop'", "'e1'"}, "crawled_raw", "raw_line");
    plan("request_digest > ?", {"'e1'", "''", "100"}, "crawler_tasks", "tasks_by_request");
}

// What the outbox and the start of a run cost on a database: many rows at a time against one by one and against the least that the
// database itself needs, a table full of finished rows against a small one, a large seller against a small one.
#include <soci/soci.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "adapters/memory/memory.hpp"
#include "adapters/sql/dialect.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "bench/measure.hpp"
#include "coro/block_on.hpp"
#include "support/builders.hpp"
#include "support/databases.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;
using bench::median;
using bench::seconds;

constexpr int rounds = 5;
constexpr int entries = 20'000;
constexpr int entries_one_by_one = 1'000;
constexpr int batch = 500;
constexpr int claims = 40;

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

template <class T>
T value_of(Result<T> result) {
    if (!result) give_up(result.error().detail);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

class Bench {
  public:
    explicit Bench(const std::string& url)
        : database_(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 2}, *telemetry_)),
          sellers_(adapters::make_sql_seller_store(*database_)),
          executions_(adapters::make_sql_execution_store(*database_)),
          outbox_(adapters::make_sql_task_outbox(*database_)),
          by_hand_(adapters::sql::make_dialect({.url = url})->connect()) {
        ports::SellerAndSchedule both{a_seller("shop"), a_schedule("s-shop").of("shop")};
        value_of(wait(sellers_->add(both, an_entry("order-shop", "shop").in_lane("shop").build())));
    }

    // A run of so many tasks with an outbox entry each, as the trigger stores it.
    void start_run(int tasks) {
        auto seller = value_of(wait(sellers_->find(seller_id("shop"))));
        const auto now = clock_->now();
        auto run = CrawlingScheduleExecution::begin(ids_->make<ExecutionId>(), seller_id("shop"), now);
        value_of(run.tasks_created(tasks, now));
        ports::NewRun started{seller, run, {}, {}, TimePoint::max()};  // the run before it gives way
        for (int i = 0; i < tasks; ++i) {
            auto task = CrawlerTask::create(ids_->make<TaskId>(), run.state().id, seller_id("shop"),
                                            a_listing_url(i, "shop"), now);
            started.outbox.push_back(task.publication(ids_->make<OutboxId>(), now));
            started.tasks.push_back(std::move(task));
        }
        last_start_ = seconds([&] { value_of(wait(executions_->start(std::move(started)))); });
    }
    double last_start() const { return last_start_; }

    void fill(int rows) {
        *by_hand_ << "DELETE FROM crawl_task_outbox";
        *by_hand_ << "DELETE FROM crawler_tasks";
        for (int made = 0; made < rows; made += 1000) start_run(1000);
    }

    // What outbox-relay does, without the sending; how many entries.
    int claim_and_complete(int limit) {
        auto claimed = claim(limit);
        for (auto& entry : claimed) value_of(entry.mark_sent());
        const auto count = claimed.size();
        if (count > 0 && value_of(wait(outbox_->settle(std::move(claimed), clock_->now()))) != count)
            give_up("a claim was lost");
        return static_cast<int>(count);
    }
    std::vector<OutboxEntry> claim(int limit) {
        return value_of(wait(outbox_->claim(limit, clock_->now(), std::chrono::minutes{5})));
    }

    // The least that moving every entry could be: one statement that reads them all, one that changes them all.
    void scan_and_update() {
        soci::transaction whole(*by_hand_);
        scan();
        *by_hand_
            << "UPDATE crawl_task_outbox SET status = 'SENT', attempt = attempt + 1, done_at = 1, ready_at = NULL, "
               "waiting_lane = NULL WHERE waiting_lane = 'shop'";
        whole.commit();
    }
    // What a relay that can die changes, each for all rows at once: the claim, the end of it, and the task.
    void scan_and_update_all_it_changes() {
        soci::transaction whole(*by_hand_);
        scan();
        *by_hand_ << "UPDATE crawl_task_outbox SET status = 'PROCESSING', lease_until = 9000000000000000, ready_at = "
                     "9000000000000000, attempt = attempt + 1 WHERE waiting_lane = 'shop'";
        *by_hand_ << "UPDATE crawl_task_outbox SET status = 'SENT', done_at = 1, lease_until = NULL, ready_at = NULL, "
                     "waiting_lane = NULL WHERE waiting_lane = 'shop'";
        *by_hand_ << "UPDATE crawler_tasks SET status = 'PUBLISHED', published_at = 1, updated_at = 1, watch_at = 1, "
                     "revision = revision + 1";
        whole.commit();
    }

    // Doubles the finished entries until there are so many.
    void finished(int wanted) {
        for (int there = count(); there < wanted; there = count()) {
            std::printf("  %d finished entries\r", there);
            std::fflush(stdout);
            *by_hand_
                << "INSERT INTO crawl_task_outbox (id, subject, message_group, lane, payload, idempotency_key, "
                   "status, attempt, retry_count, due_at, lease_until, error_message, created_at, waiting_lane, "
                   "ready_at, done_at) SELECT " +
                       new_ids() +
                       ", message_group, lane, payload, idempotency_key, status, attempt, "
                       "retry_count, due_at, lease_until, error_message, created_at, waiting_lane, ready_at, done_at "
                       "FROM crawl_task_outbox LIMIT " +
                       std::to_string(wanted - there);
        }
    }

  private:
    template <class T>
    T wait(Async<T> work) {
        return coro::block_on(io_, std::move(work));
    }
    void scan() {
        std::size_t read = 0;
        const soci::rowset<soci::row> rows =
            (by_hand_->prepare << "SELECT id, subject, message_group, lane, payload, idempotency_key, status, attempt, "
                                  "retry_count, due_at, lease_until, error_message, created_at FROM crawl_task_outbox "
                                  "WHERE waiting_lane = 'shop' ORDER BY ready_at, id");
        for (auto row = rows.begin(); row != rows.end(); ++row) read += row->size() > 0 ? 1 : 0;
        if (read != entries) give_up("the scan found " + std::to_string(read) + " entries");
    }
    int count() {
        int rows = 0;
        *by_hand_ << "SELECT COUNT(*) FROM crawl_task_outbox", soci::into(rows);
        return rows;
    }
    // Ids and subjects that nobody has.
    std::string new_ids() const {
        const std::string id = by_hand_->get_backend_name() == "sqlite3" ? "lower(hex(randomblob(16)))" : "UUID()";
        return id + ", " + id;
    }

    boost::asio::io_context io_{1};
    std::unique_ptr<ports::Clock> clock_ = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids_ = adapters::make_uuid_generator(*clock_);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();
    adapters::Database database_;
    std::unique_ptr<ports::SellerStore> sellers_;
    std::unique_ptr<ports::ExecutionStore> executions_;
    std::unique_ptr<ports::OutboxStore> outbox_;
    std::unique_ptr<soci::session> by_hand_;
    double last_start_ = 0;
};

bool all_met = true;

// Goals are for a server; what a file does is printed beside.
void say(const std::string& what, double ratio, const char* wanted, std::optional<bool> is_met) {
    if (is_met) {
        all_met = bench::judge(what, bench::with_decimals(ratio, 2), wanted, *is_met) && all_met;
        return;
    }
    std::printf("  %-66s %7.2fx\n", what.c_str(), ratio);
    std::fflush(stdout);
}

std::vector<double> ratios_of(const std::vector<double>& ours, const std::vector<double>& theirs) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
    return ratios;
}

void outbox_speed(Bench& bench, bool has_goal) {
    std::vector<double> batched;
    std::vector<double> single;
    std::vector<double> least;
    std::vector<double> same;
    for (int round = 0; round < rounds; ++round) {
        bench.fill(entries);
        batched.push_back(entries / seconds([&] {
                              while (bench.claim_and_complete(batch) > 0) {
                              }
                          }));
        bench.fill(entries_one_by_one);
        single.push_back(entries_one_by_one / seconds([&] {
                             while (bench.claim_and_complete(1) > 0) {
                             }
                         }));
        bench.fill(entries);
        least.push_back(entries / seconds([&] { bench.scan_and_update(); }));
        bench.fill(entries);
        same.push_back(entries / seconds([&] { bench.scan_and_update_all_it_changes(); }));
    }
    std::printf("  claim + complete, batches of %d: %.0f entries/s; one by one: %.0f/s\n", batch, median(batched),
                median(single));
    std::printf(
        "  at once, by hand: one scan + one UPDATE: %.0f/s; one scan + claim, end and task, an UPDATE each: %.0f/s\n",
        median(least), median(same));
    const auto to_single = median(ratios_of(batched, single));
    const auto to_least = median(ratios_of(batched, least));
    say("entries claimed and completed in batches / one by one", to_single, ">= 15",
        has_goal ? std::optional(to_single >= 15) : std::nullopt);
    say("entries claimed and completed / one scan and one UPDATE by hand", to_least, ">= 0.35",
        has_goal ? std::optional(to_least >= 0.35) : std::nullopt);
    say("against one scan + the same changes at once", median(ratios_of(batched, same)), "", std::nullopt);
}

double claim_cost(Bench& bench, int finished) {
    bench.finished(finished);
    for (int i = 0; i < claims * batch; i += 1000) bench.start_run(1000);
    std::vector<double> costs;
    for (int i = 0; i < claims; ++i) {
        costs.push_back(seconds([&] {
            if (std::ssize(bench.claim(batch)) != batch) give_up("there was nothing to claim");
        }));
    }
    return median(costs);
}

void finished_rows(Bench& bench, bool has_goal) {
    bench.fill(10'000);
    while (bench.claim_and_complete(batch) > 0) {
    }
    const auto few = claim_cost(bench, 10'000);
    bench.fill(10'000);
    while (bench.claim_and_complete(batch) > 0) {
    }
    const auto many = claim_cost(bench, 1'000'000);
    std::printf("  a claim of %d among 10,000 finished entries: %.2f ms; among 1,000,000: %.2f ms\n", batch, few * 1000,
                many * 1000);
    const auto ratio = many / few;
    say("a claim among 1,000,000 finished entries / among 10,000", ratio, "<= 1.3",
        has_goal ? std::optional(ratio <= 1.3) : std::nullopt);
}

void large_seller(Bench& bench, bool has_goal) {
    bench.fill(0);
    std::vector<double> large;
    std::vector<double> small;
    std::vector<double> ratios;
    for (int round = 0; round < 2 * rounds + 1; ++round) {
        bench.start_run(100);
        small.push_back(bench.last_start());
        bench.start_run(2000);
        large.push_back(bench.last_start());
        ratios.push_back(large.back() / small.back());
    }
    std::printf("  start of a run of 100 tasks: %.1f ms; of 2,000 (1,000,000 products): %.1f ms\n",
                median(small) * 1000, median(large) * 1000);
    const auto ratio = median(ratios);
    say("start of a run of 2,000 tasks / of 100", ratio, "<= 20", has_goal ? std::optional(ratio <= 20) : std::nullopt);
}

void measure(const char* name, const std::string& url, bool has_goal) {
    std::printf("%s\n", name);
    Bench bench(url);
    outbox_speed(bench, has_goal);
    large_seller(bench, has_goal);
    finished_rows(bench, has_goal);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a database there is nothing to measure
int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--help") {
        std::puts(
            "usage: bench_database\n\nMeasures the task outbox and the start of a run on a durable MariaDB server "
            "(make bench "
            "starts it)\nand, beside, on a SQLite file. Median of several rounds, alternating. Exit code 1 where a "
            "goal is "
            "not met.");
        return 0;
    }
    const MariaDbSchema mariadb;
    measure("MariaDB, durable", mariadb.url(), true);
    const SqliteFile sqlite;
    measure("SQLite", sqlite.url(), false);
    return all_met ? 0 : 1;
}

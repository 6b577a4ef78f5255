// How many answers a second product-sync works into products, on a file and on a server: listing pages of 500 items, details that are
// new, options, and the details of the next day, of which one in ten has changed.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "adapters/memory/memory.hpp"
#include "adapters/mustit/mustit.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "application/absorb_raw.hpp"
#include "bench/measure.hpp"
#include "codec/sha256.hpp"
#include "coro/block_on.hpp"
#include "support/builders.hpp"
#include "support/databases.hpp"

namespace {

using namespace crawler;
using namespace crawler::test;
using bench::seconds;

constexpr int pages = 10;
constexpr int page_size = 500;
constexpr int items = pages * page_size;
constexpr ItemNo first_item = 118'000'000;
const std::string shop = "dmont";

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

template <class T>
T value_of(Result<T> result) {
    if (!result) give_up(result.error().detail);
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

std::string sample(const std::string& name) {
    std::ifstream in(std::string(CRAWLER_SAMPLES) + "/" + name, std::ios::binary);
    if (!in) give_up("cannot read " + name);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

// The text with every number after `before` replaced.
std::string with_number(std::string text, const std::string& before, std::int64_t number) {
    const auto value = std::to_string(number);
    for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
        at += before.size();
        text.replace(at, text.find_first_not_of("0123456789", at) - at, value);
    }
    return text;
}

// Reads listings as those of the memory marketplace, and what is about one item as the real one's.
class Reader final : public ports::Marketplace {
  public:
    explicit Reader(const adapters::Catalogue& catalogue) : listings_(adapters::make_memory_marketplace(catalogue)) {}

    Async<Result<std::int64_t>> count_items(SellerId seller, ports::Slot slot) override {
        co_return co_await listings_->count_items(std::move(seller), std::move(slot));
    }
    Async<Result<ports::Page>> fetch(CrawlerTask task, ports::Slot slot) override {
        co_return co_await listings_->fetch(std::move(task), std::move(slot));
    }
    Async<Result<Secret>> open_session(ports::Slot slot) override {
        co_return co_await listings_->open_session(std::move(slot));
    }
    Result<std::vector<Facet>> read(const CrawledRaw& raw) const override {
        const auto& state = raw.state();
        if (state.type == TaskType::minishop) return listings_->read(raw);
        auto facet = state.type == TaskType::product_detail ? adapters::mustit::read_detail(state.body)
                                                            : adapters::mustit::read_options(state.body, *state.item);
        if (!facet) return facet.error();
        facet->fetched_at = state.fetched_at;
        return std::vector{*std::move(facet)};
    }

  private:
    std::unique_ptr<ports::Marketplace> listings_;
};

class Bench {
  public:
    explicit Bench(const std::string& url)
        : database_(adapters::open_database({.url = url, .min_connections = 1, .max_connections = 2}, *telemetry_)) {
        auto& shelf = catalogue_[shop];
        for (int i = 0; i < items; ++i) shelf.push_back({first_item + i, "상품 " + std::to_string(i), 545'600, {}});
        ports::SellerAndSchedule both{a_seller(shop), a_schedule("s-shop").of(shop)};
        value_of(wait(sellers_->add(both, an_entry("order-shop", shop).in_lane(shop).build())));
    }

    void store_listings() {
        std::vector<CrawledRaw> raws;
        for (int page = 0; page < pages; ++page) {
            const auto task = a_task().of_seller(shop).asking(a_listing_url(page, shop)).build();
            auto answer = value_of(wait(reader_.fetch(task, {})));
            raws.push_back(raw_of(TaskType::minishop, std::nullopt, std::move(answer.body)));
        }
        store(std::move(raws));
    }
    // One in ten has another price than the day before.
    void store_details(int day) {
        std::vector<CrawledRaw> raws;
        for (int i = 0; i < items; ++i) {
            auto body = with_number(detail_, "\"itemNo\": ", first_item + i);
            if (i % 10 == 0) body = with_number(body, "\"sellingPrice\": ", 600'000 + day);
            raws.push_back(raw_of(TaskType::product_detail, first_item + i, std::move(body)));
        }
        store(std::move(raws));
    }
    void store_options() {
        std::vector<CrawledRaw> raws;
        for (int i = 0; i < items; ++i)
            raws.push_back(raw_of(TaskType::product_option, first_item + i,
                                  with_number(options_, "\"itemNo\": ", first_item + i)));
        store(std::move(raws));
    }

    double absorb_all(int batch, int expected) {
        application::AbsorbRaw absorb({*raws_, *products_, reader_, *ids_, *clock_, *telemetry_}, {.batch = batch});
        std::size_t absorbed = 0;
        const auto took = seconds([&] {
            for (std::size_t now = 1; now > 0; absorbed += now) now = value_of(wait(absorb.run_once()));
        });
        for (const auto& event : telemetry_->events()) {
            if (const auto* bad = std::get_if<ports::RawQuarantined>(&event)) give_up(bad->error.detail);
        }
        if (absorbed != static_cast<std::size_t>(expected)) give_up(std::to_string(absorbed) + " answers absorbed");
        return expected / took;
    }

  private:
    template <class T>
    T wait(Async<T> work) {
        return coro::block_on(io_, std::move(work));
    }
    CrawledRaw raw_of(TaskType type, std::optional<ItemNo> item, std::string body) {
        const auto hash = codec::sha256(body);
        return CrawledRaw::keep({.id = ids_->make<RawId>(),
                                 .task = task_id(),
                                 .seller = seller_id(shop),
                                 .item = item,
                                 .type = type,
                                 .fetched_at = clock_->now(),
                                 .http_status = 200,
                                 .body = std::move(body),
                                 .content_hash = hash});
    }
    TaskId task_id() const { return TaskId{"t-" + std::to_string(runs_)}; }
    void store(std::vector<CrawledRaw> raws) {
        auto seller = value_of(wait(sellers_->find(seller_id(shop))));
        const ExecutionId id{"e-" + std::to_string(runs_)};
        auto run = CrawlingScheduleExecution::begin(id, seller_id(shop), clock_->now());
        value_of(run.tasks_created(1, clock_->now()));
        auto task = a_running_task(task_id().value, id.value).of_seller(shop).build();
        value_of(wait(executions_->start({seller, run, {task}, {}})));
        value_of(task.complete(clock_->now()));
        value_of(wait(tasks_->finish({.task = task, .raws = std::move(raws)})));
        ++runs_;
    }

    boost::asio::io_context io_{1};
    std::unique_ptr<ports::Clock> clock_ = adapters::make_system_clock();
    std::unique_ptr<ports::IdGenerator> ids_ = adapters::make_uuid_generator(*clock_);
    std::unique_ptr<adapters::MemoryTelemetry> telemetry_ = adapters::make_memory_telemetry();
    adapters::Catalogue catalogue_;
    Reader reader_{catalogue_};
    std::string detail_ = sample("detail.json");
    std::string options_ = sample("options.json");
    adapters::Database database_;
    std::unique_ptr<ports::SellerStore> sellers_ = adapters::make_sql_seller_store(*database_);
    std::unique_ptr<ports::ExecutionStore> executions_ = adapters::make_sql_execution_store(*database_);
    std::unique_ptr<ports::TaskStore> tasks_ = adapters::make_sql_task_store(*database_);
    std::unique_ptr<ports::RawStore> raws_ = adapters::make_sql_raw_store(*database_);
    std::unique_ptr<ports::ProductStore> products_ = adapters::make_sql_product_store(*database_);
    int runs_ = 0;
};

void measure(const char* name, const std::string& url) {
    Bench bench(url);
    std::printf("%s\n", name);
    bench.store_listings();
    const auto listing = bench.absorb_all(50, pages);
    std::printf("  listing pages of %d: %8.1f/s, %8.0f products/s\n", page_size, listing, listing * page_size);
    bench.store_details(1);
    std::printf("  details, all new:     %8.0f/s\n", bench.absorb_all(50, items));
    bench.store_options();
    std::printf("  options, all new:     %8.0f/s\n", bench.absorb_all(50, items));
    bench.store_details(2);
    std::printf("  details, 10 %% new:    %8.0f/s\n", bench.absorb_all(50, items));
    bench.store_listings();
    std::printf("  listings, unchanged:  %8.1f/s\n", bench.absorb_all(50, pages));
    std::fflush(stdout);
}

}  // namespace

int main() {
    {
        const SqliteFile file;
        measure("SQLite", file.url());
    }
    const MariaDbSchema schema;
    measure("MariaDB", schema.url());
    return 0;
}

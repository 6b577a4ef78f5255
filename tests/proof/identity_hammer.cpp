// One process that asks the marketplace as often as its identity pool lets it, over the wire and in real time. See hammer_test.cpp.
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <iostream>

#include "adapters/http/http.hpp"
#include "adapters/memory/memory.hpp"
#include "adapters/redis/redis.hpp"
#include "adapters/sql/sql.hpp"
#include "adapters/system/system.hpp"
#include "coro/block_on.hpp"
#include "coro/sleep.hpp"
#include "coro/together.hpp"
#include "ports/identity_truth.hpp"

namespace {

using namespace crawler;

struct Options {
    std::string database;
    std::string redis;  // empty: the pool on the database alone
    std::string world;  // its URL
    int seconds = 10;
    int lanes = 8;  // requests under way at once
    int skew_ms = 0;
    int limit = 20;
    int span_ms = 4000;
    int spacing_ms = 200;
    int guard_ms = 1000;
    int lease_ms = 2000;
    bool own_clock = false;
};

// A machine's clock that is wrong.
class SkewedClock final : public ports::Clock {
  public:
    explicit SkewedClock(Duration by) : by_(by) {}
    TimePoint now() const override { return clock_->now() + by_; }

  private:
    std::unique_ptr<ports::Clock> clock_ = adapters::make_system_clock();
    Duration by_;
};

struct Hammer {
    ports::IdentityPool& pool;
    ports::HttpClient& http;
    const ports::Clock& clock;
    std::string url;
    TimePoint end;
    int asked = 0;
    int refused = 0;      // by the marketplace
    int unavailable = 0;  // the pool did not answer, or had nobody
    // By whom slots were given, and how often that changed.
    int by_redis = 0;
    int by_ledger = 0;
    int changes = 0;
    bool last_by_redis = true;

    void note(const ports::Slot& slot) {
        const bool is_by_redis = !ports::block_of(slot.reservation).empty();
        ++(is_by_redis ? by_redis : by_ledger);
        changes += is_by_redis != last_by_redis ? 1 : 0;
        last_by_redis = is_by_redis;
    }
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): main waits for it
Async<> ask(Hammer& hammer, ports::Slot slot) {
    ports::HttpRequest request;
    request.url = hammer.url + "/";
    request.headers.push_back(ports::HttpHeader{"User-Agent", slot.user_agent});
    request.once = true;
    if (hammer.clock.now() > slot.valid_until) co_return;
    const auto answer = co_await hammer.http.send(std::move(request));
    ++hammer.asked;
    if (answer && answer->status == 429) ++hammer.refused;
    const auto outcome = answer ? ports::SlotOutcome::succeeded : ports::SlotOutcome::unanswered;
    ports::SlotReport report(outcome);
    (void)co_await hammer.pool.report(std::move(slot), std::move(report));
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): main waits for it
Async<> keep_asking(Hammer& hammer) {
    while (hammer.clock.now() < hammer.end) {
        auto reserved = co_await hammer.pool.reserve();
        if (!reserved) {
            ++hammer.unavailable;
            co_await coro::sleep(std::chrono::milliseconds{20});
            continue;
        }
        if (auto* slot = std::get_if<ports::Slot>(&*reserved)) {
            hammer.note(*slot);
            co_await ask(hammer, std::move(*slot));
            continue;
        }
        const auto wait = std::get<ports::NextSlotAt>(*reserved).time - hammer.clock.now();
        co_await coro::sleep(std::clamp<Duration>(wait, std::chrono::milliseconds{1}, std::chrono::seconds{1}));
    }
}

void read(int argc, char** argv, CLI::App& app, Options& options) {
    app.add_option("--database", options.database)->required();
    app.add_option("--redis", options.redis, "A server before the database");
    app.add_option("--world", options.world)->required();
    app.add_option("--seconds", options.seconds)->check(CLI::Range(1, 3600))->capture_default_str();
    app.add_option("--lanes", options.lanes)->check(CLI::Range(1, 100))->capture_default_str();
    app.add_option("--skew-ms", options.skew_ms, "Its clock is wrong by so much")->capture_default_str();
    app.add_option("--limit", options.limit)->check(CLI::Range(1, 10'000))->capture_default_str();
    app.add_option("--span-ms", options.span_ms)->check(CLI::Range(1, 3'600'000))->capture_default_str();
    app.add_option("--spacing-ms", options.spacing_ms)->check(CLI::Range(0, 60'000))->capture_default_str();
    app.add_option("--guard-ms", options.guard_ms)->check(CLI::Range(0, 60'000))->capture_default_str();
    app.add_option("--lease-ms", options.lease_ms)->check(CLI::Range(1, 60'000))->capture_default_str();
    app.add_flag("--own-clock", options.own_clock, "Sabotage: the pool goes by this process' clock");
    app.parse(argc, argv);
}

int run(const Options& options) {
    using std::chrono::milliseconds;
    boost::asio::io_context io{1};
    const SkewedClock clock{milliseconds{options.skew_ms}};
    const auto telemetry = adapters::make_memory_telemetry();
    const auto ids = adapters::make_uuid_generator(clock);
    const auto database =
        adapters::open_database({.url = options.database, .min_connections = 1, .max_connections = 4}, *telemetry);
    const adapters::SqlIdentityPoolConfig config{.limits = {.limit = options.limit,
                                                            .span = milliseconds{options.span_ms},
                                                            .spacing = milliseconds{options.spacing_ms},
                                                            .guard = milliseconds{options.guard_ms}},
                                                 .ceiling = {.per_second = 100'000, .per_hour = 1'000'000},
                                                 .lease = milliseconds{options.lease_ms},
                                                 .sessions = {.made_up = true},
                                                 .server_clock = !options.own_clock};
    adapters::TokenKeys keys{.current = "k1", .keys = {{"k1", Secret(std::string(32, 'k'))}}};
    const auto ledger = adapters::make_sql_identity_pool(*database, config, std::move(keys), clock, *ids);
    adapters::Redis link;
    std::unique_ptr<ports::IdentityPool> before;
    if (!options.redis.empty()) {
        link = adapters::open_redis({.url = options.redis, .retry = milliseconds{100}});
        const adapters::RedisIdentityPoolConfig front{.spacing = config.limits.spacing,
                                                      .guard = config.limits.guard,
                                                      .ceiling = config.ceiling,
                                                      .lease = config.lease,
                                                      .hold = std::chrono::seconds{1}};
        before = adapters::make_redis_identity_pool(*link, *ledger, front, clock);
    }
    auto& pool = before ? *before : *ledger;
    const auto http = adapters::make_http_client({.allow_private_addresses = true}, io);

    Hammer hammer{pool, *http, clock, options.world, clock.now() + std::chrono::seconds{options.seconds}};
    std::vector<Async<>> lanes;
    for (int i = 0; i < options.lanes; ++i) lanes.push_back(keep_asking(hammer));
    std::cout << "hammering" << std::endl;
    coro::block_on(io, coro::together(std::move(lanes)));
    std::cout << "asked " << hammer.asked << ", refused by the marketplace " << hammer.refused << ", no slot "
              << hammer.unavailable << " times\n";
    if (before)
        std::cout << "slots by Redis " << hammer.by_redis << ", by the ledger " << hammer.by_ledger << ", changes "
                  << hammer.changes << "\n";
    return 0;
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): without a database there is nothing to hammer
int main(int argc, char** argv) {
    Options options;
    CLI::App app{"One process that asks the marketplace as often as its identity pool lets it."};
    try {
        read(argc, argv, app, options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error);
    }
    return run(options);
}

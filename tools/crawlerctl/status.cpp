#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "adapters/system/system.hpp"
#include "coro/sleep.hpp"
#include "fleet_commands.hpp"
#include "fleet_picture.hpp"
#include "look.hpp"

namespace crawler::ctl {
namespace {

constexpr int most_open_runs = 30;
constexpr int most_recent_runs = 5;

// The newest of those that are over, however they ended.
std::vector<CrawlingScheduleExecution> runs_over_lately(Look& look) {
    auto runs = look.at(look.overview->runs({.status = ExecutionStatus::completed, .limit = most_recent_runs}));
    auto failed = look.at(look.overview->runs({.status = ExecutionStatus::failed, .limit = most_recent_runs}));
    runs.insert(runs.end(), failed.begin(), failed.end());
    std::ranges::sort(runs, std::ranges::greater{}, [](const auto& run) { return run.state().started_at; });
    if (runs.size() > most_recent_runs) runs.erase(runs.begin() + most_recent_runs, runs.end());
    return runs;
}

FleetPicture take_picture(Look& look, ports::IdentityPool& pool) {
    FleetPicture picture{.at = look.clock->now(), .open_runs = {}, .recent_runs = {}, .outboxes = {}, .raws = {}};
    picture.open_runs = look.at(look.overview->runs({.status = ExecutionStatus::in_progress, .limit = most_open_runs}));
    picture.recent_runs = runs_over_lately(look);
    picture.pool = look.at(pool.look(Duration{0}));
    picture.outboxes = look.at(look.overview->outboxes());
    picture.raws = look.at(look.overview->raws());
    for (const auto name : {ports::trigger_queue_name, ports::task_queue_name}) {
        const auto desk = adapters::make_sql_queue_desk(*look.database, std::string(name), *look.clock);
        picture.queues.push_back({std::string(name), look.at(desk->depth())});
    }
    return picture;
}

Async<> pause(Duration length) {
    co_await coro::sleep(length);
}

}  // namespace

int show_status(const std::string& url, const StatusChoice& choice, Format format) {
    constexpr std::string_view clear_screen = "\x1b[H\x1b[2J";
    const bool is_in_place = format != Format::json && choice.pictures != 1 && ::isatty(STDOUT_FILENO) == 1;
    Look look(url);
    const auto ids = adapters::make_uuid_generator(*look.clock);
    const auto pool = adapters::make_sql_identity_pool(*look.database, choice.pool, {}, *look.clock, *ids);
    for (int shown = 1;; ++shown) {
        const auto picture = take_picture(look, *pool);
        std::cout << (is_in_place ? clear_screen : "")
                  << (format == Format::json ? picture_json(picture) + "\n" : picture_text(picture)) << std::flush;
        if (!std::cout) return 0;  // whoever read it has gone
        if (shown == choice.pictures) return 0;
        if (!is_in_place && format != Format::json) std::cout << "\n";
        coro::block_on(look.io, pause(choice.interval));
    }
}

}  // namespace crawler::ctl

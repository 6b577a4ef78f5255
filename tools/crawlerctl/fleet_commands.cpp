#include "fleet_commands.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "database_option.hpp"
#include "pool_rules.hpp"

namespace crawler::ctl {
namespace {

// What the options of one run of the program say; it lives as long as the command line.
struct FleetOptions {
    Format format = Format::table;
    RunListChoice list;
    StatusChoice status;
    std::string run;
    ItemNo item = 0;
    int most = 20;
    bool is_once = false;
    int interval_milliseconds = 1000;
};
using Options = std::shared_ptr<FleetOptions>;

void add_json(CLI::App& command, const Options& options) {
    command.add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON instead of text");
}

void add_most(CLI::App& command, const Options& options, const std::string& what) {
    command.add_option("--most", options->most, what)->check(CLI::Range(1, 1'000'000))->capture_default_str();
}

void add_run(CLI::App& app, const Options& options, int& exit_code) {
    auto* run = app.add_subcommand("run", "Look at runs: one crawl of one seller's catalogue each");
    run->require_subcommand(1);

    auto* list = run->add_subcommand("list", "List runs, the newest first");
    const auto list_database = add_database_option(*list);
    list->add_option("--seller", options->list.seller, "Only runs of this seller");
    list->add_option("--limit", options->list.limit, "List so many at most")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    add_json(*list, options);
    list->callback([options, list_database, &exit_code] {
        exit_code = with_database(
            *list_database, [&](const std::string& url) { return list_runs(url, options->list, options->format); });
    });

    auto* show = run->add_subcommand("show", "Show a run: its tasks, and what is proven of its completeness");
    const auto show_database = add_database_option(*show);
    show->add_option("ID", options->run, "Of the run")->required();
    add_most(*show, options, "Name so many items for each reason at most");
    add_json(*show, options);
    show->callback([options, show_database, &exit_code] {
        exit_code = with_database(*show_database, [&](const std::string& url) {
            return show_run(url, options->run, options->most, options->format);
        });
    });
}

void add_status(CLI::App& app, const Options& options, int& exit_code) {
    auto* status =
        app.add_subcommand("status", "Watch the fleet: runs, identities, queues, outboxes, answers; every second");
    const auto database = add_database_option(*status);
    auto* once = status->add_flag("--once", options->is_once, "Show a single picture");
    status->add_option("--pictures", options->status.pictures, "Stop after so many pictures; 0: never")
        ->check(CLI::Range(0, 1'000'000))
        ->excludes(once);
    status->add_option("--interval-ms", options->interval_milliseconds, "Milliseconds between two pictures")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    add_json(*status, options);
    status->callback([options, database, &exit_code] {
        auto choice = options->status;
        if (options->is_once) choice.pictures = 1;
        choice.interval = std::chrono::milliseconds{options->interval_milliseconds};
        exit_code = with_database(*database, [&](const std::string& url) {
            choice.pool = pool_rules(database->config_file(), runtime::process_environment());
            return show_status(url, choice, options->format);
        });
    });
}

void add_product(CLI::App& app, const Options& options, int& exit_code) {
    auto* product = app.add_subcommand("product", "Look at products");
    product->require_subcommand(1);
    auto* show = product->add_subcommand("show", "Show a product: its facets, its versions, what was told about it");
    const auto database = add_database_option(*show);
    show->add_option("ITEM", options->item, "The marketplace's number of the item")->required();
    add_most(*show, options, "Show so many changes at most");
    add_json(*show, options);
    show->callback([options, database, &exit_code] {
        exit_code = with_database(*database, [&](const std::string& url) {
            return show_product(url, options->item, options->most, options->format);
        });
    });
}

}  // namespace

void add_fleet_commands(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<FleetOptions>();
    add_run(app, options, exit_code);
    add_status(app, options, exit_code);
    add_product(app, options, exit_code);
}

}  // namespace crawler::ctl

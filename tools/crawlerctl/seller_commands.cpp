#include "seller_commands.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "database_option.hpp"

namespace crawler::ctl {
namespace {

// What the options of one run of the program say; it lives as long as the command line.
struct SellerOptions {
    std::string id;
    std::string name;
    std::string external_code;
    std::string status;
    int days = 1;
    ports::SellerQuery query;
    Format format = Format::table;
};
using Options = std::shared_ptr<SellerOptions>;
using Work = std::function<int(const std::string& url)>;

// The one line of what was said wrong; it throws, as what is wrong with the command line does.
template <class T>
T said(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().detail);
    return *std::move(result);
}

SellerId seller_of(const SellerOptions& options) {
    return said(SellerId::parse(options.id));
}

CLI::App& add_command(CLI::App& sellers, const Options& options, const std::string& name, const std::string& meaning,
                      int& exit_code, const Work& work) {
    auto* command = sellers.add_subcommand(name, meaning);
    const auto database = add_database_option(*command);
    command->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON");
    command->callback([database, work, &exit_code] { exit_code = with_database(*database, work); });
    return *command;
}

void add_id(CLI::App& command, const Options& options) {
    command.add_option("SELLER", options->id, "The marketplace's id of the seller")->required();
}

// A command that changes one seller.
CLI::App& add_change(CLI::App& sellers, const Options& options, const std::string& name, const std::string& meaning,
                     int& exit_code, const std::function<application::SellerChange()>& change) {
    auto& command = add_command(sellers, options, name, meaning, exit_code, [=](const std::string& url) {
        return change_seller(url, seller_of(*options), change(), options->format);
    });
    add_id(command, options);
    return command;
}

void add_add(CLI::App& sellers, const Options& options, int& exit_code) {
    auto& add = add_command(sellers, options, "add", "Register a seller: its catalogue is crawled from now on",
                            exit_code, [=](const std::string& url) {
                                application::NewSeller seller{.id = seller_of(*options),
                                                              .name = options->name,
                                                              .interval = said(CrawlingInterval::days(options->days))};
                                if (!options->external_code.empty()) seller.external_code = options->external_code;
                                return add_seller(url, std::move(seller), options->format);
                            });
    add_id(add, options);
    add.add_option("--name", options->name, "What people call the seller")->required();
    add.add_option("--interval", options->days, "Days between two crawls, 1 to 30")->capture_default_str();
    add.add_option("--external-code", options->external_code, "What the product server calls the seller");
}

void add_list(CLI::App& sellers, const Options& options, int& exit_code) {
    auto& list =
        add_command(sellers, options, "list", "List the sellers, by id", exit_code, [=](const std::string& url) {
            options->query.status = parse<SellerStatus>(options->status);
            return list_sellers(url, options->query, options->format);
        });
    list.add_option("--status", options->status, "Those alone: ACTIVE or INACTIVE")
        ->check(CLI::IsMember({"ACTIVE", "INACTIVE"}));
    list.add_option("--offset", options->query.offset, "Leave out so many")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    list.add_option("--limit", options->query.limit, "List so many at most")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
}

// The one command that also needs the trigger queue, wherever that is.
void add_crawl(CLI::App& sellers, const Options& options, int& exit_code) {
    auto* crawl = sellers.add_subcommand("crawl", "Crawl a seller now, whatever its schedule says");
    const auto database = add_database_option(*crawl);
    crawl->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON");
    add_id(*crawl, options);
    crawl->callback([=, &exit_code] {
        exit_code = with_database(*database, [=](const std::string& url) {
            return crawl_seller(url, queue_place(*database, runtime::process_environment()), seller_of(*options),
                                options->format);
        });
    });
}

}  // namespace

void add_seller_commands(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<SellerOptions>();
    auto* sellers = app.add_subcommand("sellers", "Register sellers, change them and list them");
    sellers->require_subcommand(1);
    add_add(*sellers, options, exit_code);
    add_list(*sellers, options, exit_code);
    auto& interval =
        add_change(*sellers, options, "interval", "Change how often a seller is crawled", exit_code,
                   [options] { return application::ChangeInterval{said(CrawlingInterval::days(options->days))}; });
    interval.add_option("DAYS", options->days, "Days between two crawls, 1 to 30")->required();
    auto& rename = add_change(*sellers, options, "rename", "Change what people call a seller", exit_code,
                              [options] { return application::Rename{options->name}; });
    rename.add_option("NAME", options->name, "The new name")->required();
    add_crawl(*sellers, options, exit_code);
    add_change(*sellers, options, "activate", "Crawl a seller again; also puts a rule anew that failed", exit_code,
               [] { return application::Activate{}; });
    add_change(*sellers, options, "deactivate", "Crawl a seller no more; also removes a rule anew where that failed",
               exit_code, [] { return application::Deactivate{}; });
}

}  // namespace crawler::ctl

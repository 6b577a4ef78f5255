#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>

#include "queue_commands.hpp"

namespace crawler::ctl {
namespace {

// What the options of one run of the program say; it lives as long as the command line.
struct QueueOptions {
    Format format = Format::table;
    std::vector<std::string> queues;
    std::string queue;
    int most = 0;
    bool is_dead = false;
    bool is_sure = false;
};
using Options = std::shared_ptr<QueueOptions>;
using Work = std::function<int(const QueuePlace& place)>;

// The exit code of the work; where it cannot begin, one clear line and 2.
int with_queues(const DatabaseOption& option, const Work& work) {
    constexpr int cannot_begin = 2;
    try {
        return work(queue_place(option, runtime::process_environment()));
    } catch (const std::exception& error) {
        std::cerr << "crawlerctl: " << error.what() << "\n";
        return cannot_begin;
    }
}

CLI::App& add_command(CLI::App& queue, const Options& options, const std::string& name, const std::string& meaning,
                      int& exit_code, Work work) {
    auto* command = queue.add_subcommand(name, meaning);
    const auto database = add_database_option(*command);
    command->add_flag_callback("--json", [options] { options->format = Format::json; }, "Print JSON");
    command->callback([database, &exit_code, work = std::move(work)] { exit_code = with_queues(*database, work); });
    return *command;
}

// For the commands about one queue.
void add_queue_name(CLI::App& command, const Options& options, int most, const std::string& what_most_is) {
    command
        .add_option("QUEUE", options->queue,
                    "mustit-crawler-tasks or mustit-crawler-triggers; on SQS, their names there")
        ->required();
    command.add_option_function<int>(
               "--limit", [options](int limit) { options->most = limit; }, what_most_is)
        ->check(CLI::Range(1, 1'000'000))
        ->default_str(std::to_string(most));
    command.preparse_callback([options, most](std::size_t) { options->most = most; });
}

QueueChoice choice_of(const QueueOptions& options, const QueuePlace& place) {
    const auto part = options.is_dead ? ports::QueuePart::dead : ports::QueuePart::waiting;
    return {place, options.queue, part, options.most, options.format};
}

int purge_if_sure(const QueueOptions& options, const QueuePlace& place) {
    constexpr int cannot_begin = 2;
    if (options.is_sure) return purge_queue(choice_of(options, place));
    std::cerr << "crawlerctl: purge deletes messages for good: say --yes to go ahead; nothing was deleted\n";
    return cannot_begin;
}

}  // namespace

void add_queue_commands(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<QueueOptions>();
    auto* queue = app.add_subcommand("queue", "Look after the queues, in the database or at SQS");
    queue->require_subcommand(1);

    auto& stats = add_command(
        *queue, options, "stats", "How much lies in each queue; exit code 1 where one has dead letters", exit_code,
        [options](const QueuePlace& place) {
            return show_queues(place, options->queues.empty() ? place.names() : options->queues, options->format);
        });
    stats.add_option("QUEUE", options->queues, "Without one: the two of the line");

    auto& peek = add_command(*queue, options, "peek", "Show the oldest messages, and change nothing", exit_code,
                             [options](const QueuePlace& place) { return peek_queue(choice_of(*options, place)); });
    add_queue_name(peek, options, 10, "Show at most so many");

    auto& redrive = add_command(
        *queue, options, "redrive", "Send dead letters again, the oldest first, as if they had never been received",
        exit_code, [options](const QueuePlace& place) { return redrive_queue(choice_of(*options, place)); });
    add_queue_name(redrive, options, 1000, "Send at most so many");

    auto& purge = add_command(*queue, options, "purge",
                              "Delete messages for good, the oldest first, but none that somebody works on", exit_code,
                              [options](const QueuePlace& place) { return purge_if_sure(*options, place); });
    add_queue_name(purge, options, 1'000'000, "Delete at most so many");
    for (auto* command : {&peek, &purge}) command->add_flag("--dead", options->is_dead, "The dead letters instead");
    purge.add_flag("--yes", options->is_sure, "Really do it");
}

}  // namespace crawler::ctl

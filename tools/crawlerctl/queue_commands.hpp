// The commands of crawlerctl that work on the queues of the line, in a database or at SQS: what lies in it, and what becomes of its dead letters. Each prints to
// standard output and returns the exit code; what is wrong with the connection is thrown.
#pragma once
#include <string>
#include <vector>

#include "commands.hpp"
#include "ports/queue_desk.hpp"
#include "queue_place.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

// Adds `queue` with its commands.
void add_queue_commands(CLI::App& app, int& exit_code);

struct QueueChoice {
    QueuePlace place;
    std::string queue;
    ports::QueuePart part = ports::QueuePart::waiting;
    int limit = 0;
    Format format = Format::table;
};

// How much lies in each queue; 1 where one has dead letters.
int show_queues(const QueuePlace& place, const std::vector<std::string>& queues, Format format);
int peek_queue(const QueueChoice& choice);
// Both in small steps, so that nobody waits for them.
int redrive_queue(const QueueChoice& choice);
int purge_queue(const QueueChoice& choice);

}  // namespace crawler::ctl

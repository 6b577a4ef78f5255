// The commands of crawlerctl about sellers, in local mode: they work on the database. Each prints to standard output and returns the
// exit code; 1 where the change is refused.
#pragma once
#include <string>

#include "application/change_seller.hpp"
#include "application/register_seller.hpp"
#include "commands.hpp"
#include "queue_place.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library calls itself so
class App;
}

namespace crawler::ctl {

// Adds `sellers` to the command line; it sets the exit code.
void add_seller_commands(CLI::App& app, int& exit_code);

int add_seller(const std::string& url, application::NewSeller seller, Format format);
int change_seller(const std::string& url, const SellerId& seller, application::SellerChange change, Format format);
// Puts the message on the trigger queue that its schedule would.
int crawl_seller(const std::string& url, const QueuePlace& queues, const SellerId& seller, Format format);
int list_sellers(const std::string& url, const ports::SellerQuery& query, Format format);

}  // namespace crawler::ctl

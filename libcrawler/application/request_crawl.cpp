#include "application/request_crawl.hpp"

namespace crawler::application {

Async<Result<>> RequestCrawl::handle(SellerId id) {
    const auto seller = co_await p_.sellers.find(id);
    if (!seller) co_return seller.error();
    if (const auto allowed = seller->may_be_crawled(); !allowed) co_return allowed;

    std::vector<ports::OutgoingMessage> messages;
    messages.push_back({.body = trigger_input(id), .group = rule_name(id), .deduplication_id = {}});
    auto sent = co_await p_.triggers.send(std::move(messages));
    if (!sent) co_return sent.error();
    co_return std::move(sent->front());
}

}  // namespace crawler::application

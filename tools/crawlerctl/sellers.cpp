#include <boost/json.hpp>
#include <iomanip>
#include <iostream>

#include "application/request_crawl.hpp"
#include "local_mode.hpp"
#include "seller_commands.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using ports::SellerAndSchedule;

json::object as_json(const SellerAndSchedule& both) {
    const auto& seller = both.seller.state();
    const auto& schedule = both.schedule.state();
    return {{"sellerId", seller.id.value()},
            {"name", seller.name},
            {"status", to_string(seller.status)},
            {"crawlingIntervalDays", seller.interval.count()},
            {"totalProductCount", seller.total_product_count},
            {"externalCode", seller.external_code ? json::value(*seller.external_code) : json::value(nullptr)},
            {"scheduleStatus", to_string(schedule.status)},
            {"scheduleFailure", schedule.failure_reason},
            {"createdAt", to_rfc3339(seller.created_at)},
            {"updatedAt", to_rfc3339(seller.updated_at)}};
}

// The name comes last: how wide it is on a screen nobody knows.
void print_row(const SellerAndSchedule& both) {
    const auto& seller = both.seller.state();
    const auto& schedule = both.schedule.state();
    std::cout << std::left << std::setw(24) << seller.id.value() << " " << std::setw(9) << to_string(seller.status)
              << " " << std::setw(14) << rate_expression(seller.interval) << " " << std::setw(9)
              << to_string(schedule.status) << " " << std::right << std::setw(9) << seller.total_product_count << "  "
              << seller.name << "\n";
    if (!schedule.failure_reason.empty()) std::cout << "    its rule: " << schedule.failure_reason << "\n";
}

void print_head() {
    std::cout << std::left << std::setw(24) << "seller" << " " << std::setw(9) << "status" << " " << std::setw(14)
              << "interval" << " " << std::setw(9) << "schedule" << " " << std::right << std::setw(9) << "products"
              << "  name\n";
}

int tell(const Result<SellerAndSchedule>& changed, Format format) {
    if (!changed) {
        std::cerr << "crawlerctl: " << changed.error().detail << "\n";
        return 1;
    }
    if (format == Format::json) {
        std::cout << as_json(*changed) << "\n";
    } else {
        print_row(*changed);
    }
    return 0;
}

}  // namespace

int add_seller(const std::string& url, application::NewSeller seller, Format format) {
    LocalMode local(url);
    const auto sellers = adapters::make_sql_seller_store(*local.database);
    application::RegisterSeller registration({*sellers, *local.ids, *local.clock});
    const auto id = seller.id;
    auto added = local.run(registration.handle(std::move(seller)));
    if (!added && added.error().code == Errc::conflict)
        added = Error{Errc::conflict, "seller " + id.value() + " is there already"};
    return tell(added, format);
}

int change_seller(const std::string& url, const SellerId& seller, application::SellerChange change, Format format) {
    LocalMode local(url);
    const auto sellers = adapters::make_sql_seller_store(*local.database);
    application::ChangeSeller changes({*sellers, *local.ids, *local.clock});
    return tell(local.run(changes.handle(seller, std::move(change))), format);
}

int crawl_seller(const std::string& url, const QueuePlace& queues, const SellerId& seller, Format format) {
    LocalMode local(url);
    const auto sellers = adapters::make_sql_seller_store(*local.database);
    QueueDoor door(queues);
    const auto triggers = door.queue(queues.names().back());
    application::RequestCrawl request({*sellers, *triggers});
    const auto asked = coro::block_on(door.io, request.handle(seller));
    if (!asked) {
        std::cerr << "crawlerctl: " << asked.error().detail << "\n";
        return 1;
    }
    if (format == Format::json) {
        std::cout << json::object{{"sellerId", seller.value()}, {"requested", true}} << "\n";
    } else {
        std::cout << seller.value() << ": its crawl is on the trigger queue\n";
    }
    return 0;
}

int list_sellers(const std::string& url, const ports::SellerQuery& query, Format format) {
    LocalMode local(url);
    const auto sellers = adapters::make_sql_seller_store(*local.database);
    const auto page = local.run(sellers->page(query));
    if (!page) throw std::runtime_error(page.error().detail);
    if (format == Format::json) {
        json::array list;
        for (const auto& both : page->sellers) list.push_back(as_json(both));
        std::cout << json::object{{"total", page->total}, {"sellers", list}} << "\n";
        return 0;
    }
    print_head();
    for (const auto& both : page->sellers) print_row(both);
    std::cout << page->sellers.size() << " of " << page->total << "\n";
    return 0;
}

}  // namespace crawler::ctl

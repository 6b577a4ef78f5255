#include <algorithm>

#include "adapters/memory/marketplace_text.hpp"
#include "coro/sleep.hpp"

namespace crawler::adapters {
namespace {

Error unknown(const CrawlerTask::State& task) {
    const auto type = std::string(to_string(task.request_url.type()));
    return {Errc::not_found, type + " " + task.request_url.text() + " is not there"};
}

struct OnSale {
    std::string seller;
    CatalogueItem item;
};

class MemoryMarketplace final : public ports::Marketplace {
  public:
    MemoryMarketplace(const Catalogue& catalogue, Duration latency, Faults* faults)
        : catalogue_(catalogue), latency_(latency), faults_(faults) {}

    Async<Result<std::int64_t>> count_items(SellerId seller, ports::Slot) override {
        co_await coro::sleep(latency_);
        auto body = [&]() -> Result<std::int64_t> {
            const auto shop = catalogue_.find(seller.value());
            if (shop == catalogue_.end()) return Error{Errc::not_found, "there is no seller " + seller.value()};
            return std::ssize(shop->second);
        };
        co_return with_faults(faults_, "marketplace.count_items", body);
    }

    Async<Result<ports::Page>> fetch(CrawlerTask task, ports::Slot) override {
        co_await coro::sleep(latency_);
        auto body = [&] { return page(task.state()); };
        co_return with_faults(faults_, "marketplace.fetch", body);
    }

    Async<Result<Secret>> open_session(ports::Slot slot) override {
        co_await coro::sleep(latency_);
        auto body = [&]() -> Result<Secret> { return Secret("session of " + slot.identity.value); };
        co_return with_faults(faults_, "marketplace.open_session", body);
    }

    Result<std::vector<Facet>> read(const CrawledRaw& raw) const override {
        auto body = [&] { return read_text(raw); };
        return with_faults(faults_, "marketplace.read", body);
    }

  private:
    Result<ports::Page> page(const CrawlerTask::State& task) const {
        switch (task.request_url.type()) {
            case TaskType::minishop:
                return listing(task);
            case TaskType::product_detail:
                return detail(task);
            case TaskType::product_option:
                return options(task);
            case TaskType::search:
                break;
        }
        return Error{Errc::invalid, "the memory marketplace has no search"};
    }

    Result<ports::Page> listing(const CrawlerTask::State& task) const {
        const auto shop = catalogue_.find(task.seller.value());
        const auto number = task.request_url.page().value_or(0);
        const auto expected = RequestUrl::minishop(task.seller, number);
        if (shop == catalogue_.end() || !expected || task.request_url != *expected) return unknown(task);

        const auto& all = shop->second;
        const auto begin = std::min<std::int64_t>(number * listing_page_size, std::ssize(all));
        const auto end = std::min<std::int64_t>(begin + listing_page_size, std::ssize(all));
        const std::vector<CatalogueItem> items(all.begin() + begin, all.begin() + end);
        ports::Page answer{.body = listing_text(task.seller.value(), items)};
        answer.announced = std::ssize(all);
        for (const auto& item : items) {
            const auto detail = RequestUrl::detail(item.no);
            const auto option = RequestUrl::option(item.no);
            if (!detail || !option) return detail ? option.error() : detail.error();
            answer.follow_ups.push_back(*detail);
            answer.follow_ups.push_back(*option);
        }
        return answer;
    }

    Result<ports::Page> detail(const CrawlerTask::State& task) const {
        const auto found = find(task.request_url.item());
        if (!found) return unknown(task);
        return ports::Page{.body = detail_text(found->seller, found->item)};
    }

    Result<ports::Page> options(const CrawlerTask::State& task) const {
        const auto found = find(task.request_url.item());
        if (!found) return unknown(task);
        return ports::Page{.body = options_text(found->item)};
    }

    std::optional<OnSale> find(std::optional<ItemNo> number) const {
        for (const auto& [seller, items] : catalogue_) {
            const auto item = std::ranges::find(items, number, &CatalogueItem::no);
            if (item != items.end()) return OnSale{seller, *item};
        }
        return std::nullopt;
    }

    const Catalogue& catalogue_;
    Duration latency_;
    Faults* faults_;
};

}  // namespace

std::unique_ptr<ports::Marketplace> make_memory_marketplace(const Catalogue& catalogue, Duration latency,
                                                            Faults* faults) {
    return std::make_unique<MemoryMarketplace>(catalogue, latency, faults);
}

}  // namespace crawler::adapters

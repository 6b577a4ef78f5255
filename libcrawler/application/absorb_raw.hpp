// Works raw answers into products and notes what really changed. Used by product-sync.
#pragma once
#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/marketplace.hpp"
#include "ports/product_store.hpp"
#include "ports/raw_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

struct TakenIn;

class AbsorbRaw {
  public:
    struct Ports {
        ports::RawStore& raws;
        ports::ProductStore& products;
        const ports::Marketplace& marketplace;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
        ports::Telemetry& telemetry;
    };
    struct Settings {
        int batch = 50;
        Duration lease = std::chrono::minutes{1};
        RetryPolicy retry{.max_retries = 5, .first_wait = std::chrono::seconds{30}};
        int most_lost =
            3;  // claims that ended without a word; then it is what kills its readers, and is set aside unread
    };

    AbsorbRaw(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many raws were claimed. A raw that cannot be read is quarantined with the reason; it never becomes half a product.
    // One whose storing failed is tried again after a wait, and quarantined when its retries are spent.
    Async<Result<std::size_t>> run_once();

  private:
    Async<Result<>> work_in(CrawledRaw raw);
    Async<Result<>> absorb(CrawledRaw raw);
    Async<Result<>> absorb_gone(CrawledRaw raw);
    Async<Result<>> store(CrawledRaw raw, TakenIn taken, std::size_t facets);
    Async<Result<>> fail(CrawledRaw raw, Error why);
    Async<Result<>> quarantine(CrawledRaw raw, Error why);

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application

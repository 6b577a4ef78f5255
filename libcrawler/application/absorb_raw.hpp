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
        int group = 25;          // raws that are stored in one transaction, no two of them about one product ...
        int group_facets = 500;  // ... with so many facets in all; one that has more goes alone
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
    // A raw with what it says.
    struct Reading {
        CrawledRaw raw;
        std::vector<Facet> facets;
    };
    using Readings = std::vector<Reading>;

    // Empty: it was set aside.
    Async<Result<std::optional<Reading>>> read(CrawledRaw raw);
    Readings next_group(Readings& open) const;
    Async<Result<>> absorb_group(Readings group);
    Async<Result<>> absorb_together(Readings group);
    TakenIn take_in(const CrawledRaw& raw, const std::vector<Facet>& facets, std::vector<ports::KnownProduct> known);
    Async<Result<>> put_off(CrawledRaw raw, Error why);
    Async<Result<>> quarantine(CrawledRaw raw, Error why);

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application

// Works raw answers into products and notes what really changed. Used by product-sync.
#pragma once
#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/marketplace.hpp"
#include "ports/product_store.hpp"
#include "ports/raw_store.hpp"
#include "ports/telemetry.hpp"

namespace crawler::application {

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
    };

    AbsorbRaw(Ports ports, Settings settings) : p_(ports), settings_(settings) {}

    // How many raws were claimed. A raw that cannot be read is quarantined with the reason; it never becomes half a product.
    Async<Result<std::size_t>> run_once();

  private:
    Async<Result<>> absorb(CrawledRaw raw);
    Async<Result<>> quarantine(CrawledRaw raw, Error why);

    Ports p_;
    Settings settings_;
};

}  // namespace crawler::application

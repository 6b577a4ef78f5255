// Puts a seller on record: from now on its catalogue is crawled. Used by the admin API and by crawlerctl.
#pragma once
#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/seller_store.hpp"

namespace crawler::application {

struct NewSeller {
    SellerId id;
    std::string name;
    CrawlingInterval interval = {};
    std::optional<std::string> external_code = std::nullopt;
};

class RegisterSeller {
  public:
    struct Ports {
        ports::SellerStore& sellers;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
    };
    explicit RegisterSeller(Ports ports) : p_(ports) {}

    // Seller, schedule and the order to put its rule are stored together. conflict: the seller is there already. invalid: the name
    // or the code.
    Async<Result<ports::SellerAndSchedule>> handle(NewSeller wanted);

  private:
    Ports p_;
};

}  // namespace crawler::application

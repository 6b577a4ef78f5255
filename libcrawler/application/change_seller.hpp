// Changes a seller and, where its rule changes with it, the schedule. Used by the admin API and by crawlerctl.
#pragma once
#include <variant>

#include "ports/clock.hpp"
#include "ports/id_generator.hpp"
#include "ports/seller_store.hpp"

namespace crawler::application {

struct ChangeInterval {
    CrawlingInterval interval;
};
struct Activate {};    // the rule is put back
struct Deactivate {};  // the rule is removed
struct Rename {
    std::string name;
};
using SellerChange = std::variant<ChangeInterval, Activate, Deactivate, Rename>;

class ChangeSeller {
  public:
    struct Ports {
        ports::SellerStore& sellers;
        ports::IdGenerator& ids;
        const ports::Clock& clock;
    };
    explicit ChangeSeller(Ports ports) : p_(ports) {}

    // The seller as it is then. not_found: there is none. conflict: its state does not allow the change, or it was changed by
    // others twice meanwhile. invalid: the new name. A seller whose rule could not be put or removed in the end is activated or
    // deactivated once more to try anew.
    Async<Result<ports::SellerAndSchedule>> handle(SellerId id, SellerChange change);

  private:
    Ports p_;
};

}  // namespace crawler::application

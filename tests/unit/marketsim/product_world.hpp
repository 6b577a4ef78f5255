// A small catalogue, the product server that is told of it, and somebody who tells: rightly, unless a test spoils the event first.
#pragma once
#include <boost/json.hpp>

#include "expectation.hpp"
#include "product_server.hpp"

namespace marketsim {

struct Told {
    int status = 0;
    boost::json::object body;
};

class ProductWorld {
  public:
    Catalogue catalogue{{.seed = 7, .sellers = 2, .products = 5}};
    ListedItems listed;
    ProductServer server{catalogue, listed, "secret"};
    SimTime now = std::chrono::seconds(100);
    ItemNo item = catalogue.page(0, 0, 1).front();

    // An event about the item as it was at that revision; now where none is said.
    boost::json::object event(std::string_view type, std::int64_t version,
                              std::optional<std::size_t> revision = {}) const;
    static crawler::ports::HttpRequest request(const boost::json::object& event, std::string_view key);

    Told send(const crawler::ports::HttpRequest& request, ItemNo to);
    // Under a key that no other has.
    Told send(const boost::json::object& event) { return send(request(event, next_key()), item); }
    Told create(std::int64_t version) { return send(event("PRODUCT_CREATED", version)); }
    Told update(std::int64_t version) { return send(event("PRODUCT_UPDATED", version)); }
    Told remove(std::int64_t version) { return send(event("PRODUCT_DELETED", version)); }
    // Of every item, at version 1.
    void create_all();

    // Changes the item; the number of the mutation.
    std::size_t change(ChangeKind kind);
    boost::json::object items(std::size_t most_details = 10) const {
        return server.items_report(now, {}, most_details);
    }
    boost::json::object events() const { return server.events_report(); }

  private:
    std::string next_key() { return "key-" + std::to_string(++keys_); }
    int keys_ = 0;
};

// What the report says of the one item that is not as it should be.
boost::json::object only_detail(const boost::json::object& report);

}  // namespace marketsim

// The external product server, strict: takes events about products, keeps what each product is, and can tell how far that is from
// the catalogue. It decides and never waits; what goes wrong on the way to it is not its business.
#pragma once
#include <boost/json/object.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>

#include "catalogue.hpp"
#include "fingerprint.hpp"
#include "items_audit.hpp"
#include "ports/http.hpp"
#include "product_event.hpp"
#include "product_ledger.hpp"

namespace marketsim {

// POST, PUT and DELETE {base}/products/{itemNo} with {eventType, itemNo, sellerId, version, changedFields[], productData{}, ...},
// an Idempotency-Key and Authorization: Bearer <api_key>. GET tells version and whether it is deleted.
class ProductServer {
  public:
    ProductServer(const Catalogue& catalogue, const ListedItems& listed, std::string api_key);

    // `path` is what follows the base: "/products/117005038".
    crawler::ports::HttpResponse handle(const crawler::ports::HttpRequest& request, std::string_view path, SimTime now);

    // {expected, equal, stale, wrong, missing, extra, accuracy, details[{itemNo, problem, ageMs?, facets?, wrongFields?, fields?}],
    // detailsLeftOff},
    // of one seller or of all. Every product of the catalogue is one of equal, stale, wrong and missing; accuracy is equal of expected.
    // A listing without appPrice and normalPrice is wrong of an item that a listing showed; of one that was only ever found by a search it
    // is all there is to know.
    // ageMs: stale, since the first change it lacks; missing, since it is on sale; extra, since it no longer is.
    boost::json::object items_report(SimTime now, std::optional<int> seller, std::size_t most_details) const;
    // The same in steps.
    ItemsAudit audit_items(std::optional<int> seller, std::size_t most_details) const;
    // {received, applied, replays, duplicates, outOfOrder, wentBack, fieldsMissed, fieldsInvented, unknown, refused{by status}, created, updated, deleted}. Whatever is not a
    // GET is received, and then applied, a replay or refused. Duplicates are the events with a key of their own that changed nothing, or
    // would have: one of a version that is there already is one, though it is refused. Out of order by its version is
    // refused; wentBack counts those whose version is right but whose content is of before what was told already. fieldsMissed
    // and fieldsInvented count the updates whose changedFields lack a field that differs from what was held, or name another one.
    boost::json::object events_report() const;
    // When the first event came that shows this mutation, or a later one over it. One that was undone before anybody told of it may
    // never be shown: the product is as it should be without an event.
    std::optional<SimTime> arrival(std::size_t mutation) const { return ledger_.arrival(mutation); }
    std::size_t arrived_count() const { return ledger_.arrived_count(); }

  private:
    struct Counts {
        std::uint64_t received = 0;
        std::uint64_t applied = 0;
        std::uint64_t replays = 0;
        std::uint64_t duplicates = 0;
        std::uint64_t out_of_order = 0;
        std::uint64_t went_back = 0;
        std::uint64_t fields_missed = 0;
        std::uint64_t fields_invented = 0;
        std::uint64_t unknown = 0;
        std::array<std::uint64_t, 3> by_kind{};  // of what was applied
        std::map<int, std::uint64_t> refused;
    };

    crawler::ports::HttpResponse answer(const crawler::ports::HttpRequest& request, std::string_view path, SimTime now);
    crawler::ports::HttpResponse tell(ItemNo item) const;
    crawler::ports::HttpResponse take(const ProductEvent& event, SimTime now);
    void check_catalogue(const ProductEvent& event);
    void check_order(const ProductEvent& event);

    const Catalogue& catalogue_;
    const ListedItems& listed_;
    std::string authorization_;
    ProductLedger ledger_;
    // Of the keys that were accepted, the body that came with each.
    boost::unordered_flat_map<Fingerprint, std::uint64_t, FingerprintHash> keys_;
    Counts counts_;
};

}  // namespace marketsim

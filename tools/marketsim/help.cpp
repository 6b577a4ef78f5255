#include "help.hpp"

#include "scenario.hpp"

namespace marketsim {

std::string help_text() {
    return R"(The marketplace (GET, with a User-Agent and the cookies that GET / gave to it):
  /                                                                        opens a session: token, nid, mustit_uid
  /mustit-api/facade-api/v1/searchmini-shop-search?sellerId=seller_1&pageNo=0&pageSize=500&order=LATEST
  /v2/api/facade/searchItems?keyword=seller_1   or   ?nextApiUrl=<what the page before gave, encoded once>
  /mustit-api/facade-api/v1/item/{itemNo}/detail/top
  /mustit-api/legacy-api/v1/auction_products/{itemNo}/options
It refuses: an unknown Host (421), no User-Agent (400), more than 80 requests of one User-Agent in any hour or two within a second
(429 with Retry-After; refused ones count too), a missing, foreign or expired token (401), an unknown path, seller or item (404), a
wrong page size or order, a parameter too many, a text encoded twice (400), any method but GET (405).

limits.per_hour: 0 turns the judge off: neither the hour nor the spacing is a limit then, and nobody is counted. Who asks an unknown
Host or without a User-Agent is refused but not counted: the one never reached us, the other is nobody.

The product server (Authorization: Bearer <product_server.api_key>, Idempotency-Key):
  POST, PUT, DELETE, GET /product-server/products/{itemNo}

To look and to change (no session needed):
  GET  /_sim/audit[?seller=seller_1][&limit=100]   the verdict: rate, requests, faults, items, events, mutations (newest first),
                                                   changesRefused; no list is longer than the limit, or than 10000
  GET  /_sim/metrics                               for Prometheus
  GET  /_sim/items/{itemNo}                        what the product server should hold of an item
  POST /_sim/mutate  {"kind":"price","percent":5}  or "count":3 or "items":[110000000], and "seller":"seller_1"
                     kinds: price stock options images description add remove restore
  POST /_sim/faults  {"enabled":false}             quiet, from now on

A request is judged by the time at which it was read. rate.longestStallMs says for how long at most nobody was read, in simulated time:
by so much may two requests seem closer than they were. Of one connection a request is read when the one before is answered.

The scenario. All times are simulated time; faults are of 1000 requests; changes are lines like "10m price 5% seller_1":
)" + scenario_keys() +
           "\nExit codes: 0 stopped by SIGINT or SIGTERM, 2 it could not start.";
}

}  // namespace marketsim

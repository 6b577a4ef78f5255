// The marketplace's answers, shaped like the real ones. `tick` is the number of the request: the counters that change at every call of
// the real thing (likes, reviews, trust, recommendations; all in volatile_fields.hpp) are made of it; all else depends on the
// catalogue alone.
#pragma once
#include <string>

#include "catalogue.hpp"

namespace marketsim {

// How an answer is spoilt on purpose.
struct Quirks {
    bool numbers_as_strings = false;
    bool missing_module =
        false;  // of a detail its ProductInfoModule, of a listing its items, of a search its moduleList
};

inline constexpr std::size_t listing_page_size = 500;
inline constexpr std::size_t search_page_size = 40;

// Page numbers of a listing count from 0; past the end there is nothing.
std::string listing_body(const Catalogue& catalogue, int seller, std::size_t page, std::uint64_t tick, Quirks quirks);
// Page numbers of a search count from 1; others' items are mixed in. An unknown keyword finds nothing.
std::string search_body(const Catalogue& catalogue, std::string_view keyword, std::size_t page, std::uint64_t tick,
                        Quirks quirks);
// Where page `page` of a search is, as the page before says in nextApiUrl.
std::string search_page_url(std::string_view keyword, std::size_t page);
std::string detail_body(const Product& product, std::uint64_t tick, Quirks quirks);
std::string options_body(const Product& product, Quirks quirks);

}  // namespace marketsim

// What a request asks the marketplace for, read strictly: a path it does not know, a parameter too many, a wrong page size or a text that
// was encoded twice is refused with the rule.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "answers.hpp"
#include "catalogue.hpp"

namespace marketsim {

enum class Place : std::uint8_t { root, listing, search, detail, options, elsewhere, product_server };
inline constexpr std::array places{Place::root,    Place::listing,   Place::search,        Place::detail,
                                   Place::options, Place::elsewhere, Place::product_server};
std::string_view to_string(Place place);

struct Question {
    Place place = Place::root;
    int seller = 0;        // of a listing
    std::size_t page = 0;  // of a listing from 0, of a search from 1
    std::string keyword;   // of a search
    ItemNo item = 0;       // of a detail and its options
};

struct NoQuestion {
    Place place = Place::elsewhere;
    HttpResponse answer;
};

std::variant<Question, NoQuestion> read_question(std::string_view target, const Catalogue& catalogue);

}  // namespace marketsim

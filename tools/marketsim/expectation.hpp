// What the product server should hold of a product, facet by facet, written down from the specification and by nobody else's code.
#pragma once
#include <boost/json/object.hpp>

#include "catalogue.hpp"

namespace marketsim {

// listing: appPrice brandName discountRate imageUrlList itemNo name normalPrice originalPrice price tags
// detail:  one flat object of 33 keys;  option: {"4300000001":{"color","size","sizeGuide","stock"}, ...}
boost::json::object expected_facet(const Product& product, Facet facet);

// A listing that came from a search has neither appPrice nor normalPrice.
bool is_partial(const boost::json::object& listing);
void make_partial(boost::json::object& listing);

// The JSON pointer of a member of what `path` points to.
std::string pointer_to(std::string path, std::string_view key);

// JSON pointers of what differs, "/detail/stock", with both values in short; empty where `found` is as expected. That a listing is
// partial is no difference.
struct WrongField {
    std::string path;
    std::string expected;
    std::string found;
};
std::vector<WrongField> differences(Facet facet, const boost::json::object& expected, const boost::json::value& found);

}  // namespace marketsim

#include "adapters/memory/marketplace_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <iomanip>
#include <sstream>

#include "codec/sha256.hpp"

namespace crawler::adapters {
namespace {

std::string item_text(const CatalogueItem& item) {
    std::ostringstream out;
    out << item.no << ' ' << std::quoted(item.name) << ' ' << item.price;
    return out.str();
}

// The canonical form of a facet: keys sorted.
Facet facet_of(const CatalogueItem& item, FacetKind kind, const boost::json::object& fields) {
    return {.item = item.no, .kind = kind, .canonical = boost::json::serialize(fields), .digest = {}, .fetched_at = {}};
}

// Reads one token after the other; the first that is not what it should be stops it for good.
class Reader {
  public:
    explicit Reader(const std::string& text) : in_(text) {}

    void word(const std::string& expected) {
        std::string found;
        if (in_ >> found && found != expected) in_.setstate(std::ios::failbit);
    }
    std::int64_t number() {
        std::int64_t value = 0;
        in_ >> value;
        return value;
    }
    std::string quoted() {
        std::string value;
        in_ >> std::ws;
        if (in_.peek() != '"') in_.setstate(std::ios::failbit);
        in_ >> std::quoted(value);
        return value;
    }
    bool ok() const { return !in_.fail(); }
    bool at_end() { return ok() && (in_ >> std::ws).eof(); }

  private:
    std::istringstream in_;
};

CatalogueItem read_item(Reader& reader) {
    CatalogueItem item;
    item.no = reader.number();
    item.name = reader.quoted();
    item.price = reader.number();
    return item;
}

std::optional<SellerId> named(const std::string& seller) {
    auto id = SellerId::parse(seller);
    return id ? std::optional(*id) : std::nullopt;
}

std::vector<Facet> read_listing(Reader& reader) {
    std::vector<Facet> facets;
    reader.word("listing");
    const auto seller = reader.quoted();
    const auto count = reader.number();
    for (std::int64_t i = 0; i < count && reader.ok(); ++i) {
        reader.word("item");
        const auto item = read_item(reader);
        facets.push_back(facet_of(item, FacetKind::listing, {{"name", item.name}, {"price", item.price}}));
        facets.back().seller = named(seller);
    }
    return facets;
}

std::vector<Facet> read_detail(Reader& reader) {
    reader.word("detail");
    CatalogueItem item;
    item.no = reader.number();
    const auto seller = reader.quoted();
    item.name = reader.quoted();
    item.price = reader.number();
    auto facet = facet_of(item, FacetKind::detail, {{"name", item.name}, {"price", item.price}, {"sellerId", seller}});
    facet.seller = named(seller);
    return {std::move(facet)};
}

std::vector<Facet> read_options(Reader& reader) {
    reader.word("options");
    CatalogueItem item;
    item.no = reader.number();
    const auto count = reader.number();
    for (std::int64_t i = 0; i < count && reader.ok(); ++i) item.options.push_back(reader.quoted());
    boost::json::array options(item.options.begin(), item.options.end());
    return {facet_of(item, FacetKind::option, {{"options", std::move(options)}})};
}

}  // namespace

std::string listing_text(const std::string& seller, const std::vector<CatalogueItem>& items) {
    std::ostringstream out;
    out << "listing " << std::quoted(seller) << ' ' << items.size();
    for (const auto& item : items) out << " item " << item_text(item);
    return out.str();
}

std::string detail_text(const std::string& seller, const CatalogueItem& item) {
    std::ostringstream out;
    out << "detail " << item.no << ' ' << std::quoted(seller) << ' ' << std::quoted(item.name) << ' ' << item.price;
    return out.str();
}

std::string options_text(const CatalogueItem& item) {
    std::ostringstream out;
    out << "options " << item.no << ' ' << item.options.size();
    for (const auto& option : item.options) out << ' ' << std::quoted(option);
    return out.str();
}

Result<std::vector<Facet>> read_text(const CrawledRaw& stored) {
    const auto& raw = stored.state();
    Reader reader(raw.body);
    std::vector<Facet> facets;
    switch (raw.type) {
        case TaskType::minishop:
            facets = read_listing(reader);
            break;
        case TaskType::product_detail:
            facets = read_detail(reader);
            break;
        case TaskType::product_option:
            facets = read_options(reader);
            break;
        case TaskType::search:
            return Error{Errc::invalid, "raw " + raw.id.value + ": the memory marketplace has no search"};
    }
    if (!reader.at_end())
        return Error{Errc::invalid, "raw " + raw.id.value + ": not a " + std::string(to_string(raw.type)) + " answer"};
    for (auto& facet : facets) {
        facet.digest = codec::sha256(facet.canonical);
        facet.fetched_at = raw.fetched_at;
    }
    return facets;
}

}  // namespace crawler::adapters

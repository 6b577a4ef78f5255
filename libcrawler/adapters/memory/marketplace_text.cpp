#include "adapters/memory/marketplace_text.hpp"

#include <iomanip>
#include <sstream>

namespace crawler::adapters {
namespace {

std::string item_text(const CatalogueItem& item) {
    std::ostringstream out;
    out << item.no << ' ' << std::quoted(item.name) << ' ' << item.price;
    return out.str();
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

std::vector<Facet> read_listing(Reader& reader) {
    std::vector<Facet> facets;
    reader.word("listing");
    reader.quoted();
    const auto count = reader.number();
    for (std::int64_t i = 0; i < count && reader.ok(); ++i) {
        reader.word("item");
        const auto item = read_item(reader);
        facets.push_back({.item = item.no, .kind = FacetKind::listing, .canonical = item_text(item)});
    }
    return facets;
}

std::vector<Facet> read_detail(Reader& reader, const std::string& expected_seller) {
    reader.word("detail");
    CatalogueItem item;
    item.no = reader.number();
    const auto seller = reader.quoted();
    item.name = reader.quoted();
    item.price = reader.number();
    if (seller != expected_seller) return {};
    return {{.item = item.no, .kind = FacetKind::detail, .canonical = detail_text(seller, item)}};
}

std::vector<Facet> read_options(Reader& reader) {
    reader.word("options");
    CatalogueItem item;
    item.no = reader.number();
    const auto count = reader.number();
    for (std::int64_t i = 0; i < count && reader.ok(); ++i) item.options.push_back(reader.quoted());
    return {{.item = item.no, .kind = FacetKind::option, .canonical = options_text(item)}};
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

Result<std::vector<Facet>> read_text(const CrawledRaw& raw) {
    Reader reader(raw.body);
    std::vector<Facet> facets;
    switch (raw.type) {
        case TaskType::minishop:
            facets = read_listing(reader);
            break;
        case TaskType::product_detail:
            facets = read_detail(reader, raw.seller.value());
            break;
        case TaskType::product_option:
            facets = read_options(reader);
            break;
        case TaskType::search:
            return Error{Errc::invalid, "raw " + raw.id.value + ": the memory marketplace has no search"};
    }
    if (!reader.at_end())
        return Error{Errc::invalid, "raw " + raw.id.value + ": not a " + std::string(to_string(raw.type)) + " answer"};
    if (raw.type == TaskType::product_detail && facets.empty())
        return Error{Errc::invalid, "raw " + raw.id.value + ": the detail of another seller's item"};
    for (auto& facet : facets) {
        facet.digest = facet.canonical;  // short enough to be its own digest, and it never collides
        facet.fetched_at = raw.fetched_at;
    }
    return facets;
}

}  // namespace crawler::adapters

#include <iostream>

#include "fleet_commands.hpp"
#include "json_views.hpp"
#include "layout.hpp"
#include "look.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using Side = Table::Side;

std::string event_word(const std::optional<ProductEventType>& event) {
    return event ? std::string(to_string(*event)) : "-";
}

std::string paths_of(const FieldDiff& diff) {
    constexpr std::size_t most_named = 5;
    std::string text;
    std::size_t named = 0;
    for (const auto& change : diff.changes()) {
        if (++named > most_named) return text + " ... (" + std::to_string(diff.changes().size()) + " fields)";
        text += (text.empty() ? "" : " ") + change.path;
    }
    return text;
}

std::string facets_text(const Product& product) {
    Table table({{"facet"}, {"version", Side::right}, {"fetched"}, {"partial"}, {"bytes", Side::right}, {"digest"}});
    for (const auto& kind : names(FacetKind{})) {
        const auto& facet = product.facet(kind.value);
        if (!facet) {
            table.add({std::string(kind.name), "-", "never", "", "", ""});
            continue;
        }
        table.add({std::string(kind.name), std::to_string(facet->version), to_rfc3339(facet->fetched_at),
                   facet->partial ? "yes" : "no", std::to_string(facet->canonical.size()),
                   facet->digest.hex().substr(0, 12)});
    }
    return table.text("  ");
}

std::string history_text(const std::vector<ports::ProductChange>& history) {
    Table table({{"version", Side::right}, {"changed"}, {"told as"}, {"answer"}, {"fields"}});
    for (const auto& change : history)
        table.add({std::to_string(change.version), to_rfc3339(change.changed_at), event_word(change.event),
                   change.raw.value.empty() ? "-" : change.raw.value, paths_of(change.diff)});
    return table.text("  ");
}

void print_text(const ports::KnownProduct& known, const std::vector<ports::ProductChange>& history) {
    const auto& s = known.product.state();
    std::cout << "product " << s.item << " of " << s.seller.value() << ": " << to_string(known.product.status())
              << ", version " << s.version << "\n  first seen    " << to_rfc3339(s.created_at) << "\n  last changed  "
              << to_rfc3339(s.updated_at) << "\n";
    for (const auto& missing : s.missing_at) {
        if (missing) std::cout << "  not listed    " << to_rfc3339(*missing) << "\n";
    }
    if (s.gone_at) std::cout << "  gone          " << to_rfc3339(*s.gone_at) << "\n";
    std::cout << "  untold        " << (known.untold ? "an event waits in the outbox" : "nothing") << "\n\n"
              << facets_text(known.product) << "\nhistory\n"
              << history_text(history);
}

void print_json(const ports::KnownProduct& known, const std::vector<ports::ProductChange>& history) {
    const auto& s = known.product.state();
    json::object facets;
    for (const auto& kind : names(FacetKind{})) {
        const auto& facet = known.product.facet(kind.value);
        if (facet)
            facets[kind.name] = json::object{{"version", facet->version},
                                             {"fetchedAt", to_rfc3339(facet->fetched_at)},
                                             {"partial", facet->partial},
                                             {"digest", facet->digest.hex()},
                                             {"content", json::parse(facet->canonical)}};
    }
    json::array changes;
    for (const auto& change : history) {
        json::array paths;
        for (const auto& field : change.diff.changes()) paths.emplace_back(field.path);
        changes.push_back(json::object{{"version", change.version},
                                       {"changedAt", to_rfc3339(change.changed_at)},
                                       {"toldAs", event_word(change.event)},
                                       {"rawId", change.raw.value},
                                       {"fields", paths}});
    }
    std::cout << json::object{{"itemNo", s.item},
                              {"sellerId", s.seller.value()},
                              {"status", to_string(known.product.status())},
                              {"version", s.version},
                              {"untold", known.untold.has_value()},
                              {"facets", facets},
                              {"history", changes}}
              << "\n";
}

}  // namespace

int show_product(const std::string& url, ItemNo item, int most, Format format) {
    Look look(url);
    const auto known = look.at(look.products->find({item}));
    if (known.empty()) {
        std::cerr << "crawlerctl: nobody has seen item " << item << "\n";
        return 1;
    }
    const auto history = look.at(look.products->history(item, most));
    if (format == Format::json) {
        print_json(known.front(), history);
    } else {
        print_text(known.front(), history);
    }
    return 0;
}

}  // namespace crawler::ctl

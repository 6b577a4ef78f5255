#include "adapters/sql/invariants.hpp"

namespace crawler::adapters::sql {
namespace {

InvariantRule of_raws(std::string name, std::string meaning, Columns shown, const std::string& condition,
                      std::vector<Moment> moments = {}) {
    return {std::move(name),   std::move(meaning),
            "crawled_raw",     {"id"},
            std::move(shown),  "FROM crawled_raw WHERE " + condition,
            std::move(moments)};
}

InvariantRule of_products(std::string name, std::string meaning, Columns shown, std::string rest) {
    return {std::move(name), std::move(meaning), "products", {"products.item_no"}, std::move(shown), std::move(rest)};
}

const std::string latest_of_a_product =
    "EXISTS (SELECT 1 FROM product_raw_data facet WHERE facet.raw_id = crawled_raw.id)";

std::string facet_join(const std::string& name, const std::string& kind) {
    return "LEFT JOIN product_raw_data " + name + " ON " + name + ".item_no = products.item_no AND " + name +
           ".kind = '" + kind + "' ";
}

// domain/product.cpp, said in SQL: what the status follows from.
const std::string proved_status =
    "CASE WHEN (missing_before_at IS NOT NULL AND (listing.item_no IS NULL OR listing.is_partial = 1 OR "
    "missing_before_at > listing.fetched_at)) OR (gone_at IS NOT NULL AND (detail.item_no IS NULL OR "
    "gone_at > detail.fetched_at)) THEN 'DELETED' WHEN listing.item_no IS NOT NULL AND detail.item_no IS NOT NULL AND "
    "options.item_no IS NOT NULL THEN 'LIVE' ELSE 'INCOMPLETE' END";

}  // namespace

InvariantRules raw_invariants() {
    return {
        of_raws("raw_not_in_line", "waits to be worked in and is not in line: no claim would ever find it",
                {"status", "waiting_lane", "ready_at"},
                "status IN ('PENDING', 'FAILED') AND (waiting_lane IS NULL OR ready_at IS NULL)"),
        of_raws("raw_misplaced",
                "stands in line at another time than it is due or its lease ends, or in another's line",
                {"status", "seller_id", "waiting_lane", "ready_at", "due_at", "lease_until"},
                "waiting_lane IS NOT NULL AND status IN ('PENDING', 'FAILED') AND (waiting_lane <> seller_id OR "
                "ready_at <> COALESCE(lease_until, due_at, fetched_at))"),
        of_raws("raw_done_in_line", "is done with and still in line: it would be claimed",
                {"status", "waiting_lane", "ready_at"},
                "waiting_lane IS NOT NULL AND status IN ('PROCESSED', 'QUARANTINED')"),
        of_raws("raw_lease_over", "is claimed though its lease is over", {"status", "lease_until"},
                "waiting_lane IS NOT NULL AND lease_until < ?", {Moment::lease_over}),
        of_raws("raw_starving", "could have been claimed for too long", {"status", "ready_at"},
                "waiting_lane IS NOT NULL AND ready_at < ?", {Moment::run_without_progress}),
        of_raws("raw_never_purged", "is PROCESSED and nobody's latest answer, and would never be purged",
                {"status", "fetched_at"}, "done_at IS NULL AND status = 'PROCESSED' AND NOT " + latest_of_a_product),
        of_raws("raw_purged_too_soon", "is to be purged though it is a latest answer, or is not PROCESSED",
                {"status", "done_at"},
                "done_at IS NOT NULL AND (status <> 'PROCESSED' OR " + latest_of_a_product + ")"),
    };
}

InvariantRules product_invariants() {
    static const std::string shown_proved = proved_status + " AS status_by_evidence";
    static const std::string facets_known =
        "(SELECT COUNT(*) FROM product_raw_data facet WHERE facet.item_no = products.item_no)";
    static const std::string shown_facets = facets_known + " AS facets";
    return {
        of_products("product_live_without_facets", "is LIVE though not all three facets are known",
                    {"products.status", shown_facets},
                    "FROM products WHERE products.status = 'LIVE' AND " + facets_known + " < 3"),
        of_products("product_status_unproved", "has a status that does not follow from what is known about it",
                    {"products.status", shown_proved},
                    "FROM products " + facet_join("listing", "LISTING") + facet_join("detail", "DETAIL") +
                        facet_join("options", "OPTION") + "WHERE products.status <> " + proved_status),
        {"facet_ahead_of_product",
         "has a version that its product has not reached",
         "product_raw_data",
         {"product_raw_data.item_no", "product_raw_data.kind"},
         {"product_raw_data.version", "products.version AS version_of_product"},
         "FROM product_raw_data JOIN products ON products.item_no = product_raw_data.item_no "
         "WHERE product_raw_data.version > products.version"},
        {"facet_without_product",
         "describes a product that there is not",
         "product_raw_data",
         {"item_no", "kind"},
         {"fetched_at"},
         "FROM product_raw_data WHERE NOT EXISTS (SELECT 1 FROM products WHERE products.item_no = "
         "product_raw_data.item_no)"},
        {"facet_without_answer",
         "came with an answer that there is not any more",
         "product_raw_data",
         {"item_no", "kind"},
         {"raw_id", "fetched_at"},
         "FROM product_raw_data WHERE NOT EXISTS (SELECT 1 FROM crawled_raw WHERE crawled_raw.id = "
         "product_raw_data.raw_id)"},
        {"history_ahead_of_product",
         "tells of a version that its product has not reached",
         "product_history",
         {"product_history.item_no", "product_history.version"},
         {"products.version AS version_of_product"},
         "FROM product_history LEFT JOIN products ON products.item_no = product_history.item_no "
         "WHERE products.version IS NULL OR products.version < product_history.version"},
    };
}

}  // namespace crawler::adapters::sql

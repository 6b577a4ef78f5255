#include "codec/proof.hpp"

#include "codec/canonical_cursor.hpp"
#include "codec/fields.hpp"

namespace crawler::codec {
namespace {

bool read_item(MissingItem& out, std::string_view object) {
    const Fields fields(object);
    return fields.is_good() && fields.size() == 2 && read_number(out.item, fields["itemNo"]) &&
           read_word(out.reason, fields["reason"]);
}

bool read_items(std::vector<MissingItem>& out, std::string_view array) {
    CanonicalCursor cursor(array);
    if (!cursor.at_array()) return false;
    cursor.enter();
    while (cursor.next_element(out.empty())) {
        if (!read_item(out.emplace_back(), cursor.value())) return false;
    }
    return cursor.ok() && cursor.at_end();
}

}  // namespace

std::string write_proof(const CompletenessProof::State& proof) {
    std::string out;
    CanonicalWriter writer(out);
    writer.begin_object().key("announced").number(proof.announced).key("complete").number(proof.complete);
    writer.key("missing").begin_array();
    for (const auto& [item, reason] : proof.missing)
        writer.begin_object().key("itemNo").number(item).key("reason").text(to_string(reason)).end_object();
    writer.end_array().key("seen").number(proof.seen).end_object();
    return out;
}

Result<CompletenessProof::State> read_proof(std::string_view text) {
    const auto wrong = [](std::string_view what) {
        return Error{Errc::invalid, "proof: " + std::string(what) + " is not as it was written"};
    };
    const Fields fields(text);
    if (!fields.is_good() || fields.size() != 4) return wrong("the whole");
    CompletenessProof::State proof;
    if (!read_number(proof.announced, fields["announced"])) return wrong("/announced");
    if (!read_number(proof.complete, fields["complete"])) return wrong("/complete");
    if (!read_items(proof.missing, fields["missing"])) return wrong("/missing");
    if (!read_number(proof.seen, fields["seen"])) return wrong("/seen");
    return proof;
}

}  // namespace crawler::codec

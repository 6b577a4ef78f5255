#include "codec/changes.hpp"

#include "codec/canonical_cursor.hpp"
#include "codec/fields.hpp"

namespace crawler::codec {
namespace {

void write_side(CanonicalWriter& writer, std::string_view key, const std::optional<std::string>& value) {
    writer.key(key).fragment(value ? std::string_view(*value) : "null");
}

std::optional<std::string> side(std::string_view fragment) {
    return fragment == "null" ? std::nullopt : std::optional<std::string>(fragment);
}

std::optional<FieldChange> read_change(std::string_view object) {
    const Fields fields(object);
    if (!fields.is_good() || fields.size() != 3 || fields["before"].empty() || fields["after"].empty())
        return std::nullopt;
    FieldChange change{.path = {}, .before = side(fields["before"]), .after = side(fields["after"])};
    if (change.before == change.after || !read_text(change.path, fields["path"])) return std::nullopt;
    return change;
}

Error wrong(std::size_t index) {
    return {Errc::invalid, "changes: /" + std::to_string(index) + " is not as it was written"};
}

}  // namespace

std::string write_changes(const FieldDiff& diff) {
    std::string out;
    CanonicalWriter writer(out);
    write_changes(writer, diff);
    return out;
}

void write_changes(CanonicalWriter& writer, const FieldDiff& diff) {
    writer.begin_array();
    for (const auto& change : diff.changes()) {
        writer.begin_object();
        write_side(writer, "after", change.after);
        write_side(writer, "before", change.before);
        writer.key("path").text(change.path).end_object();
    }
    writer.end_array();
}

Result<FieldDiff> read_changes(std::string_view text) {
    CanonicalCursor cursor(text);
    cursor.at_array() ? cursor.enter() : cursor.fail();
    std::vector<FieldChange> changes;
    while (cursor.ok() && cursor.next_element(changes.empty())) {
        auto change = read_change(cursor.value());
        // Written in order, each path once.
        if (!change || (!changes.empty() && change->path <= changes.back().path)) return wrong(changes.size());
        changes.push_back(*std::move(change));
    }
    if (!cursor.ok() || !cursor.at_end()) return Error{Errc::invalid, "changes: not a list as it was written"};
    return FieldDiff(std::move(changes));
}

}  // namespace crawler::codec

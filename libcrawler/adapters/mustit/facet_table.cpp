#include "adapters/mustit/facet_table.hpp"

#include "codec/canonical.hpp"

namespace crawler::adapters::mustit {

std::string facet_text(std::span<const std::string_view> keys, const codec::Record& record) {
    std::size_t size = 2;
    for (std::size_t i = 0; i < keys.size(); ++i) size += keys[i].size() + record[i].size() + 4;
    std::string text;
    text.reserve(size);
    codec::CanonicalWriter writer(text);
    writer.begin_object();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!record[i].empty()) writer.key(keys[i]).fragment(record[i]);
    }
    writer.end_object();
    return text;
}

}  // namespace crawler::adapters::mustit

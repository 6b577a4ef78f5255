// What an answer says, whichever of the four it is. Private to this folder.
#pragma once
#include "adapters/mustit/mustit.hpp"

namespace crawler::adapters::mustit {

struct Contents {
    std::vector<Facet> facets;
    std::optional<std::int64_t> announced;    // of a seller's listing
    std::optional<std::string> next_api_url;  // of a search that goes on
};

// `item` is whom a detail or options were asked for. invalid: where and why it cannot be read, or that it is about another item.
Result<Contents> read_answer(TaskType type, std::optional<ItemNo> item, std::string_view body,
                             const MustitConfig& config);

// Whether it is at least a document of that kind, though there may be something in it that cannot be read: worth being kept, for
// a reader that learns more. An error, a page of HTML or half a document is not.
bool is_document_of(TaskType type, std::string_view body, const MustitConfig& config);

// What a page asks for next: detail and options of each of its items, once, and the next page of a search. invalid: the next page
// is nothing that may be asked for, or this one again.
Result<std::vector<RequestUrl>> follow_ups_of(const RequestUrl& asked, const Contents& contents);

}  // namespace crawler::adapters::mustit

// A product server as small as can be, for one product: it does what each event says and checks that the event fits what
// it has.
#pragma once
#include "domain/product_event.hpp"
#include "support/builders/product.hpp"

namespace crawler::test {

struct ModelServer {
    bool present = false;
    Fields fields;
    std::int64_t version = 0;
    bool consistent = true;  // every event fitted

    void apply(const ProductEvent& event) {
        consistent = consistent && event.version > version && present == (event.type != ProductEventType::created);
        for (const auto& change : event.diff.changes()) {
            const auto field = fields.find(change.path);
            const auto value = field == fields.end() ? std::nullopt : std::optional(field->second);
            consistent = consistent && value == change.before;
            fields.erase(change.path);
            if (change.after) fields.emplace(change.path, *change.after);
        }
        version = event.version;
        present = event.type != ProductEventType::deleted;
        consistent = consistent && (present || fields.empty());
    }
};

}  // namespace crawler::test

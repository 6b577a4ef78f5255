// What changed between two states of one thing, field by field. Found at the edge (codec) in canonical texts; kept in the
// product's history and told to the product server.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

// Values are canonical JSON fragments; an empty one means that the field was not there, or is no longer.
struct FieldChange {
    std::string path;  // a JSON pointer: /detail/sellingPrice, /option/4134224619/stock
    std::optional<std::string> before;
    std::optional<std::string> after;

    friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

class FieldDiff {
  public:
    FieldDiff() = default;
    // In any order, each path once. A change from one value to the same is none and is left out.
    explicit FieldDiff(std::vector<FieldChange> changes);

    const std::vector<FieldChange>& changes() const { return changes_; }  // by path
    bool empty() const { return changes_.empty(); }

    // This change and then the later one, as one. What came back to where it was is no change.
    FieldDiff then(const FieldDiff& later) const;
    // The way back.
    FieldDiff inverse() const;
    // The same change where the thing is a part of a greater one, at `path`.
    FieldDiff under(std::string_view path) const;

    friend bool operator==(const FieldDiff&, const FieldDiff&) = default;

  private:
    std::vector<FieldChange> changes_;
};

}  // namespace crawler

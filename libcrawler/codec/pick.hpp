// Picks the wanted values out of a JSON text in one pass, without building a document: the strict readers of the marketplace's
// answers stand on it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "codec/shape.hpp"
#include "domain/result.hpp"

namespace crawler::codec {

struct PickLimits {
    std::size_t depth = 64;  // of nested objects and arrays, wanted or not
};

// Where a fragment is in the values. Canonical fragments are never empty, so an empty one means that there is none.
struct Extent {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

// The values of one thing, as canonical fragments by slot; empty where there was none.
class Record {
  public:
    Record(std::string_view values, std::span<const Extent> slots) : values_(values), slots_(slots) {}

    std::string_view operator[](std::size_t slot) const {
        return values_.substr(slots_[slot].begin, slots_[slot].end - slots_[slot].begin);
    }
    std::int64_t number(std::size_t slot) const;  // of a slot that a number was picked for; 0 where there was none

  private:
    std::string_view values_;
    std::span<const Extent> slots_;
};

// Slots 0 to record_slots - 1 belong to each record, those after them to the document. Without records all are the document's.
class Picked {
  public:
    Picked(std::string values, std::vector<Extent> slots, std::vector<Extent> records, std::size_t record_slots)
        : values_(std::move(values)),
          slots_(std::move(slots)),
          records_(std::move(records)),
          record_slots_(record_slots) {}

    std::size_t size() const { return record_slots_ == 0 ? 0 : records_.size() / record_slots_; }
    Record record(std::size_t index) const {
        return {values_, std::span(records_).subspan(index * record_slots_, record_slots_)};
    }
    Record document() const { return {values_, slots_}; }

  private:
    std::string values_;
    std::vector<Extent> slots_;
    std::vector<Extent> records_;
    std::size_t record_slots_;
};

struct PickPlan {
    const Shape* root = nullptr;
    std::size_t slots = 0;
    std::size_t record_slots = 0;
};

// invalid: not JSON, not UTF-8, cut short, followed by something, nested too deeply, a wanted member that is missing, there twice,
// or not what its rule asks for. The detail names the place (a JSON pointer), the rule and what was found:
//   /moduleList/1/data/sellingPrice: must be a positive price, found "무료"
// Members come in any order; where "data" comes before "type" the text is read once more.
Result<Picked> pick(const PickPlan& plan, std::string_view json, PickLimits limits = {});

}  // namespace crawler::codec

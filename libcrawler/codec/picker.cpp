#include "codec/picker.hpp"

#include <algorithm>

#include "codec/canonical.hpp"
#include "codec/json_pointer.hpp"

namespace crawler::codec {
namespace {

constexpr std::string_view type_key = "type";
constexpr std::string_view data_key = "data";
constexpr Member type_member{.name = type_key};

const Member* find(std::span<const Member> members, std::string_view name) {
    const auto found = std::ranges::find(members, name, &Member::name);
    return found == members.end() ? nullptr : &*found;
}

std::uint64_t bit_of(const Member* member, const Shape& shape) {
    return std::uint64_t{1} << static_cast<std::size_t>(member - shape.members.data());
}

}  // namespace

Picker::Picker(const PickPlan& plan, const LateTypes& known, std::size_t size_of_text)
    : plan_(plan), known_(known), root_{.inside = plan.root}, slots_(plan.slots) {
    frames_.reserve(8);
    values_.reserve(size_of_text / 2);
}

Picked Picker::take() {
    return {std::move(values_), std::move(slots_), std::move(records_), plan_.record_slots};
}

std::string Picker::pointer() const {
    std::string path;
    for (const auto& frame : frames_) {
        if (is_array(*frame.shape)) {
            if (frame.index > 0) append_pointer(path, std::to_string(frame.index - 1));
        } else if (!frame.key.empty()) {
            append_pointer(path, frame.key);
        }
    }
    return path;
}

bool Picker::checked(bool good, ErrorCode& ec) {
    if (!good) ec = boost::json::error::syntax;  // only so that the parser stops: the complaint says what it is
    return good;
}

bool Picker::keep(View part) {
    pieces_.append(part.data(), part.size());
    return true;
}

// The text that ends with `rest`; good until the next one begins.
std::string_view Picker::whole(View rest) {
    if (pieces_.empty()) return {rest.data(), rest.size()};
    joined_.swap(pieces_);
    joined_.append(rest.data(), rest.size());
    pieces_.clear();
    return joined_;
}

bool Picker::complain(std::string_view demand, std::string_view found) {
    const auto place = pointer();
    complaint_ = place.empty() ? "the answer" : place;
    complaint_.append(": ").append(demand);
    if (!found.empty()) complaint_.append(", found ").append(found);
    return false;
}

bool Picker::missing(std::string_view name) {
    frames_.back().key = name;
    return complain("must be there", "");
}

bool Picker::key(std::string_view name) {
    auto& frame = frames_.back();
    if (frame.shape->kind == Shape::Kind::tagged) return tagged_key(frame, name);
    frame.next = find(frame.shape->members, name);
    frame.key = frame.next ? frame.next->name : std::string_view{};
    if (!frame.next) return true;
    const auto bit = bit_of(frame.next, *frame.shape);
    if ((frame.seen & bit) != 0) return complain("must be there once", "it twice");
    frame.seen |= bit;
    return true;
}

bool Picker::tagged_key(Frame& frame, std::string_view name) {
    frame.next = nullptr;
    frame.key = {};
    if (name == type_key) {
        frame.key = type_key;
        frame.next = &type_member;
    } else if (name == data_key) {
        frame.key = data_key;
        if (frame.has_data && (frame.type || !frame.is_typed)) return complain("must be there once", "it twice");
        frame.has_data = true;
        frame.is_late = !frame.is_typed && !frame.type;
        frame.next = frame.type;
    }
    return true;
}

// What the value that comes now is for.
const Member* Picker::next_wanted() {
    if (frames_.empty()) return &root_;
    auto& frame = frames_.back();
    if (!is_array(*frame.shape)) return frame.next;
    ++frame.index;
    return &frame.shape->members[0];
}

bool Picker::value(const Token& token) {
    const auto* member = next_wanted();
    if (!member) return true;
    if (member == &type_member) return type_of(frames_.back(), token);
    if (token.kind == Token::Kind::null && member->need == Need::optional) return true;
    if (member->inside)
        return complain(is_array(*member->inside) ? "must be an array" : "must be an object", description(token));
    const auto begin = values_.size();
    if (!append_value(values_, member->rule, token)) return complain(demand(member->rule), description(token));
    store(*member, begin);
    return true;
}

bool Picker::type_of(Frame& frame, const Token& token) {
    if (token.kind != Token::Kind::text) return complain("must be text", description(token));
    if (frame.is_typed) return complain("must be there once", "it twice");
    frame.is_typed = true;
    const auto* type = find(frame.shape->members, token.text);
    if (!type) return true;
    if (frame.is_late) {
        frames_.back().key = {};
        late_.emplace(pointer(), token.text);
    }
    frame.type = type;
    auto& seen = frames_[frames_.size() - 2].seen;  // a tagged object is always an element
    const auto bit = bit_of(type, *frame.shape);
    if (type->need != Need::repeated && (seen & bit) != 0)
        return complain("must be there once for all", description(token));
    seen |= bit;
    return true;
}

bool Picker::enter(char bracket) {
    const auto* member = next_wanted();
    if (!member) return enter_skipped();
    const bool brings_array = bracket == '[';
    const std::string_view found = brings_array ? "an array" : "an object";
    if (member == &type_member) return complain("must be text", found);
    if (!member->inside) return complain(demand(member->rule), found);
    const auto& shape = *member->inside;
    if (is_array(shape) != brings_array)
        return complain(is_array(shape) ? "must be an array" : "must be an object", found);
    if (is_list(shape)) {
        in_list_ = true;
        items_.clear();
    }
    Frame frame{.shape = &shape};
    if (shape.kind == Shape::Kind::tagged && !known_.empty()) {
        const auto known = known_.find(pointer());
        if (known != known_.end()) frame.type = find(shape.members, known->second);
    }
    frames_.push_back(frame);
    return true;
}

bool Picker::leave() {
    frames_.back().key = {};
    const auto frame = frames_.back();
    const bool good = is_array(*frame.shape)                     ? leave_array(frame)
                      : frame.shape->kind == Shape::Kind::tagged ? leave_tagged(frame)
                                                                 : leave_object(frame);
    if (!good) return false;
    frames_.pop_back();
    if (!frames_.empty() && !is_array(*frames_.back().shape)) frames_.back().next = nullptr;
    return true;
}

bool Picker::leave_object(const Frame& frame) {
    for (const auto& member : frame.shape->members) {
        if (member.need == Need::required && (frame.seen & bit_of(&member, *frame.shape)) == 0)
            return missing(member.name);
    }
    if (frame.shape->is_record) store_record();
    return true;
}

bool Picker::leave_tagged(const Frame& frame) {
    if (!frame.is_typed) return missing(type_key);
    if (frame.type && !frame.has_data) return missing(data_key);
    return true;
}

bool Picker::leave_array(const Frame& frame) {
    frames_.back().index = 0;  // from here on it is about the array
    if (is_list(*frame.shape)) store_list(*frame.shape);
    const auto* element = frame.shape->members[0].inside;
    if (!element || element->kind != Shape::Kind::tagged || !late_.empty()) return true;
    for (const auto& type : element->members) {
        if (type.need == Need::required && (frame.seen & bit_of(&type, *element)) == 0)
            return complain("must hold " + std::string(type.name), "none");
    }
    return true;
}

void Picker::store(const Member& member, std::size_t begin) {
    const Extent extent{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(values_.size())};
    if (in_list_) {
        items_.push_back(extent);
    } else {
        slots_[member.slot] = extent;
    }
}

void Picker::store_list(const Shape& shape) {
    in_list_ = false;
    const auto text = [this](Extent item) {
        return std::string_view(values_).substr(item.begin, item.end - item.begin);
    };
    if (shape.kind == Shape::Kind::set) {
        std::ranges::sort(items_, {}, text);
        const auto repeated = std::ranges::unique(items_, {}, text);
        items_.erase(repeated.begin(), repeated.end());
    }
    const auto begin = values_.size();
    values_ += '[';
    for (const auto item : items_) {
        if (values_.back() != '[') values_ += ',';
        values_.append(values_, item.begin, item.end - item.begin);
    }
    values_ += ']';
    slots_[shape.slot] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(values_.size())};
}

void Picker::store_record() {
    const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(plan_.record_slots);
    records_.insert(records_.end(), slots_.begin(), end);
    std::fill(slots_.begin(), end, Extent{});
}

}  // namespace crawler::codec

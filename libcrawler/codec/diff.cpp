#include "codec/diff.hpp"

#include "codec/canonical.hpp"
#include "codec/canonical_cursor.hpp"
#include "codec/json_pointer.hpp"

namespace crawler::codec {
namespace {

constexpr std::size_t deepest = 64;

using Key = std::optional<std::string_view>;

bool is_open_object(std::string_view value) {
    return value.starts_with('{') && value != "{}";
}

class Walk {
  public:
    explicit Walk(std::string_view root) : path_(root) {}

    // Empty: there is no such value. What is there is whole, from its first bracket to its last.
    bool compare(std::string_view before, std::string_view after) {
        if (before == after) return true;
        if (depth_ == deepest) return false;
        const bool open_before = is_open_object(before);
        const bool open_after = is_open_object(after);
        if (!open_before && !open_after) return leaf(before, after);
        // A leaf on one side and an object on the other: the leaf is one change, the leaves of the object are others.
        if (!open_before && !before.empty()) leaf(before, {});
        if (!open_after && !after.empty()) leaf({}, after);
        ++depth_;
        const bool good = merge(open_before ? before : "{}", open_after ? after : "{}");
        --depth_;
        return good;
    }

    std::vector<FieldChange> take() { return std::move(changes_); }

  private:
    // Both have their keys in order, so the smaller of the two next ones is only on its side.
    bool merge(std::string_view before, std::string_view after) {
        CanonicalCursor old_side(before);
        CanonicalCursor new_side(after);
        old_side.enter();
        new_side.enter();
        Key old_key = old_side.next_key({});
        Key new_key = new_side.next_key({});
        while (old_key || new_key) {
            const bool take_old = old_key && (!new_key || *old_key <= *new_key);
            const bool take_new = new_key && (!old_key || *new_key <= *old_key);
            const auto key = take_old ? *old_key : *new_key;
            const auto old_value = take_old ? old_side.value() : std::string_view{};
            const auto new_value = take_new ? new_side.value() : std::string_view{};
            if (!old_side.ok() || !new_side.ok() || !member(key, old_value, new_value)) return false;
            if (take_old) old_key = old_side.next_key(old_key);
            if (take_new) new_key = new_side.next_key(new_key);
        }
        return old_side.ok() && new_side.ok() && old_side.at_end() && new_side.at_end();
    }

    bool member(std::string_view key, std::string_view before, std::string_view after) {
        if (before == after) return true;
        std::string quoted;
        quoted.reserve(key.size() + 2);
        quoted.append(1, '"').append(key).append(1, '"');
        const auto name = unquoted(quoted);
        if (!name) return false;
        const auto length = path_.size();
        append_pointer(path_, *name);
        const bool good = compare(before, after);
        path_.resize(length);
        return good;
    }

    bool leaf(std::string_view before, std::string_view after) {
        const auto side = [](std::string_view value) {
            return value.empty() ? std::nullopt : std::optional<std::string>(value);
        };
        changes_.push_back({path_, side(before), side(after)});
        return true;
    }

    std::string path_;
    std::size_t depth_ = 0;
    std::vector<FieldChange> changes_;
};

// True for nothing at all and for exactly one value.
bool is_whole(std::string_view text) {
    CanonicalCursor cursor(text);
    if (!text.empty()) cursor.value();
    return cursor.ok() && cursor.at_end();
}

}  // namespace

Result<FieldDiff> diff(std::string_view before, std::string_view after, std::string_view root) {
    if (before == after) return FieldDiff{};
    if (!is_whole(before)) return Error{Errc::invalid, "the text before the change is not canonical"};
    if (!is_whole(after)) return Error{Errc::invalid, "the text after the change is not canonical"};
    Walk walk(root);
    if (!walk.compare(before, after))
        return Error{Errc::invalid, "one of the texts before and after the change is not canonical"};
    return FieldDiff(walk.take());
}

}  // namespace crawler::codec

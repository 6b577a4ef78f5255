// What is wanted of an answer, as constant tables: `pick` walks along them while the answer streams by. What no table names is
// skipped and costs nothing.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace crawler::codec {

// What one value must be. Numbers may come as texts ("545,600") and texts as whole numbers; both end in the same canonical form.
enum class Rule {
    text,     // any text, also an empty one
    name,     // text that is not blank
    price,    // a whole number above zero
    count,    // a whole number, zero or above
    percent,  // a whole number from 0 to 100
    number,   // a whole number above zero that only names something
    flag,     // true or false, and nothing like it
};

enum class Need {
    required,
    optional,  // null is the same as not there
    repeated,  // types of a tagged array only: any number of them
};

struct Shape;

// A wanted member of an object, the element of an array, or one type of a tagged object.
struct Member {
    std::string_view name;
    Need need = Need::required;
    Rule rule = Rule::text;         // where nothing is inside
    std::size_t slot = 0;           // where the value is put; see Picked
    const Shape* inside = nullptr;  // an object or array rather than a single value
};

struct Shape {
    enum class Kind {
        object,  // `members` by name, at most 64
        array,   // each element like members[0]
        list,    // an array of values (or of objects with one wanted member each) that becomes one value in `slot`
        set,     // the same, but order and repetition do not matter: sorted, each once
        tagged,  // {"type": a member's name, "data": that member}; other types are skipped
    };
    Kind kind = Kind::object;
    std::span<const Member> members;
    std::size_t slot = 0;    // list and set
    bool is_record = false;  // object: one of several things of the same kind in the answer
};

constexpr bool is_list(const Shape& shape) {
    return shape.kind == Shape::Kind::list || shape.kind == Shape::Kind::set;
}
constexpr bool is_array(const Shape& shape) {
    return shape.kind == Shape::Kind::array || is_list(shape);
}

}  // namespace crawler::codec

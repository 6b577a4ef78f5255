// Walks over a text in canonical form without building anything: the diff and the reading of payloads stand on it.
#pragma once
#include <optional>
#include <string_view>

namespace crawler::codec {

// Text that is not canonical never makes it crash, loop or read outside; it stops, and ok() is false from then on. It sees to
// structure and to the order of keys, not to what is inside texts and numbers.
class CanonicalCursor {
  public:
    explicit CanonicalCursor(std::string_view text) : text_(text) {}

    bool ok() const { return ok_; }
    bool at_end() const { return at_ == text_.size(); }
    std::size_t position() const { return at_; }

    // True if the value that begins here is an object or an array; nothing is passed.
    bool at_object() const { return next() == '{'; }
    bool at_array() const { return next() == '['; }

    // The value that begins here, whole; empty where there is none.
    std::string_view value();

    // Steps into an object or array. Then, until it answers empty or false, which is behind the closing bracket: next_key and its
    // value, or next_element and its value.
    void enter();
    // The key as written, without the quotes; its value comes next. `previous` is the key before it, empty for the first.
    std::optional<std::string_view> next_key(std::optional<std::string_view> previous);
    bool next_element(bool first);

    void fail() { ok_ = false; }

  private:
    char next() const { return ok_ && at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char expected);
    void pass_text();
    void pass_word();
    void pass_nested();

    std::string_view text_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

}  // namespace crawler::codec

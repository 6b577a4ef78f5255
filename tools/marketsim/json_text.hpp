// Writes JSON by appending, a member at a time, and puts the commas. What opens must be closed by the caller.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace marketsim {

// The text in quotes, with everything escaped that JSON does not allow in them.
void append_quoted(std::string& out, std::string_view text);

class JsonText {
  public:
    explicit JsonText(std::size_t expected_size) { out_.reserve(expected_size); }

    // With a name a member of an object, without one an element of an array or the whole document.
    JsonText& object(std::string_view name) { return key(name).put("{"); }
    JsonText& object() { return comma().put("{"); }
    JsonText& end_object() { return put("}"); }
    JsonText& array(std::string_view name) { return key(name).put("["); }
    JsonText& array() { return comma().put("["); }
    JsonText& end_array() { return put("]"); }

    JsonText& text(std::string_view name, std::string_view value);
    JsonText& text(std::string_view value);
    JsonText& number(std::string_view name, std::int64_t value);
    JsonText& flag(std::string_view name, bool value) { return key(name).put(value ? "true" : "false"); }
    JsonText& json(std::string_view name, std::string_view valid) { return key(name).put(valid); }
    JsonText& json(std::string_view valid) { return comma().put(valid); }

    std::string take() { return std::move(out_); }

  private:
    JsonText& put(std::string_view piece) {
        out_.append(piece);
        return *this;
    }
    // A value never ends in one of these, so what was written last says whether something precedes.
    JsonText& comma() {
        if (!out_.empty() && out_.back() != '{' && out_.back() != '[') out_ += ',';
        return *this;
    }
    JsonText& key(std::string_view name) {
        comma();
        out_ += '"';
        out_.append(name).append("\":");
        return *this;
    }

    std::string out_;
};

}  // namespace marketsim

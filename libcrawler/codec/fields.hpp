// The members of one canonical object, and what they say: how payloads, changes and proofs are read back.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/canonical.hpp"
#include "domain/enum_names.hpp"
#include "domain/time.hpp"

namespace crawler::codec {

// The members as fragments of the text, which must live longer; none at all if it is not a canonical object.
class Fields {
  public:
    explicit Fields(std::string_view object);

    bool is_good() const { return is_good_; }
    std::size_t size() const { return members_.size(); }
    // Empty where there is none.
    std::string_view operator[](std::string_view key) const;

  private:
    struct Field {
        std::string_view key;
        std::string_view value;
    };
    std::vector<Field> members_;
    bool is_good_ = false;
};

// Each is false, and `out` stays as it is, where the fragment says no such thing.
bool read_text(std::string& out, std::string_view fragment);
bool read_number(std::int64_t& out, std::string_view fragment);
bool read_time(TimePoint& out, std::string_view fragment);

template <NamedEnum E>
bool read_word(E& out, std::string_view fragment) {
    const auto text = unquoted(fragment);
    const auto word = text ? parse<E>(*text) : std::nullopt;
    if (word) out = *word;
    return word.has_value();
}

}  // namespace crawler::codec

// The canonical form of a document: the one text that stands for what it says. Digests are taken of it, diffs are found in it and
// payloads carry it, so it must never change quietly (tests pin the digests of the sample answers).
//
// - JSON in UTF-8, without whitespace.
// - The keys of an object are in ascending order of their bytes as written, each once.
// - In texts only what must be is escaped: \" \\ \b \f \n \r \t, and \u00xx in lower case for the other control characters.
//   Everything else, Korean and '/' included, is verbatim; nothing is normalised, trimmed or folded.
// - Numbers are integers within 64 bits, in decimal without exponent, fraction or leading zeros.
// - There is no null: what is not known is not there.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/result.hpp"

namespace crawler::codec {

void append_quoted(std::string& out, std::string_view text);
void append_number(std::string& out, std::int64_t number);

// The text that append_quoted wrote. invalid: not a text in canonical form.
Result<std::string> unquoted(std::string_view fragment);

// Appends to `out`, which it does not own, and puts the commas. A key out of order is a bug and asserted.
class CanonicalWriter {
  public:
    explicit CanonicalWriter(std::string& out) : out_(out) {}

    CanonicalWriter& begin_object();
    CanonicalWriter& end_object();
    CanonicalWriter& begin_array();
    CanonicalWriter& end_array();
    CanonicalWriter& key(std::string_view name);

    CanonicalWriter& text(std::string_view value);
    CanonicalWriter& number(std::int64_t value);
    CanonicalWriter& flag(bool value);
    CanonicalWriter& fragment(std::string_view canonical);  // a value that is in canonical form already

  private:
    struct LastKey {
        std::size_t begin = 0;
        std::size_t size = 0;
    };
    void comma();

    std::string& out_;
    std::vector<LastKey> open_;  // of each object that is not closed yet
};

}  // namespace crawler::codec

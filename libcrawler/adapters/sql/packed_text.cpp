#include "adapters/sql/packed_text.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <charconv>
#include <stdexcept>

namespace crawler::adapters::sql {
namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

Error no_good(const char* why) {
    return {Errc::invalid, std::string("packed text: ") + why};
}

}  // namespace

std::string to_base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // one more for the zero that it ends with
    const auto length = EVP_EncodeBlock(bytes_of(text), bytes_of(bytes), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

Result<std::string> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return no_good("not base64");
    std::string bytes(text.size() / 4 * 3, '\0');
    const auto length = EVP_DecodeBlock(bytes_of(bytes), bytes_of(text), static_cast<int>(text.size()));
    if (length < 0) return no_good("not base64");
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(length) - padding);
    return bytes;
}

// <size>:<base64>; a text that is empty stays so.
std::string pack(std::string_view text) {
    if (text.empty()) return {};
    auto length = compressBound(text.size());
    std::string deflated(length, '\0');
    if (compress2(bytes_of(deflated), &length, bytes_of(text), text.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    deflated.resize(length);
    return std::to_string(text.size()) + ":" + to_base64(deflated);
}

Result<std::string> unpack(std::string_view packed) {
    if (packed.empty()) return std::string{};
    std::size_t size = 0;
    const auto* end = packed.data() + packed.size();
    const auto read = std::from_chars(packed.data(), end, size);
    constexpr std::size_t largest = 1U << 30;
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ':' || size > largest) return no_good("no size");
    const auto deflated = from_base64(packed.substr(static_cast<std::size_t>(read.ptr - packed.data()) + 1));
    if (!deflated) return deflated.error();
    std::string text(size, '\0');
    auto length = static_cast<uLongf>(size);
    const auto done = uncompress(bytes_of(text), &length, bytes_of(*deflated), deflated->size());
    if (done != Z_OK || length != size) return no_good("not what was packed");
    return text;
}

}  // namespace crawler::adapters::sql

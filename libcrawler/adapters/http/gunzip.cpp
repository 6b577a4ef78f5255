#include "adapters/http/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace crawler::adapters {
namespace {

constexpr int gzip_only = 15 + 16;  // the largest window, and no format but gzip
constexpr std::size_t first_room = 65'536;

class Inflater {
  public:
    explicit Inflater(std::string_view packed) {
        // zlib reads from what it does not declare const.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
        if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills what it can of `room`; how much that was.
    std::size_t read(char* room, std::size_t size) {
        stream_.next_out = reinterpret_cast<Bytef*>(room);
        stream_.avail_out = static_cast<uInt>(size);
        code_ = inflate(&stream_, Z_NO_FLUSH);
        return size - stream_.avail_out;
    }
    // A body may be several packed ones in a row.
    void begin_next() {
        inflateReset(&stream_);
        code_ = Z_OK;
    }
    bool at_end() const { return code_ == Z_STREAM_END && stream_.avail_in == 0; }
    bool at_next() const { return code_ == Z_STREAM_END && stream_.avail_in > 0; }
    bool is_broken() const { return code_ != Z_OK && code_ != Z_STREAM_END; }

  private:
    z_stream stream_{};
    int code_ = Z_OK;
};

}  // namespace

Result<std::string> gunzip(std::string_view packed, std::size_t limit) {
    if (packed.size() > std::numeric_limits<uInt>::max()) return Error{Errc::invalid, "too large when packed"};
    Inflater inflater(packed);
    std::string body;
    std::size_t size = 0;
    while (!inflater.at_end()) {
        if (size > limit) return Error{Errc::invalid, "more than " + std::to_string(limit) + " bytes when unpacked"};
        if (size == body.size()) body.resize(std::min(std::max(first_room, 2 * size), limit + 1));
        if (inflater.at_next()) inflater.begin_next();
        size += inflater.read(body.data() + size, body.size() - size);
        if (inflater.is_broken()) return Error{Errc::unavailable, "not a whole gzip body"};
    }
    if (size > limit) return Error{Errc::invalid, "more than " + std::to_string(limit) + " bytes when unpacked"};
    body.resize(size);
    return body;
}

}  // namespace crawler::adapters

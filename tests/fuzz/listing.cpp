#include "fuzz/reader_promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = crawler::adapters::mustit::read_listing(crawler::fuzz::text_of(data, size));
    if (read) crawler::fuzz::check(read->facets);
    if (!read) crawler::fuzz::check(read.error());
    return 0;
}

#include "fuzz/reader_promises.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr crawler::ItemNo item_of_the_sample = 117005038;
    const auto read = crawler::adapters::mustit::read_options(crawler::fuzz::text_of(data, size), item_of_the_sample);
    if (read) crawler::fuzz::check(*read);
    if (!read) crawler::fuzz::check(read.error());
    return 0;
}

// What the benchmarks share: one number out of several rounds, and how long a thing took.
#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

namespace crawler::bench {

inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

template <class Work>
double seconds(Work work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace crawler::bench

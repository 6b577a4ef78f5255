// What the benchmarks share: one number out of several rounds, how long a thing took, and the judgement that bench/run-all collects.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
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

// One line for each goal, in words that bench/run-all reads: what was measured, what came of it, what was wanted.
inline bool judge(const std::string& what, const std::string& found, const std::string& wanted, bool is_met) {
    std::printf("  goal: %s: %s, wanted %s: %s\n", what.c_str(), found.c_str(), wanted.c_str(),
                is_met ? "met" : "NOT met");
    std::fflush(stdout);
    return is_met;
}

inline std::string with_decimals(double number, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, number);
    return text;
}

}  // namespace crawler::bench

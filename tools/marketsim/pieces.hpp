// Long work in short pieces. Whoever asks meanwhile is heard between two of them, so that he is not judged by our pauses instead of his.
#pragma once
#include <chrono>

#include "coro/sleep.hpp"

namespace marketsim {

class Pieces {
  public:
    // None is much longer than that.
    explicit Pieces(std::chrono::nanoseconds longest) : longest_(longest) {}

    bool is_long_enough() const { return std::chrono::steady_clock::now() - began_ >= longest_; }
    // Everybody else who has something to do, and then the next piece.
    crawler::Async<> pause() {
        constexpr std::chrono::nanoseconds at_once{0};
        co_await crawler::coro::sleep(at_once);
        began_ = std::chrono::steady_clock::now();
    }

  private:
    std::chrono::nanoseconds longest_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace marketsim

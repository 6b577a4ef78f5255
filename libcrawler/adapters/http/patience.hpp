// How long a conversation still waits for its client, counted in ticks: a timer for each wait would cost more than the rest of a
// small request. Private to the server.
#pragma once
#include <algorithm>

#include "adapters/http/http.hpp"

namespace crawler::adapters {

class Patience {
  public:
    explicit Patience(const HttpServerConfig& config)
        : tick_(std::max(std::min({config.read_timeout, config.write_timeout, config.idle_timeout}) / 4,
                         Duration{std::chrono::milliseconds{1}})) {}

    Duration tick() const { return tick_; }

    // A wait begins; it is over after `limit` and at most one tick more.
    void begin(Duration limit) {
        ticks_left_ = limit / tick_ + 2;
        is_over_ = false;
    }
    // Nobody waits for the client.
    void end() { ticks_left_ = 0; }

    // True where the wait is over with this tick.
    bool pass_tick() {
        if (ticks_left_ == 0 || --ticks_left_ > 0) return false;
        is_over_ = true;
        return true;
    }
    // The wait shall not go on, whatever time is left.
    void give_up() {
        ticks_left_ = 0;
        is_over_ = true;
    }
    bool is_over() const { return is_over_; }

  private:
    Duration tick_;
    Duration::rep ticks_left_ = 0;
    bool is_over_ = false;
};

}  // namespace crawler::adapters

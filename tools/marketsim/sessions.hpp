// Who has been let in: the cookies that the site's root hands to a browser, by its User-Agent, until they expire.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim_time.hpp"

namespace marketsim {

struct Cookies {
    std::string token;
    std::string nid;
    std::string mustit_uid;

    friend bool operator==(const Cookies&, const Cookies&) = default;
};

// Of a Cookie header; what is not there is empty.
Cookies read_cookies(std::string_view header);

class Sessions {
  public:
    Sessions(std::uint64_t seed, SimTime lifetime) : seed_(seed), lifetime_(lifetime) {}

    // New cookies each time; those of before are void.
    const Cookies& open(const std::string& user_agent, SimTime now);
    // Set-Cookie values for them, with their age in the client's seconds.
    std::vector<std::string> headers(const Cookies& cookies, double time_factor) const;

    enum class Standing { good, none, foreign, expired };
    Standing check(const std::string& user_agent, const Cookies& cookies, SimTime now) const;
    // The token dies before its time.
    void kill(const std::string& user_agent);

    std::size_t opened() const { return opened_; }

  private:
    struct Session {
        Cookies cookies;
        SimTime until{};
        int number = 0;  // how many this browser has had
    };

    std::uint64_t seed_;
    SimTime lifetime_;
    std::size_t opened_ = 0;
    std::unordered_map<std::string, Session> sessions_;
};

}  // namespace marketsim

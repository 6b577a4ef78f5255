// Whom a connection is to: what one can be reused for. Private to the client.
#pragma once
#include <string>

#include "domain/result.hpp"

namespace crawler::adapters {

struct Origin {
    bool secure = false;
    std::string host;  // in small letters
    std::string port;

    std::string name() const { return host + ":" + port; }
    friend bool operator==(const Origin&, const Origin&) = default;
};

inline Error unavailable(const Origin& origin, const std::string& what, const std::string& reason) {
    return {Errc::unavailable, origin.name() + ": " + what + ": " + reason};
}

}  // namespace crawler::adapters

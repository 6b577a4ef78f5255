// A GET by plain sockets, sharing no code with ours, so that tests and benchmarks see what the wire says.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace crawler::test {

struct Answer {
    int status = 0;
    std::string body;
};

// Empty: nobody listens there, or the connection broke.
std::optional<Answer> http_get(std::uint16_t port, const std::string& path);

}  // namespace crawler::test

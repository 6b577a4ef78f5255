// One connection to one server, which blocks: commands out, as many replies back. The two variants of this adapter differ behind this
// header only. Used by the connector and by the link.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "adapters/redis/redis_address.hpp"
#include "domain/time.hpp"

namespace crawler::adapters::redis {

struct Reply {
    enum class Kind { nothing, number, text, list, error };
    Kind kind = Kind::nothing;
    std::int64_t number = 0;
    std::string text;  // of an error, too
    std::vector<Reply> list;

    bool is_error() const { return kind == Kind::error; }
};

using Command = std::vector<std::string>;

class Wire {
  public:
    virtual ~Wire() = default;
    // All go out before the first reply is read. An error of one command is its reply. timeout: they may have been done; the wire is
    // of no use any more.
    virtual Result<std::vector<Reply>> run(const std::vector<Command>& commands) = 0;
};

struct WireSettings {
    RedisNode node;
    bool tls = false;
    std::string ca_file;
    Duration connect_timeout{};
    Duration answer_timeout{};
};
// unavailable: nobody is there, or it cannot be trusted.
Result<std::unique_ptr<Wire>> connect_wire(const WireSettings& settings);
std::string_view wire_library();
// invalid: this library has no TLS.
Result<> check_tls();

}  // namespace crawler::adapters::redis

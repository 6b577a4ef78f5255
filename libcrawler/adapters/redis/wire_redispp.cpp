// The variant on redis-plus-plus, of which one connection is used. It would connect anew by itself after it has told us of a failure; so
// whoever was told throws the wire away, and no call goes to a server that nobody has looked at.
#include <sw/redis++/redis++.h>

#include "adapters/redis/wire.hpp"

namespace crawler::adapters::redis {
namespace {

Reply taken_from(const redisReply& raw) {
    Reply reply;
    if (raw.type == REDIS_REPLY_INTEGER) {
        reply.kind = Reply::Kind::number;
        reply.number = raw.integer;
    } else if (raw.type == REDIS_REPLY_ARRAY) {
        reply.kind = Reply::Kind::list;
        reply.list.reserve(raw.elements);
        for (std::size_t i = 0; i < raw.elements; ++i) reply.list.push_back(taken_from(*raw.element[i]));
    } else if (raw.type != REDIS_REPLY_NIL) {
        reply.kind = raw.type == REDIS_REPLY_ERROR ? Reply::Kind::error : Reply::Kind::text;
        reply.text.assign(raw.str, raw.len);
    }
    return reply;
}

// This library throws what a server refuses.
Reply reply_at(sw::redis::QueuedReplies& replies, std::size_t index) {
    try {
        return taken_from(replies.get(index));
    } catch (const sw::redis::RedirectionError& error) {
        return {.kind = Reply::Kind::error, .text = std::string("MOVED ") + error.what(), .list = {}};
    } catch (const sw::redis::ReplyError& error) {
        return {.kind = Reply::Kind::error, .text = error.what(), .list = {}};
    }
}

class RedisPlusPlusWire final : public Wire {
  public:
    explicit RedisPlusPlusWire(const sw::redis::ConnectionOptions& options)
        : redis_(options), pipeline_(redis_.pipeline(false)) {}

    Result<std::vector<Reply>> run(const std::vector<Command>& commands) override {
        try {
            for (const auto& command : commands) pipeline_.command(command.begin(), command.end());
            auto raw = pipeline_.exec();
            std::vector<Reply> replies;
            replies.reserve(commands.size());
            for (std::size_t i = 0; i < commands.size(); ++i) replies.push_back(reply_at(raw, i));
            return replies;
        } catch (const sw::redis::Error& error) {
            return Error{Errc::timeout, std::string("Redis: ") + error.what()};
        }
    }

  private:
    sw::redis::Redis redis_;
    sw::redis::Pipeline pipeline_;  // holds the only connection
};

// The library can be built without TLS; then its options have nothing to say.
template <class Options>
constexpr bool has_tls = requires(Options options) { options.cacert; };

template <class Options>
void ask_for_tls(Options& tls, const WireSettings& settings) {
    if constexpr (has_tls<Options>) {
        tls.enabled = true;
        tls.cacert = settings.ca_file;
        tls.sni = settings.node.host;
    }
}

sw::redis::ConnectionOptions options_of(const WireSettings& settings) {
    using std::chrono::ceil;
    using std::chrono::milliseconds;
    sw::redis::ConnectionOptions options;
    if (settings.node.port == 0) {
        options.type = sw::redis::ConnectionType::UNIX;
        options.path = settings.node.host;
    } else {
        options.host = settings.node.host;
        options.port = settings.node.port;
    }
    options.connect_timeout = ceil<milliseconds>(settings.connect_timeout);
    options.socket_timeout = ceil<milliseconds>(settings.answer_timeout);
    if (settings.tls) ask_for_tls(options.tls, settings);
    return options;
}

}  // namespace

Result<std::unique_ptr<Wire>> connect_wire(const WireSettings& settings) {
    try {
        return std::unique_ptr<Wire>(std::make_unique<RedisPlusPlusWire>(options_of(settings)));
    } catch (const sw::redis::Error& error) {
        return Error{Errc::unavailable, "Redis at " + settings.node.text() + ": " + error.what()};
    }
}

std::string_view wire_library() {
    return "redis-plus-plus";
}

Result<> check_tls() {
    if (has_tls<sw::redis::tls::TlsOptions>) return {};
    return Error{Errc::invalid, "Redis: rediss:// needs TLS, which redis-plus-plus was built without here"};
}

}  // namespace crawler::adapters::redis

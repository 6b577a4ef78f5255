// The variant on hiredis. The packaged one is older than its TLS, so TLS is OpenSSL's, and hiredis reads and writes the protocol.
#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <cstring>

#include "adapters/redis/tls_stream.hpp"
#include "adapters/redis/wire.hpp"

namespace crawler::adapters::redis {
namespace {

struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
    void operator()(void* reply) const { freeReplyObject(reply); }
};

timeval timeval_of(Duration length) {
    const auto microseconds = length.count();
    return {.tv_sec = microseconds / 1'000'000, .tv_usec = microseconds % 1'000'000};
}

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

struct Words {
    explicit Words(const Command& command) {
        for (const auto& word : command) {
            texts.push_back(word.data());
            lengths.push_back(word.size());
        }
    }
    int count() const { return static_cast<int>(texts.size()); }
    std::vector<const char*> texts;
    std::vector<std::size_t> lengths;
};

class PlainWire final : public Wire {
  public:
    explicit PlainWire(std::unique_ptr<redisContext, Free> context) : context_(std::move(context)) {}

    Result<std::vector<Reply>> run(const std::vector<Command>& commands) override {
        for (const auto& command : commands) {
            Words words(command);
            redisAppendCommandArgv(context_.get(), words.count(), words.texts.data(), words.lengths.data());
        }
        std::vector<Reply> replies;
        replies.reserve(commands.size());
        while (replies.size() < commands.size()) {
            void* raw = nullptr;
            if (redisGetReply(context_.get(), &raw) != REDIS_OK)
                return Error{Errc::timeout, std::string("Redis: ") + context_->errstr};
            const std::unique_ptr<void, Free> held(raw);
            replies.push_back(taken_from(*static_cast<redisReply*>(raw)));
        }
        return replies;
    }

  private:
    std::unique_ptr<redisContext, Free> context_;
};

class TlsWire final : public Wire {
  public:
    explicit TlsWire(std::unique_ptr<TlsStream> stream) : stream_(std::move(stream)), reader_(redisReaderCreate()) {}

    Result<std::vector<Reply>> run(const std::vector<Command>& commands) override {
        if (auto sent = stream_->write(bytes_of(commands)); !sent) return sent.error();
        std::vector<Reply> replies;
        while (replies.size() < commands.size()) {
            void* raw = nullptr;
            if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK)
                return Error{Errc::timeout, std::string("Redis: ") + reader_->errstr};
            if (raw != nullptr) {
                const std::unique_ptr<void, Free> held(raw);
                replies.push_back(taken_from(*static_cast<redisReply*>(raw)));
                continue;
            }
            const auto more = stream_->read();
            if (!more) return more.error();
            redisReaderFeed(reader_.get(), more->data(), more->size());
        }
        return replies;
    }

  private:
    static std::string bytes_of(const std::vector<Command>& commands) {
        std::string all;
        for (const auto& command : commands) {
            Words words(command);
            char* text = nullptr;
            const auto length = redisFormatCommandArgv(&text, words.count(), words.texts.data(), words.lengths.data());
            if (length > 0) all.append(text, static_cast<std::size_t>(length));
            redisFreeCommand(text);
        }
        return all;
    }

    std::unique_ptr<TlsStream> stream_;
    std::unique_ptr<redisReader, Free> reader_;
};

}  // namespace

Result<std::unique_ptr<Wire>> connect_wire(const WireSettings& settings) {
    const auto& node = settings.node;
    if (settings.tls) {
        auto stream = TlsStream::connect(node.host, node.port, settings.ca_file, settings.connect_timeout,
                                         settings.answer_timeout);
        if (!stream) return stream.error();
        return std::unique_ptr<Wire>(std::make_unique<TlsWire>(*std::move(stream)));
    }
    const auto patience = timeval_of(settings.connect_timeout);
    std::unique_ptr<redisContext, Free> context(node.port == 0
                                                    ? redisConnectUnixWithTimeout(node.host.c_str(), patience)
                                                    : redisConnectWithTimeout(node.host.c_str(), node.port, patience));
    if (!context) return Error{Errc::unavailable, "Redis: out of memory"};
    if (context->err != 0) return Error{Errc::unavailable, "Redis at " + node.text() + ": " + context->errstr};
    redisSetTimeout(context.get(), timeval_of(settings.answer_timeout));
    return std::unique_ptr<Wire>(std::make_unique<PlainWire>(std::move(context)));
}

std::string_view wire_library() {
    return "hiredis";
}

Result<> check_tls() {
    return {};
}

}  // namespace crawler::adapters::redis

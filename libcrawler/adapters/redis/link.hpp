// The process' one connection to Redis. Whatever coroutines ask while a batch is on its way goes together in the next one, from a thread
// that may block. A server that failed is left alone for a while; whoever asks meanwhile is told so at once.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>

#include "adapters/redis/connector.hpp"
#include "adapters/redis/keys.hpp"
#include "coro/blocking_pool.hpp"

namespace crawler::adapters {

class RedisLink {
  public:
    // A script as Redis knows it.
    struct Script {
        std::string_view name;
        std::string_view text;
    };

    explicit RedisLink(RedisConfig config);

    // The script, once, with all of these; before `arguments` it is given the server's life, which only the connection knows.
    // unavailable: it was not run; timeout: it may have been. An error that a script itself makes is invalid.
    Async<Result<redis::Reply>> call(Script script, std::vector<std::string> keys, std::vector<std::string> arguments);
    Async<Result<redis::Reply>> command(redis::Command words);

    const RedisConfig& config() const { return config_; }
    std::string key(std::string_view name) const { return redis::key(config_.prefix, name); }

  private:
    struct Request {
        std::optional<Script> script;
        redis::Command words;  // of a script: how many keys, the keys; then the arguments
        std::size_t keys = 0;
        std::optional<Result<redis::Reply>> answer = std::nullopt;
    };

    Async<Result<redis::Reply>> run(Request request);
    // On the thread.
    void work_off();
    void ask(const std::vector<Request*>& batch);
    std::optional<Error> ready();
    redis::Command words_of(const Request& request, bool whole_script) const;
    void lose(const Error& error);
    Duration elapsed() const;
    const std::string& digest_of(Script script) const;

    const RedisConfig config_;
    const redis::Connector connector_;
    std::mutex guard_;
    std::vector<Request*> waiting_;
    // Of the thread alone.
    std::optional<redis::Connected> connected_;
    std::optional<Error> failure_;
    Duration left_alone_until_{};
    mutable std::vector<std::pair<const char*, std::string>> digests_;
    coro::BlockingPool thread_{1};
};

}  // namespace crawler::adapters

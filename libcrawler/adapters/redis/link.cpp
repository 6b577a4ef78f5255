#include "adapters/redis/link.hpp"

#include <openssl/evp.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace crawler::adapters {

using redis::Command;
using redis::Reply;

namespace {

// Redis knows a script by the SHA-1 of its text.
std::string sha1_of(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
    unsigned length = 0;
    EVP_Digest(text.data(), text.size(), raw.data(), &length, EVP_sha1(), nullptr);
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    for (unsigned i = 0; i < length; ++i) {
        hex += digits[raw.at(i) >> 4U];
        hex += digits[raw.at(i) & 15U];
    }
    return hex;
}

// A server that goes away must be an error of ours, not the end of the process.
void let_pipes_break() {
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
}

RedisAddress address_of(const RedisConfig& config) {
    if (auto sound = config.check(); !sound) throw std::invalid_argument(sound.error().detail);
    return *parse_redis_address(config.url);
}

bool is_unknown_script(const Reply& reply) {
    return reply.is_error() && reply.text.starts_with("NOSCRIPT");
}

// Words with which a server says that another one is to be asked, or that it cannot be asked now.
bool is_out_of_service(const Reply& reply) {
    if (!reply.is_error()) return false;
    for (const auto* word :
         {"READONLY", "MOVED", "ASK", "LOADING", "CLUSTERDOWN", "MASTERDOWN", "NOAUTH", "MISCONF", "OOM", "NOREPLICAS"})
        if (reply.text.starts_with(word)) return true;
    return false;
}

}  // namespace

Result<> RedisConfig::check() const {
    const auto address = parse_redis_address(url);
    if (!address) return address.error();
    if (address->tls) {
        if (auto possible = redis::check_tls(); !possible) return possible;
    }
    if (prefix.empty() || prefix.find_first_of("{}") != std::string::npos)
        return Error{Errc::invalid, "Redis: prefix must be there, and have no braces"};
    if (connect_timeout <= Duration{0} || answer_timeout <= Duration{0} || retry < Duration{0})
        return Error{Errc::invalid, "Redis: timeouts must be more than 0"};
    return {};
}

std::string_view redis_client() {
    return redis::wire_library();
}

RedisLink::RedisLink(RedisConfig config) : config_(std::move(config)), connector_(config_, address_of(config_)) {}

Redis open_redis(RedisConfig config) {
    return Redis(new RedisLink(std::move(config)));
}

void CloseRedis::operator()(RedisLink* link) const {
    delete link;
}

Async<Result<Reply>> RedisLink::call(Script script, std::vector<std::string> keys, std::vector<std::string> arguments) {
    Request request{.script = script, .words = std::move(keys), .keys = 0};
    request.keys = request.words.size();
    request.words.insert(request.words.end(), std::make_move_iterator(arguments.begin()),
                         std::make_move_iterator(arguments.end()));
    co_return co_await run(std::move(request));
}

Async<Result<Reply>> RedisLink::command(Command words) {
    Request request{.script = std::nullopt, .words = std::move(words)};
    co_return co_await run(std::move(request));
}

Async<Result<Reply>> RedisLink::run(Request request) {
    {
        const std::lock_guard lock(guard_);
        waiting_.push_back(&request);
    }
    // Whoever is first on the thread takes all that wait along; for the others it is done when their turn comes.
    auto turn = [this, &request] {
        if (!request.answer) work_off();
    };
    co_await thread_.run(turn);
    co_return *std::move(request.answer);
}

void RedisLink::work_off() {
    static thread_local const bool prepared = (let_pipes_break(), true);
    (void)prepared;
    std::vector<Request*> batch;
    {
        const std::lock_guard lock(guard_);
        batch.swap(waiting_);
    }
    if (const auto trouble = ready()) {
        for (auto* request : batch) request->answer.emplace(*trouble);
        return;
    }
    ask(batch);
}

void RedisLink::ask(const std::vector<Request*>& batch) {
    std::vector<Request*> open = batch;
    for (const bool whole_script : {false, true}) {
        std::vector<Command> commands;
        commands.reserve(open.size());
        for (const auto* request : open) commands.push_back(words_of(*request, whole_script));
        auto replies = connected_->wire->run(commands);
        if (!replies) {
            lose(replies.error());
            for (auto* request : open) request->answer.emplace(replies.error());
            return;
        }
        std::vector<Request*> unknown;
        std::optional<Error> out_of_service;
        for (std::size_t i = 0; i < open.size(); ++i) {
            auto& reply = (*replies)[i];
            if (is_unknown_script(reply) && !whole_script) {
                unknown.push_back(open[i]);
            } else if (is_out_of_service(reply)) {
                out_of_service = Error{Errc::unavailable, "Redis: " + reply.text};
                open[i]->answer.emplace(*out_of_service);
            } else if (reply.is_error()) {
                open[i]->answer.emplace(Error{Errc::invalid, "Redis: " + reply.text});
            } else {
                open[i]->answer.emplace(std::move(reply));
            }
        }
        if (out_of_service) {
            lose(*out_of_service);
            for (auto* request : unknown) request->answer.emplace(*out_of_service);
            return;
        }
        open = std::move(unknown);
        if (open.empty()) return;
    }
}

std::optional<Error> RedisLink::ready() {
    if (connected_) return std::nullopt;
    if (failure_ && elapsed() < left_alone_until_) return Error{Errc::unavailable, failure_->detail};
    auto connected = connector_.connect();
    if (!connected) {
        lose(connected.error());
        return Error{Errc::unavailable, connected.error().detail};
    }
    connected_.emplace(*std::move(connected));
    failure_.reset();
    return std::nullopt;
}

Command RedisLink::words_of(const Request& request, bool whole_script) const {
    if (!request.script) return request.words;
    Command command;
    command.reserve(request.words.size() + 4);
    command.emplace_back(whole_script ? "EVAL" : "EVALSHA");
    command.emplace_back(whole_script ? std::string(request.script->text) : digest_of(*request.script));
    command.push_back(std::to_string(request.keys));
    const auto arguments = request.words.begin() + static_cast<std::ptrdiff_t>(request.keys);
    command.insert(command.end(), request.words.begin(), arguments);
    command.push_back(connected_->run);
    command.insert(command.end(), arguments, request.words.end());
    return command;
}

void RedisLink::lose(const Error& error) {
    connected_.reset();
    failure_ = error;
    left_alone_until_ = elapsed() + config_.retry;
}

Duration RedisLink::elapsed() const {
    if (config_.elapsed) return config_.elapsed();
    return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

const std::string& RedisLink::digest_of(Script script) const {
    for (const auto& [text, digest] : digests_)
        if (text == script.text.data()) return digest;
    return digests_.emplace_back(script.text.data(), sha1_of(script.text)).second;
}

}  // namespace crawler::adapters

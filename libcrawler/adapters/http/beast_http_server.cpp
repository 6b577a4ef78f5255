// Longer than usual: a connection and the door it comes through, because each file that says Beast costs half a minute to compile.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <stdexcept>

#include "adapters/http/http.hpp"
#include "adapters/http/patience.hpp"
#include "adapters/http/server_messages.hpp"
#include "adapters/http/wire.hpp"
#include "coro/group.hpp"
#include "coro/stop.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;
using ports::HttpRequest;
using ports::HttpResponse;

constexpr std::chrono::milliseconds accept_pause{100};
constexpr std::chrono::seconds farewell{1};
constexpr std::size_t places_to_refuse = 16;
constexpr std::size_t read_ahead = 65'536;  // what Beast reads at once
constexpr std::size_t first_read = 4096;    // most requests are shorter

// Every coroutine here is awaited by serve(), whose frame holds what they refer to.
// NOLINTBEGIN(cppcoreguidelines-avoid-reference-coroutine-parameters)

// One connection, request after request.
class Conversation {
  public:
    Conversation(tcp::socket socket, const HttpServerConfig& config, const ports::HttpHandler& handler,
                 std::stop_token stop)
        : socket_(std::move(socket)), config_(config), handler_(handler), stop_(std::move(stop)) {
        error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
    }

    Async<> run() { co_await coro::first_of(talk(), watch()); }

    Async<> refuse(const Failure& failure) {
        auto message = to_message(to_response(failure), 11, false, false);
        const bool sent = co_await reply(std::move(message));
        if (sent) co_await hang_up();
    }

  private:
    Async<> talk() {
        for (bool open = true; open;) {
            open = co_await request_begins();
            if (open) open = co_await next();
        }
    }

    // Beside talk(), for as long as that takes: cuts a wait for the client that is over, and one for its next request when the server
    // shall stop.
    Async<> watch() {
        while (!stop_.stop_requested()) {
            const auto ticked = co_await coro::or_stop(coro::sleep(patience_.tick()), stop_);
            if (ticked && patience_.pass_tick()) socket_.cancel();
        }
        if (is_idle_) {
            patience_.give_up();
            socket_.cancel();
        }
        for (;;) {
            co_await coro::sleep(patience_.tick());
            if (patience_.pass_tick()) socket_.cancel();
        }
    }

    // What ended a wait: the watch, or somebody who wants this coroutine gone.
    void require_not_cancelled(const error_code& error) const {
        if (!patience_.is_over()) pass_on_cancellation(error);
    }

    // False where none came: idle for too long, gone, or told to stop.
    Async<bool> request_begins() {
        if (buffer_.size() > 0) co_return true;
        if (stop_.stop_requested()) co_return false;
        is_idle_ = true;
        patience_.begin(config_.idle_timeout);
        error_code error;
        const auto room = buffer_.prepare(first_read);
        const auto bytes = co_await socket_.async_read_some(room, asio::redirect_error(asio::use_awaitable, error));
        is_idle_ = false;
        patience_.end();
        require_not_cancelled(error);
        buffer_.commit(bytes);
        co_return !error;
    }

    // Receives and answers one request. True where another may follow.
    Async<bool> next() {
        patience_.begin(config_.read_timeout);
        auto received = co_await receive();
        patience_.end();
        if (received.failure) co_await refuse(*received.failure);
        if (received.failure || !received.request) co_return false;

        const bool head = received.request->method == "HEAD";
        auto response = co_await answer(std::move(*received.request));
        const auto bad = config_.spoil ? config_.spoil(response) : std::nullopt;
        const bool keep_alive = received.keep_alive && !stop_.stop_requested();
        auto message = to_message(std::move(response), received.version, keep_alive, head);
        if (bad) co_return co_await reply_badly(std::move(message), *bad);
        const bool sent = co_await reply(std::move(message));
        if (sent && !keep_alive) co_await hang_up();
        if (!sent) co_return false;
        co_return keep_alive;
    }

    Async<Received> receive() {
        http::request_parser<http::string_body> parser;
        parser.header_limit(static_cast<std::uint32_t>(config_.max_header));
        parser.body_limit(config_.max_body);

        error_code error;
        co_await http::async_read_header(socket_, buffer_, parser, asio::redirect_error(asio::use_awaitable, error));
        if (!error && beast::iequals(parser.get()[http::field::expect], "100-continue")) error = co_await go_on();
        if (!error && !parser.is_done()) {
            co_await http::async_read(socket_, buffer_, parser, asio::redirect_error(asio::use_awaitable, error));
        }
        require_not_cancelled(error);
        if (error == asio::error::operation_aborted) co_return Received{.request = std::nullopt, .failure = &too_slow};
        if (error) co_return failed(error);
        co_return to_request(parser.release());
    }

    // The client waits for our word before it sends the body.
    Async<error_code> go_on() {
        http::response<http::empty_body> message{http::status::continue_, 11};
        error_code error;
        co_await http::async_write(socket_, message, asio::redirect_error(asio::use_awaitable, error));
        co_return error;
    }

    Async<HttpResponse> answer(HttpRequest request) {
        try {
            auto answering = handler_(std::move(request));
            auto response = co_await std::move(answering);
            require_sendable(response);
            co_return response;
        } catch (const boost::system::system_error& thrown) {
            pass_on_cancellation(thrown.code());
            config_.on_error(std::current_exception());
        } catch (const std::exception&) {
            config_.on_error(std::current_exception());
        }
        co_return to_response(internal_error);
    }

    // False where the client did not take the answer.
    Async<bool> reply(http::response<http::string_body> message) {
        patience_.begin(config_.write_timeout);
        error_code error;
        co_await http::async_write(socket_, message, asio::redirect_error(asio::use_awaitable, error));
        patience_.end();
        require_not_cancelled(error);
        co_return !error;
    }

    // True where the client may ask again.
    Async<bool> reply_badly(http::response<http::string_body> message, BadDelivery how) {
        error_code error;
        if (how.reset) {
            socket_.set_option(asio::socket_base::linger(true, 0), error);
            socket_.close(error);
            co_return false;
        }
        http::response_serializer<http::string_body> serializer{message};
        serializer.split(true);
        co_await http::async_write_header(socket_, serializer, asio::redirect_error(asio::use_awaitable, error));
        std::string_view rest = std::string_view(message.body()).substr(0, how.body_bytes);
        while (!error && !rest.empty()) {
            const auto piece = rest.substr(0, how.piece == 0 ? rest.size() : how.piece);
            rest.remove_prefix(piece.size());
            co_await asio::async_write(socket_, asio::buffer(piece), asio::redirect_error(asio::use_awaitable, error));
            if (!rest.empty()) co_await coro::sleep(how.pause);
        }
        pass_on_cancellation(error);
        co_return !error && message.body().size() <= how.body_bytes && message.keep_alive();
    }

    // Closing while the client still sends resets the connection, and may take the answer away before it was read.
    Async<> hang_up() {
        error_code ignored;
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
        auto rest = coro::with_timeout(discard(), farewell);
        co_await coro::or_stop(std::move(rest), stop_);
    }

    Async<> discard() {
        char rest[4096];
        error_code error;
        while (!error) {
            co_await socket_.async_read_some(asio::buffer(rest), asio::redirect_error(asio::use_awaitable, error));
        }
        pass_on_cancellation(error);
    }

    tcp::socket socket_;
    const HttpServerConfig& config_;
    const ports::HttpHandler& handler_;
    std::stop_token stop_;
    Patience patience_{config_};
    bool is_idle_ = false;  // nothing of a request is there
    beast::flat_buffer buffer_{config_.max_header + read_ahead};
};

// Children get the socket and make the conversation in their own frame.
Async<> converse(tcp::socket socket, const HttpServerConfig* config, const ports::HttpHandler* handler,
                 std::stop_token stop) {
    Conversation conversation(std::move(socket), *config, *handler, std::move(stop));
    co_await conversation.run();
}

Async<> turn_away(tcp::socket socket, const HttpServerConfig* config, const ports::HttpHandler* handler,
                  std::stop_token stop) {
    Conversation conversation(std::move(socket), *config, *handler, std::move(stop));
    co_await coro::with_timeout(conversation.refuse(too_busy), config->write_timeout);  // nobody watches over this one
}

class BeastHttpServer final : public ports::HttpServer {
  public:
    BeastHttpServer(const HttpServerConfig& config, asio::io_context& io)
        : config_(config), acceptor_(io, tcp::endpoint(asio::ip::make_address(config.host), config.port)) {
        if (!config_.on_error) config_.on_error = [](const std::exception_ptr&) {};
    }

    std::uint16_t port() const override { return port_; }

    Async<> serve(ports::HttpHandler handler, std::stop_token stop) override {
        auto body = [&](coro::Group& conversations) { return accept_all(conversations, handler, stop); };
        co_await coro::with_group(config_.max_connections, config_.on_error, config_.drain, body);
    }

  private:
    // Over the limit a client hears so at once and can go elsewhere; left in the backlog it, or a probe, would wait for nothing.
    // Refusing takes a moment too, so it has places of its own; when these are taken as well, we accept no more.
    Async<> accept_all(coro::Group& conversations, const ports::HttpHandler& handler, const std::stop_token& stop) {
        auto body = [&](coro::Group& refusals) { return accept_until(stop, handler, conversations, refusals); };
        co_await coro::with_group(places_to_refuse, config_.on_error, farewell, body);
    }

    Async<> accept_until(const std::stop_token& stop, const ports::HttpHandler& handler, coro::Group& conversations,
                         coro::Group& refusals) {
        while (!stop.stop_requested()) {
            auto next = co_await coro::or_stop(accept(refusals), stop);
            if (!next || !*next) continue;
            auto socket = std::move(**next);
            if (conversations.size() < config_.max_connections) {
                conversations.spawn(converse(std::move(socket), &config_, &handler, stop));
            } else {
                refusals.spawn(turn_away(std::move(socket), &config_, &handler, stop));
            }
        }
        acceptor_.close();
    }

    // Nothing where accepting failed; then some time has passed, because what failed (no file handle is left, say)
    // fails again.
    Async<std::optional<tcp::socket>> accept(coro::Group& refusals) {
        co_await refusals.room();
        error_code error;
        auto socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
        pass_on_cancellation(error);
        if (!error) {
            accepting_ = true;
            co_return std::move(socket);
        }
        // Told once, not at every try.
        if (std::exchange(accepting_, false))
            config_.on_error(
                std::make_exception_ptr(boost::system::system_error(error, "no connection can be accepted")));
        co_await coro::sleep(accept_pause);
        co_return std::nullopt;
    }

    HttpServerConfig config_;
    tcp::acceptor acceptor_;
    bool accepting_ = true;
    std::uint16_t port_ = acceptor_.local_endpoint().port();  // asked for after the stop too
};

// NOLINTEND(cppcoreguidelines-avoid-reference-coroutine-parameters)

}  // namespace

std::unique_ptr<ports::HttpServer> open_http_server(const HttpServerConfig& config, asio::io_context& io) {
    try {
        return std::make_unique<BeastHttpServer>(config, io);
    } catch (const boost::system::system_error& error) {
        throw std::runtime_error("cannot listen on " + config.host + ":" + std::to_string(config.port) + ": " +
                                 error.code().message());
    }
}

}  // namespace crawler::adapters

// A connection over TCP, with or without TLS. Private to the client.
#pragma once
#include <sys/socket.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <optional>

#include "adapters/http/client_messages.hpp"
#include "adapters/http/connection.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {

template <class Stream>
class StreamConnection final : public Connection {
  public:
    StreamConnection(Stream stream, Origin origin) : stream_(std::move(stream)), origin_(std::move(origin)) {}

    Async<Spoken> exchange(Message message, ReadLimits limits) override {
        const auto written = co_await coro::with_timeout(write(&message), limits.silence);
        if (!written) co_return Spoken{silent()};
        if (*written) co_return Spoken{unavailable(origin_, "cannot send", written->message()), true};

        std::optional<Parser> parser;
        boost::system::error_code error;
        do {  // a status below 200 only announces the answer
            parser.emplace();
            parser->eager(true);
            parser->header_limit(max_header);
            parser->body_limit(limits.body);
            parser->skip(message.method() == http::verb::head);
            while (!error && !parser->is_done()) {
                const auto read = co_await coro::with_timeout(read_some(&*parser), limits.silence);
                if (!read) co_return Spoken{silent()};
                error = *read;
                is_heard_ = is_heard_ || parser->got_some();
            }
        } while (!error && parser->get().result_int() < 200);
        if (error) co_return failed(error);
        is_heard_ = false;
        const bool is_reusable = parser->keep_alive() && buffer_.size() == 0;
        co_return Spoken{to_response(parser->release()), false, is_reusable};
    }

    bool is_quiet() override {
        char byte = 0;
        const auto seen =
            ::recv(boost::beast::get_lowest_layer(stream_).native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        return seen < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }

  private:
    using Parser = http::response_parser<http::string_body>;
    static constexpr std::uint32_t max_header = 65'536;
    static constexpr std::size_t read_ahead = 65'536;  // what Beast reads at once

    // Both are awaited by exchange(), whose frame holds what they point to.
    Async<boost::system::error_code> write(const Message* message) {
        boost::system::error_code error;
        co_await http::async_write(stream_, *message, boost::asio::redirect_error(boost::asio::use_awaitable, error));
        pass_on_cancellation(error);
        co_return error;
    }
    Async<boost::system::error_code> read_some(Parser* parser) {
        boost::system::error_code error;
        co_await http::async_read_some(stream_, buffer_, *parser,
                                       boost::asio::redirect_error(boost::asio::use_awaitable, error));
        pass_on_cancellation(error);
        co_return error;
    }

    Error silent() const { return {Errc::timeout, origin_.name() + ": silent for too long"}; }
    Spoken failed(const boost::system::error_code& error) const {
        if (error == http::error::header_limit || error == http::error::body_limit ||
            error == http::error::buffer_overflow)
            return {Error{Errc::invalid, origin_.name() + ": the answer is too large: " + error.message()}};
        return {unavailable(origin_, "no whole answer", error.message()), !is_heard_};
    }

    Stream stream_;
    Origin origin_;
    boost::beast::flat_buffer buffer_{max_header + read_ahead};
    bool is_heard_ = false;  // some byte of the answer that is awaited
};

}  // namespace crawler::adapters

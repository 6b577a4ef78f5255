#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <stdexcept>

#include "adapters/http/client_messages.hpp"
#include "adapters/http/http.hpp"
#include "adapters/http/wire.hpp"
#include "coro/event.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;
using ports::HttpRequest;
using ports::HttpResponse;
using Message = http::request<http::string_body>;

constexpr std::uint32_t max_header = 65'536;
constexpr std::size_t read_ahead = 65'536;  // what Beast reads at once

// An open connection. It does not know how it came to be, nor what becomes of it after the answer.
class Connection {
  public:
    virtual ~Connection() = default;
    virtual Async<Result<HttpResponse>> exchange(Message message, std::size_t max_body) = 0;
};

template <class Stream>
class StreamConnection final : public Connection {
  public:
    StreamConnection(Stream stream, Origin origin) : stream_(std::move(stream)), origin_(std::move(origin)) {}

    Async<Result<HttpResponse>> exchange(Message message, std::size_t max_body) override {
        error_code error;
        co_await http::async_write(stream_, message, asio::redirect_error(asio::use_awaitable, error));
        pass_on_cancellation(error);
        if (error) co_return unavailable(origin_, "cannot send", error.message());

        std::optional<http::response_parser<http::string_body>> parser;
        do {  // a status below 200 only announces the answer
            parser.emplace();
            parser->header_limit(max_header);
            parser->body_limit(max_body);
            parser->skip(message.method() == http::verb::head);
            co_await http::async_read(stream_, buffer_, *parser, asio::redirect_error(asio::use_awaitable, error));
        } while (!error && parser->get().result_int() < 200);
        pass_on_cancellation(error);
        if (error == http::error::header_limit || error == http::error::body_limit ||
            error == http::error::buffer_overflow) {
            co_return Error{Errc::invalid, origin_.name() + ": the answer is too large: " + error.message()};
        }
        if (error) co_return unavailable(origin_, "no whole answer", error.message());
        co_return to_response(parser->release());
    }

  private:
    Stream stream_;
    Origin origin_;
    beast::flat_buffer buffer_{max_header + read_ahead};
};

using Connected = Result<std::unique_ptr<Connection>>;
using Endpoints = tcp::resolver::results_type;

// A lookup blocks a thread of Asio's and cannot be interrupted. Shared with it, so that whoever waits can leave.
struct Lookup {
    explicit Lookup(const asio::any_io_executor& executor) : resolver(executor), ended(executor) {}

    tcp::resolver resolver;
    coro::Event ended;
    bool done = false;
    error_code error;
    Endpoints found;
};

Async<Result<Endpoints>> resolve(Origin origin, asio::any_io_executor executor) {
    error_code not_numeric;
    const auto address = asio::ip::make_address(origin.host, not_numeric);
    if (!not_numeric) {
        const auto port = static_cast<std::uint16_t>(std::stoul(origin.port));
        co_return Endpoints::create(tcp::endpoint(address, port), origin.host, origin.port);
    }
    const auto lookup = std::make_shared<Lookup>(executor);
    auto on_end = [lookup](error_code error, Endpoints found) {
        lookup->done = true;
        lookup->error = error;
        lookup->found = std::move(found);
        lookup->ended.notify_all();
    };
    lookup->resolver.async_resolve(origin.host, origin.port, std::move(on_end));
    while (!lookup->done) co_await lookup->ended.wait();
    if (lookup->error) co_return unavailable(origin, "cannot resolve", lookup->error.message());
    co_return lookup->found;
}

// Why the handshake failed: the verdict on the certificate where that is the reason.
std::string reason(SSL* session, const error_code& error) {
    const auto verdict = SSL_get_verify_result(session);
    return verdict == X509_V_OK ? error.message() : X509_verify_cert_error_string(verdict);
}

// The certificate must be for this host; where one name has many, SNI says which we want.
bool expect_host(SSL* session, const std::string& host) {
    error_code not_numeric;
    asio::ip::make_address(host, not_numeric);
    if (!not_numeric) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1;
    return SSL_set_tlsext_host_name(session, host.c_str()) == 1 && SSL_set1_host(session, host.c_str()) == 1;
}

class BeastHttpClient final : public ports::HttpClient {
  public:
    BeastHttpClient(HttpClientConfig config, asio::io_context& io) : config_(std::move(config)), io_(io) {
        if (SSL_CTX_set_min_proto_version(tls_.native_handle(), TLS1_2_VERSION) != 1) {
            throw std::runtime_error("TLS 1.2 is not available");
        }
        tls_.set_verify_mode(ssl::verify_peer);
        tls_.set_default_verify_paths();
        if (!config_.ca_file.empty()) tls_.load_verify_file(config_.ca_file);
    }

    Async<Result<HttpResponse>> send(HttpRequest request) override {
        auto call = to_call(std::move(request));
        if (!call) co_return call.error();
        const auto name = call->origin.name();
        auto answer = co_await coro::with_timeout(perform(std::move(*call)), config_.total_timeout);
        if (!answer) co_return Error{Errc::timeout, name + ": no whole answer in time"};
        co_return std::move(*answer);
    }

  private:
    // A pool will look here for a connection to the same origin first, and take it back after the exchange.
    Async<Result<HttpResponse>> perform(Call call) {
        auto connected = co_await coro::with_timeout(connect(call.origin), config_.connect_timeout);
        if (!connected) co_return Error{Errc::timeout, call.origin.name() + ": no connection in time"};
        if (!*connected) co_return connected->error();
        auto connection = std::move(**connected);
        co_return co_await connection->exchange(std::move(call.message), config_.max_body);
    }

    Async<Connected> connect(Origin origin) {
        const auto endpoints = co_await resolve(origin, io_.get_executor());
        if (!endpoints) co_return endpoints.error();
        tcp::socket socket(io_);
        error_code error;
        co_await asio::async_connect(socket, *endpoints, asio::redirect_error(asio::use_awaitable, error));
        pass_on_cancellation(error);
        if (error) co_return unavailable(origin, "cannot connect", error.message());
        socket.set_option(tcp::no_delay(true), error);
        if (origin.secure) co_return co_await secure(std::move(socket), std::move(origin));
        co_return std::make_unique<StreamConnection<tcp::socket>>(std::move(socket), std::move(origin));
    }

    Async<Connected> secure(tcp::socket socket, Origin origin) {
        ssl::stream<tcp::socket> stream(std::move(socket), tls_);
        const auto session = stream.native_handle();
        if (!expect_host(session, origin.host)) co_return Error{Errc::invalid, origin.name() + ": not a host name"};
        error_code error;
        co_await stream.async_handshake(ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, error));
        pass_on_cancellation(error);
        if (error) co_return unavailable(origin, "no TLS", reason(session, error));
        co_return std::make_unique<StreamConnection<ssl::stream<tcp::socket>>>(std::move(stream), std::move(origin));
    }

    HttpClientConfig config_;
    asio::io_context& io_;
    ssl::context tls_{ssl::context::tls_client};
};

}  // namespace

std::unique_ptr<ports::HttpClient> make_http_client(HttpClientConfig config, asio::io_context& io) {
    const auto ca_file = config.ca_file;
    try {
        return std::make_unique<BeastHttpClient>(std::move(config), io);
    } catch (const boost::system::system_error& error) {
        const auto source = ca_file.empty() ? "the system's certificates" : ca_file;
        throw std::runtime_error("cannot read the certificates to trust (" + source + "): " + error.code().message());
    }
}

}  // namespace crawler::adapters

#include "adapters/http/connector.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/ssl.hpp>
#include <stdexcept>

#include "adapters/http/address_filter.hpp"
#include "adapters/http/stream_connection.hpp"
#include "coro/event.hpp"

namespace crawler::adapters {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;
using Endpoints = std::vector<tcp::endpoint>;

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
        co_return Endpoints{tcp::endpoint(address, port)};
    }
    const auto lookup = std::make_shared<Lookup>(executor);
    auto on_end = [lookup](error_code error, const tcp::resolver::results_type& found) {
        lookup->done = true;
        lookup->error = error;
        for (const auto& entry : found) lookup->found.push_back(entry.endpoint());
        lookup->ended.notify_all();
    };
    lookup->resolver.async_resolve(origin.host, origin.port, std::move(on_end));
    while (!lookup->done) co_await lookup->ended.wait();
    if (lookup->error) co_return unavailable(origin, "cannot resolve", lookup->error.message());
    co_return lookup->found;
}

// Those we connect to are those we looked at: nobody asks the name a second time.
Result<Endpoints> public_of(Endpoints endpoints, const Origin& origin) {
    std::string refused;
    std::erase_if(endpoints, [&](const tcp::endpoint& endpoint) {
        if (is_public(endpoint.address())) return false;
        refused += " " + endpoint.address().to_string();
        return true;
    });
    if (endpoints.empty()) return Error{Errc::unavailable, origin.name() + ": no public address, only" + refused};
    return endpoints;
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

// Whom we trust: the system's authorities, and those of the file where there is one.
ssl::context trust(const std::string& ca_file) {
    ssl::context tls(ssl::context::tls_client);
    if (SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION) != 1) {
        throw std::runtime_error("TLS 1.2 is not available");
    }
    tls.set_verify_mode(ssl::verify_peer);
    tls.set_default_verify_paths();
    if (!ca_file.empty()) tls.load_verify_file(ca_file);
    return tls;
}

}  // namespace

Connector::Connector(asio::io_context& io, const std::string& ca_file, bool allow_private_addresses)
    : io_(io), allow_private_addresses_(allow_private_addresses) {
    if (!ca_file.empty()) tls_ = trust(ca_file);  // a file that cannot be read must stop the start
}

Async<Connector::Connected> Connector::connect(Origin origin) {
    auto endpoints = co_await resolve(origin, io_.get_executor());
    if (endpoints && !allow_private_addresses_) endpoints = public_of(std::move(*endpoints), origin);
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

Async<Connector::Connected> Connector::secure(tcp::socket socket, Origin origin) {
    if (!tls_) tls_ = trust("");
    ssl::stream<tcp::socket> stream(std::move(socket), *tls_);
    const auto session = stream.native_handle();
    if (!expect_host(session, origin.host)) co_return Error{Errc::invalid, origin.name() + ": not a host name"};
    error_code error;
    co_await stream.async_handshake(ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, error));
    pass_on_cancellation(error);
    if (error) co_return unavailable(origin, "no TLS", reason(session, error));
    co_return std::make_unique<StreamConnection<ssl::stream<tcp::socket>>>(std::move(stream), std::move(origin));
}

}  // namespace crawler::adapters

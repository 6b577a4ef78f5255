#include "adapters/redis/tls_stream.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace crawler::adapters::redis {
namespace {

using Tcp = boost::asio::ip::tcp;

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* ssl) const { SSL_free(ssl); }
};

std::string why() {
    std::array<char, 200> text{};
    const auto code = ERR_get_error();
    if (code == 0) return "the connection broke";
    ERR_error_string_n(code, text.data(), text.size());
    return text.data();
}

Error unusable(const std::string& host, const std::string& reason) {
    return {Errc::unavailable, "Redis at " + host + ": " + reason};
}

class OpenSslStream final : public TlsStream {
  public:
    Result<> open(const std::string& host, int port, const std::string& ca_file, Duration connect_timeout,
                  Duration answer_timeout) {
        if (auto joined = join(host, port, connect_timeout); !joined) return joined;
        context_.reset(SSL_CTX_new(TLS_client_method()));
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
        SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
        const auto trusted = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context_.get())
                                             : SSL_CTX_load_verify_locations(context_.get(), ca_file.c_str(), nullptr);
        if (trusted != 1) return unusable(host, "cannot read the certificates in '" + ca_file + "'");
        ssl_.reset(SSL_new(context_.get()));
        boost::system::error_code no_address;
        boost::asio::ip::make_address(host, no_address);
        auto* checks = SSL_get0_param(ssl_.get());
        if (no_address) {
            SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
            X509_VERIFY_PARAM_set1_host(checks, host.c_str(), 0);
        } else {
            X509_VERIFY_PARAM_set1_ip_asc(checks, host.c_str());
        }
        SSL_set_fd(ssl_.get(), socket_.native_handle());
        set_patience(connect_timeout);
        if (SSL_connect(ssl_.get()) != 1) return unusable(host, "TLS: " + why());
        set_patience(answer_timeout);
        return {};
    }

    Result<> write(std::string_view bytes) override {
        std::size_t written = 0;
        if (SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) == 1) return {};
        return Error{Errc::timeout, "Redis: TLS: " + why()};
    }
    Result<std::string> read() override {
        std::array<char, std::size_t{16} * 1024> buffer{};
        std::size_t length = 0;
        if (SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &length) == 1)
            return std::string(buffer.data(), length);
        return Error{Errc::timeout, "Redis: TLS: " + why()};
    }

  private:
    // On the blocking thread of the link, with a loop of its own.
    Result<> join(const std::string& host, int port, Duration connect_timeout) {
        boost::system::error_code error;
        Tcp::resolver resolver(io_);
        const auto found = resolver.resolve(host, std::to_string(port), error);
        if (error) return unusable(host, error.message());
        auto joined = [&error](const boost::system::error_code& outcome, const Tcp::endpoint&) { error = outcome; };
        error = boost::asio::error::timed_out;
        boost::asio::async_connect(socket_, found, joined);
        io_.run_for(connect_timeout);
        if (error) return unusable(host, error.message());
        socket_.non_blocking(false);
        socket_.native_non_blocking(false);
        socket_.set_option(Tcp::no_delay(true));
        return {};
    }
    void set_patience(Duration length) {
        const timeval patience{.tv_sec = length.count() / 1'000'000, .tv_usec = length.count() % 1'000'000};
        ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    }

    boost::asio::io_context io_{1};
    Tcp::socket socket_{io_};
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace

Result<std::unique_ptr<TlsStream>> TlsStream::connect(const std::string& host, int port, const std::string& ca_file,
                                                      Duration connect_timeout, Duration answer_timeout) {
    auto stream = std::make_unique<OpenSslStream>();
    if (auto opened = stream->open(host, port, ca_file, connect_timeout, answer_timeout); !opened)
        return opened.error();
    return std::unique_ptr<TlsStream>(std::move(stream));
}

}  // namespace crawler::adapters::redis

// Opens connections: looks up the name, refuses addresses that are not public, connects, and makes sure over TLS who answers.
// Private to the client.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <optional>

#include "adapters/http/connection.hpp"
#include "adapters/http/origin.hpp"

namespace crawler::adapters {

class Connector {
  public:
    // Throws boost::system::system_error where the certificates to trust cannot be read. `ca_file` may be empty; then those of the system
    // are read when the first connection needs them, because that takes a tenth of a second and some megabytes.
    Connector(boost::asio::io_context& io, const std::string& ca_file, bool allow_private_addresses);

    using Connected = Result<std::unique_ptr<Connection>>;
    // unavailable, or invalid where it is nobody we may ask.
    Async<Connected> connect(Origin origin);

  private:
    Async<Connected> secure(boost::asio::ip::tcp::socket socket, Origin origin);

    boost::asio::io_context& io_;
    bool allow_private_addresses_;
    std::optional<boost::asio::ssl::context> tls_;
};

}  // namespace crawler::adapters

#include <algorithm>
#include <stdexcept>

#include "adapters/http/client_messages.hpp"
#include "adapters/http/connection_pool.hpp"
#include "adapters/http/connector.hpp"
#include "adapters/http/gunzip.hpp"
#include "adapters/http/http.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace {

using ports::HttpRequest;
using ports::HttpResponse;
using Held = ConnectionPool::Held;

class BeastHttpClient final : public ports::HttpClient {
  public:
    BeastHttpClient(HttpClientConfig config, boost::asio::io_context& io)
        : config_(std::move(config)),
          connector_(io, config_.ca_file, config_.allow_private_addresses),
          pool_(io.get_executor(), {config_.max_connections, config_.max_idle_per_origin, config_.idle_lifetime},
                [] { return std::chrono::steady_clock::now(); }) {}

    Async<Result<HttpResponse>> send(HttpRequest request) override {
        auto call = to_call(std::move(request), config_.max_idle_per_origin > 0);
        if (!call) co_return call.error();
        const auto name = call->origin.name();
        // Nobody answered anything: what a configuration forbids today may be sent once it is mended.
        if (!is_allowed(call->origin.host))
            co_return Error{Errc::unavailable, name + ": not on the list of allowed hosts"};
        auto answer = co_await coro::with_timeout(perform(std::move(*call)), config_.total_timeout);
        if (!answer) co_return Error{Errc::timeout, name + ": no whole answer in time"};
        co_return std::move(*answer);
    }

  private:
    bool is_allowed(const std::string& host) const {
        const auto is_host = [&](const std::string& allowed) { return boost::beast::iequals(allowed, host); };
        return config_.allowed_hosts.empty() || std::ranges::any_of(config_.allowed_hosts, is_host);
    }

    Async<Result<HttpResponse>> perform(Call call) {
        auto held = co_await pool_.take(call.origin);
        if (held.connection) {
            auto spoken = co_await held.connection->exchange(call.message, limits());
            // Closed while it was idle, as the server may. Where it did get the request, asking once more must do no harm.
            const bool is_stale = spoken.is_unheard && call.is_repeatable;
            if (!is_stale) co_return conclude(std::move(call.origin), std::move(held), std::move(spoken));
            held.connection.reset();
        }
        auto connected = co_await coro::with_timeout(connector_.connect(call.origin), config_.connect_timeout);
        if (!connected) co_return Error{Errc::timeout, call.origin.name() + ": no connection in time"};
        if (!*connected) co_return connected->error();
        held.connection = std::move(**connected);
        auto spoken = co_await held.connection->exchange(std::move(call.message), limits());
        co_return conclude(std::move(call.origin), std::move(held), std::move(spoken));
    }

    ReadLimits limits() const { return {config_.read_timeout, config_.max_body}; }

    Result<HttpResponse> conclude(Origin origin, Held held, Spoken spoken) {
        const auto name = origin.name();
        if (spoken.is_reusable) pool_.keep(std::move(origin), std::move(held));
        if (spoken.answer) return unpacked(std::move(*spoken.answer), name);
        return std::move(spoken.answer);
    }

    Result<HttpResponse> unpacked(HttpResponse response, const std::string& name) const {
        const auto coding = ports::find_header(response.headers, "Content-Encoding").value_or("identity");
        if (response.body.empty() || boost::beast::iequals(coding, "identity")) return response;
        if (!boost::beast::iequals(coding, "gzip") && !boost::beast::iequals(coding, "x-gzip"))
            return Error{Errc::invalid, name + ": an answer in a coding that was not asked for"};
        auto body = gunzip(response.body, config_.max_body);
        if (!body) return Error{body.error().code, name + ": " + body.error().detail};
        response.body = std::move(*body);
        std::erase_if(response.headers, [](const ports::HttpHeader& header) {
            return boost::beast::iequals(header.name, "Content-Encoding") ||
                   boost::beast::iequals(header.name, "Content-Length");
        });
        return response;
    }

    HttpClientConfig config_;
    Connector connector_;
    ConnectionPool pool_;
};

}  // namespace

std::unique_ptr<ports::HttpClient> make_http_client(HttpClientConfig config, boost::asio::io_context& io) {
    const auto ca_file = config.ca_file;
    try {
        return std::make_unique<BeastHttpClient>(std::move(config), io);
    } catch (const boost::system::system_error& error) {
        const auto source = ca_file.empty() ? "the system's certificates" : ca_file;
        throw std::runtime_error("cannot read the certificates to trust (" + source + "): " + error.code().message());
    }
}

}  // namespace crawler::adapters

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <boost/asio/ssl.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>

#include "unit/adapters/http_wire.hpp"

using namespace crawler;
using namespace crawler::test;
using Catch::Matchers::ContainsSubstring;
namespace ssl = boost::asio::ssl;

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

void add_extension(X509* certificate, int kind, const std::string& value) {
    auto* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

// A certificate for `subject`, valid now; by itself where no issuer is given.
Certificate certify(const std::string& subject, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key) {
    static long serial = 0;
    Certificate made(X509_new(), X509_free);
    auto* certificate = made.get();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    const auto* name = reinterpret_cast<const unsigned char*>(subject.c_str());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, name, -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer ? issuer : certificate));
    add_extension(certificate, NID_basic_constraints, issuer ? "critical,CA:FALSE" : "critical,CA:TRUE");
    if (issuer) add_extension(certificate, NID_subject_alt_name, "DNS:" + subject);
    X509_sign(certificate, issuer ? issuer_key : key, EVP_sha256());
    return made;
}

std::string pem(X509* certificate) {
    BIO* out = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(out, certificate);
    char* text = nullptr;
    const auto length = BIO_get_mem_data(out, &text);
    std::string copy(text, static_cast<std::size_t>(length));
    BIO_free(out);
    return copy;
}

// A server of ours with a certificate for `name` by a private authority, whose own certificate lies in ca_file.
struct SecureSite {
    explicit SecureSite(const std::string& name) {
        const Key ca_key(EVP_EC_gen("P-256"), EVP_PKEY_free);
        const auto ca = certify("Test authority", ca_key.get(), nullptr, nullptr);
        const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
        const auto certificate = certify(name, key.get(), ca.get(), ca_key.get());
        SSL_CTX_use_certificate(tls.native_handle(), certificate.get());
        SSL_CTX_use_PrivateKey(tls.native_handle(), key.get());

        std::string folder = std::filesystem::temp_directory_path() / "crawler-tls-XXXXXX";
        if (!::mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
        directory = folder;
        std::ofstream(directory / "ca.pem") << pem(ca.get());
    }
    ~SecureSite() { std::filesystem::remove_all(directory); }

    std::string ca_file() const { return directory / "ca.pem"; }
    std::string url(const std::string& host) const {
        return "https://" + host + ":" + std::to_string(door.local_endpoint().port()) + "/";
    }

    // Serves one connection: says `words` and then the name the client asked for by SNI, to each request. Without a handshake, nothing.
    Async<> serve(std::string words, int requests = 1) {
        auto socket = co_await door.async_accept(boost::asio::use_awaitable);
        ssl::stream<tcp::socket> stream(std::move(socket), tls);
        boost::system::error_code refused;
        co_await stream.async_handshake(ssl::stream_base::server,
                                        boost::asio::redirect_error(boost::asio::use_awaitable, refused));
        const auto* name = SSL_get_servername(stream.native_handle(), TLSEXT_NAMETYPE_host_name);
        words += name ? name : "";
        while (!refused && requested < requests) {
            char request[4096];  // in TLS 1.3 the client's refusal comes after the server's part of the handshake
            co_await stream.async_read_some(boost::asio::buffer(request),
                                            boost::asio::redirect_error(boost::asio::use_awaitable, refused));
            if (refused) co_return;
            ++requested;
            co_await boost::asio::async_write(stream, boost::asio::buffer(words), boost::asio::use_awaitable);
        }
    }

    Answer ask(const std::string& host, const std::string& trusted,
               std::string words = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") {
        const auto client = local_client({.ca_file = trusted}, io);
        Ended<void> served;
        start(io, serve(std::move(words)), served);
        auto answer = run(io, then_close(test::ask(*client, get(url(host)))));
        served.get();
        return answer;
    }

    // Where the client never came, nobody waits for it.
    Async<Answer> then_close(Async<Answer> asking) {
        auto answer = co_await std::move(asking);
        door.close();
        co_return answer;
    }

    boost::asio::io_context io{1};
    ssl::context tls{ssl::context::tls_server};
    tcp::acceptor door{io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    std::filesystem::path directory;
    int requested = 0;
};

}  // namespace

TEST_CASE("http client: a server that a trusted authority vouches for is asked, by its name") {
    SecureSite site("localhost");

    const auto answer = site.ask("localhost", site.ca_file());

    REQUIRE(*answer);
    CHECK((*answer)->body == "localhost");
}

TEST_CASE("http client: a server nobody we trust vouches for is unavailable and hears nothing") {
    SecureSite site("localhost");

    const auto answer = site.ask("localhost", "");

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, ContainsSubstring("localhost:") && ContainsSubstring("certificate"));
    CHECK(site.requested == 0);
}

TEST_CASE("http client: a certificate for another name is unavailable") {
    SecureSite site("other.example");

    const auto answer = site.ask("localhost", site.ca_file());

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, ContainsSubstring("hostname mismatch"));
    CHECK(site.requested == 0);
}

TEST_CASE("http client: a certificate for a name is none for its address") {
    SecureSite site("localhost");

    const auto answer = site.ask("127.0.0.1", site.ca_file());

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
    CHECK_THAT(answer->error().detail, ContainsSubstring("IP address mismatch"));
    CHECK(site.requested == 0);
}

TEST_CASE("http client: an answer over TLS that somebody on the way could have cut is not taken for whole") {
    SecureSite site("localhost");

    const auto answer = site.ask("localhost", site.ca_file(), "HTTP/1.1 200 OK\r\n\r\nno length, no farewell: ");

    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::unavailable);
}

TEST_CASE("http client: the next request goes over the same TLS connection") {
    SecureSite site("localhost");
    const auto client = local_client({.ca_file = site.ca_file()}, site.io);
    auto ask_twice = [](ports::HttpClient* whom, std::string url) -> Async<Answer> {
        const auto first = co_await whom->send(get(url));
        CHECK(first);
        co_return co_await whom->send(get(url));
    };
    Ended<void> served;
    start(site.io, site.serve("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 2), served);

    const auto second = run(site.io, site.then_close(ask_twice(client.get(), site.url("localhost"))));

    served.get();
    REQUIRE(*second);
    CHECK((*second)->body == "localhost");
    CHECK(site.requested == 2);
}

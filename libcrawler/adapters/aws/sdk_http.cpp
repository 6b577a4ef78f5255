#include "adapters/aws/sdk_http.hpp"

#include <aws/core/http/curl/CurlHttpClient.h>
#include <aws/core/http/standard/StandardHttpRequest.h>
#include <curl/curl.h>

#include <csignal>

namespace crawler::adapters::aws {
namespace {

namespace sdk = ::Aws;

// The SDK makes a request on the thread that asks for it, and has no place where it would carry something of ours to curl.
thread_local const Cut* cut_of_this_thread = nullptr;

// curl calls it at least once a second; other than 0 ends the request.
int is_cut(void* cut, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return *static_cast<const Cut*>(cut) ? 1 : 0;
}

class CurlClient final : public sdk::Http::CurlHttpClient {
  public:
    using CurlHttpClient::CurlHttpClient;

    void OverrideOptionsOnConnectionHandle(CURL* handle) const override {
        const auto* cut = cut_of_this_thread;
        // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg,cppcoreguidelines-pro-type-const-cast): curl's way
        curl_easy_setopt(handle, CURLOPT_NOPROGRESS, cut ? 0L : 1L);
        curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, cut ? is_cut : nullptr);
        curl_easy_setopt(handle, CURLOPT_XFERINFODATA, const_cast<Cut*>(cut));
        // NOLINTEND(cppcoreguidelines-pro-type-vararg,cppcoreguidelines-pro-type-const-cast)
    }
};

class CurlFactory final : public sdk::Http::HttpClientFactory {
  public:
    std::shared_ptr<sdk::Http::HttpClient> CreateHttpClient(
        const sdk::Client::ClientConfiguration& settings) const override {
        return std::make_shared<CurlClient>(settings);
    }
    std::shared_ptr<sdk::Http::HttpRequest> CreateHttpRequest(const sdk::String& uri, sdk::Http::HttpMethod method,
                                                              const sdk::IOStreamFactory& streams) const override {
        return CreateHttpRequest(sdk::Http::URI(uri), method, streams);
    }
    std::shared_ptr<sdk::Http::HttpRequest> CreateHttpRequest(const sdk::Http::URI& uri, sdk::Http::HttpMethod method,
                                                              const sdk::IOStreamFactory& streams) const override {
        auto request = std::make_shared<sdk::Http::Standard::StandardHttpRequest>(uri, method);
        request->SetResponseStreamFactory(streams);
        return request;
    }
    void InitStaticState() override {
        std::signal(SIGPIPE, SIG_IGN);  // curl is told to leave signals alone, and older ones let OpenSSL raise it
        sdk::Http::CurlHttpClient::InitGlobalState();
    }
    void CleanupStaticState() override { sdk::Http::CurlHttpClient::CleanupGlobalState(); }
};

}  // namespace

GivesUp::GivesUp(const Cut& cut) {
    cut_of_this_thread = &cut;
}
GivesUp::~GivesUp() {
    cut_of_this_thread = nullptr;
}

std::shared_ptr<sdk::Http::HttpClientFactory> make_http_factory() {
    return std::make_shared<CurlFactory>();
}

}  // namespace crawler::adapters::aws

#include "adapters/memory/memory.hpp"

namespace crawler::adapters {
namespace {

class ScriptedHttpClient final : public ports::HttpClient {
  public:
    ScriptedHttpClient(HttpScript script, Faults* faults) : script_(std::move(script)), faults_(faults) {}

    Async<Result<ports::HttpResponse>> send(ports::HttpRequest request) override {
        auto body = [&]() -> Result<ports::HttpResponse> {
            if (!request.url.starts_with("http://") && !request.url.starts_with("https://"))
                return Error{Errc::invalid, "'" + request.url + "' is not an absolute URL"};
            return script_(request);
        };
        co_return with_faults(faults_, "http_client.send", body);
    }

  private:
    HttpScript script_;
    Faults* faults_;
};

}  // namespace

std::unique_ptr<ports::HttpClient> make_memory_http_client(HttpScript script, Faults* faults) {
    return std::make_unique<ScriptedHttpClient>(std::move(script), faults);
}

}  // namespace crawler::adapters

#include "ports/clock.hpp"
#include "ports/http_client.hpp"

namespace crawler::application {

Async<Result<TimePoint>> ask(ports::HttpClient& http, const ports::Clock& clock) {
    ports::HttpRequest request;
    const auto answer = co_await http.send(std::move(request));
    if (!answer) co_return answer.error();
    co_return clock.now();
}

}  // namespace crawler::application

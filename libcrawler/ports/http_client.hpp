// Asks somebody over HTTP.
#pragma once
#include "coro/async.hpp"
#include "domain/result.hpp"
#include "ports/http.hpp"

namespace crawler::ports {

class HttpClient {
  public:
    virtual ~HttpClient() = default;

    // Any answer, whatever its status, is a response. timeout: no whole answer in time. unavailable: refused, reset, unresolvable,
    // untrusted, a body that is damaged. invalid: nobody we may ask, or an answer over the size limit.
    virtual Async<Result<HttpResponse>> send(HttpRequest request) = 0;
};

}  // namespace crawler::ports

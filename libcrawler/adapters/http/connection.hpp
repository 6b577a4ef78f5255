// An open connection, as the pool and the client see it. Private to the client.
#pragma once
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>

#include "coro/async.hpp"
#include "domain/result.hpp"
#include "domain/time.hpp"
#include "ports/http.hpp"

namespace crawler::adapters {

using Message = boost::beast::http::request<boost::beast::http::string_body>;

struct ReadLimits {
    Duration silence{};  // the longest time without a byte
    std::size_t body = 0;
};

// What came of a request.
struct Spoken {
    Result<ports::HttpResponse> answer;
    bool is_unheard = false;   // the other side had hung up: nothing of an answer came
    bool is_reusable = false;  // another request may follow on the same connection
};

// It does not know how it came to be, nor what becomes of it after the answer.
class Connection {
  public:
    virtual ~Connection() = default;
    virtual Async<Spoken> exchange(Message message, ReadLimits limits) = 0;
    // While nobody asks, nobody has anything to say: neither that the connection is over nor an answer to no question.
    virtual bool is_quiet() = 0;
};

}  // namespace crawler::adapters

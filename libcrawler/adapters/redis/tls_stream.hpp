// A blocking TLS connection. Part of the variant on hiredis.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "domain/result.hpp"
#include "domain/time.hpp"

namespace crawler::adapters::redis {

class TlsStream {
  public:
    virtual ~TlsStream() = default;
    // unavailable: nobody is there, or its certificate is not for this host or from somebody whom nobody trusts.
    static Result<std::unique_ptr<TlsStream>> connect(const std::string& host, int port, const std::string& ca_file,
                                                      Duration connect_timeout, Duration answer_timeout);
    // timeout: the connection is of no use any more.
    virtual Result<> write(std::string_view bytes) = 0;
    virtual Result<std::string> read() = 0;
};

}  // namespace crawler::adapters::redis

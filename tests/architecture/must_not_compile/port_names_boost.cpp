#include "coro/async.hpp"

namespace crawler::ports {

class Fetcher {
  public:
    virtual ~Fetcher() = default;
    virtual Async<> fetch(boost::asio::io_context& io) = 0;
};

}  // namespace crawler::ports

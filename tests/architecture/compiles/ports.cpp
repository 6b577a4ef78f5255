#include "coro/async.hpp"
#include "domain/result.hpp"

namespace crawler::ports {

class Greeter {
  public:
    virtual ~Greeter() = default;
    virtual Async<Result<>> greet(std::string name) = 0;
};

}  // namespace crawler::ports

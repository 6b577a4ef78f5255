// Makes ids before anything is stored, so that rows can point at each other in one transaction and a retry is idempotent.
#pragma once
#include <string>

#include "domain/ids.hpp"

namespace crawler::ports {

class IdGenerator {
  public:
    virtual ~IdGenerator() = default;

    template <class SomeId>
    SomeId make() {
        return SomeId{next()};
    }

  private:
    // Never the same twice; later ones sort behind earlier ones.
    virtual std::string next() = 0;
};

}  // namespace crawler::ports

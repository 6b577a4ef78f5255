#include <boost/json/value.hpp>

#include "domain/digest.hpp"

namespace crawler::codec {

boost::json::value as_json(const Digest& digest) {
    return {{"sha256", digest.hex()}};
}

}  // namespace crawler::codec

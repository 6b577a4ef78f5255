// Unpacks a gzip body. Private to the client.
#pragma once
#include <string>
#include <string_view>

#include "domain/result.hpp"

namespace crawler::adapters {

// invalid: more than `limit` bytes come out, of which no more than that were ever unpacked. unavailable: damaged, cut short, or
// followed by something; whoever sent it may do better the next time.
Result<std::string> gunzip(std::string_view packed, std::size_t limit);

}  // namespace crawler::adapters

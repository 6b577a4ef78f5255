// Which database a command is about, as the operator said it.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "runtime/environment.hpp"

namespace crawler::ctl {

struct DatabaseChoice {
    std::string url;                            // --database; wins
    std::optional<std::filesystem::path> file;  // a daemon's configuration file, of which database.url alone is read
};

// Without a URL it is that of the file, or of CRAWLER__DATABASE__URL, which as for the daemons wins over the file. Throws
// std::runtime_error, with one line for the operator, where there is none or it cannot be read.
std::string database_url(const DatabaseChoice& choice, const runtime::Environment& environment);

}  // namespace crawler::ctl

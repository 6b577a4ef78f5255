#include "database_url.hpp"

#include <stdexcept>

#include "runtime/config.hpp"

namespace crawler::ctl {

std::string database_url(const DatabaseChoice& choice, const runtime::Environment& environment) {
    if (!choice.url.empty()) return choice.url;
    std::string url;
    runtime::Configuration configuration(choice.file, environment);
    configuration.root().section("database").read("url", url);
    for (const auto& problem : configuration.problems_of_what_was_read()) throw std::runtime_error(problem);
    if (url.empty())
        throw std::runtime_error("no database: give --database URL or --config FILE, or set CRAWLER__DATABASE__URL");
    return url;
}

}  // namespace crawler::ctl

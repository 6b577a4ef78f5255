#include "common/hosts.hpp"

#include <algorithm>

namespace crawler::services {
namespace {

// Of a URL that the configuration has taken: what stands behind its scheme.
std::string_view behind_scheme(std::string_view url) {
    return url.substr(std::min(url.find("://") + 3, url.size()));
}

// Up to a port, a path or the end.
std::string_view host_of(std::string_view url) {
    const auto rest = behind_scheme(url);
    const auto bracket = rest.starts_with('[') ? rest.find(']') : 0;
    return rest.substr(0, std::min(rest.find_first_of(":/?#", bracket), rest.size()));
}

}  // namespace

void check_allowed(runtime::Node section, std::string_view key, std::string_view url,
                   const adapters::HttpClientConfig& client) {
    const auto& hosts = client.allowed_hosts;
    const bool is_allowed = hosts.empty() || std::ranges::find(hosts, host_of(url)) != hosts.end();
    section.check(key, is_allowed, "must name a host of http_client.allowed_hosts");
}

bool is_bare(std::string_view url) {
    while (url.ends_with('/')) url.remove_suffix(1);
    return behind_scheme(url).find_first_of("/?#@") == std::string_view::npos;
}

}  // namespace crawler::services

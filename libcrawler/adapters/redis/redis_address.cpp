#include "adapters/redis/redis_address.hpp"

#include <algorithm>
#include <charconv>

namespace crawler::adapters {
namespace {

Error wrong(const std::string& text) {
    return {Errc::invalid, "Redis: " + text};
}

std::optional<int> number_in(std::string_view text, int least, int most) {
    int value = 0;
    const auto end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): its end is told
    const auto [read_to, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || read_to != end || value < least || value > most) return std::nullopt;
    return value;
}

// The text before the mark, which goes with it; empty where there is none.
std::string_view cut_before(std::string_view& text, std::string_view mark) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) return {};
    const auto before = text.substr(0, at);
    text.remove_prefix(at + mark.size());
    return before;
}

Result<RedisNode> node_of(std::string_view text, int usual_port) {
    auto host = text;
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos) return wrong("a host has '[' without ']'");
        host = text.substr(1, end - 1);
        if (end + 1 < text.size()) port = text.substr(end + 1);
    } else if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        host = text.substr(0, colon);
        port = text.substr(colon);
    }
    if (host.empty()) return wrong("a host is missing");
    if (port.empty()) return RedisNode{std::string(host), usual_port};
    const auto number = port.starts_with(':') ? number_in(port.substr(1), 1, 65535) : std::nullopt;
    if (!number) return wrong("a port must be from 1 to 65535");
    return RedisNode{std::string(host), *number};
}

Result<> read_nodes(std::string_view hosts, int usual_port, RedisAddress& address) {
    while (true) {
        const auto comma = hosts.find(',');
        auto node = node_of(hosts.substr(0, comma), usual_port);
        if (!node) return node.error();
        address.nodes.push_back(*std::move(node));
        if (comma == std::string_view::npos) return {};
        hosts.remove_prefix(comma + 1);
    }
}

Result<> read_scheme(std::string_view scheme, RedisAddress& address) {
    address.tls = scheme.starts_with("rediss");
    const auto kind = scheme.substr(std::min(scheme.size(), scheme.find('+')));
    const auto base = scheme.substr(0, scheme.size() - kind.size());
    const bool known =
        (base == "redis" || base == "rediss") && (kind.empty() || kind == "+sentinel" || kind == "+cluster");
    if (!known)
        return wrong(
            "the URL must begin with redis://, rediss://, redis+unix://, redis+sentinel:// or redis+cluster://");
    if (kind == "+sentinel") address.kind = RedisAddress::Kind::sentinel;
    if (kind == "+cluster") address.kind = RedisAddress::Kind::cluster;
    return {};
}

// What stands behind the hosts: a database's number, or of sentinels the master's name, and then perhaps a number.
Result<> read_path(std::string_view path, RedisAddress& address) {
    if (address.kind == RedisAddress::Kind::sentinel) {
        const auto slash = path.find('/');
        address.master = std::string(path.substr(0, slash));
        path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
        if (address.master.empty())
            return wrong("sentinels must be asked for a master's name: redis+sentinel://host/name");
    }
    if (path.empty()) return {};
    if (address.kind == RedisAddress::Kind::cluster) return wrong("a cluster has no databases to choose from");
    const auto number = number_in(path, 0, 1'000'000);
    if (!number) return wrong("what follows the host must be the number of a database");
    address.database = *number;
    return {};
}

}  // namespace

Result<RedisAddress> parse_redis_address(std::string_view url) {
    RedisAddress address;
    const auto scheme = cut_before(url, "://");
    if (scheme == "redis+unix") {
        if (!url.starts_with('/')) return wrong("redis+unix:// must be followed by the full path of a socket");
        address.nodes.push_back({std::string(url), 0});
        return address;
    }
    if (auto sound = read_scheme(scheme, address); !sound) return sound.error();
    if (url.find('?') != std::string_view::npos) return wrong("the URL takes no options");
    const auto user = cut_before(url, "@");
    if (user.find(':') != std::string_view::npos)
        return wrong("the password does not belong into the URL but into redis.password");
    address.user = std::string(user);
    const auto slash = url.find('/');
    const int usual_port = address.kind == RedisAddress::Kind::sentinel ? 26379 : 6379;
    if (auto sound = read_nodes(url.substr(0, slash), usual_port, address); !sound) return sound.error();
    if (address.kind == RedisAddress::Kind::server && address.nodes.size() > 1)
        return wrong("several hosts are redis+sentinel:// or redis+cluster://");
    const auto path = slash == std::string_view::npos ? std::string_view{} : url.substr(slash + 1);
    if (auto sound = read_path(path, address); !sound) return sound.error();
    return address;
}

}  // namespace crawler::adapters

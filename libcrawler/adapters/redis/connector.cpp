#include "adapters/redis/connector.hpp"

#include "adapters/redis/keys.hpp"

namespace crawler::adapters::redis {
namespace {

Error unavailable(const RedisNode& node, const std::string& why) {
    return {Errc::unavailable, "Redis at " + node.text() + ": " + why};
}

Result<Reply> ask(Wire& wire, const RedisNode& node, Command command) {
    const auto name = command.front();
    auto replies = wire.run({std::move(command)});
    if (!replies) return replies.error();
    auto reply = std::move(replies->front());
    if (reply.is_error()) return unavailable(node, name + ": " + reply.text);
    return reply;
}

// The value of a line `name:value` of what INFO says.
std::string fact(const std::string& info, const std::string& name) {
    const auto label = "\n" + name + ":";
    const auto at = info.find(label);
    if (at == std::string::npos) return {};
    const auto begin = at + label.size();
    return info.substr(begin, info.find_first_of("\r\n", begin) - begin);
}

// Keys without an end must not go: a ceiling that was forgotten is no ceiling.
bool may_forget(const std::string& info) {
    return fact(info, "maxmemory_policy").starts_with("allkeys") && fact(info, "maxmemory") != "0";
}

bool covers(const Reply& range, std::int64_t slot) {
    return range.list.size() >= 3 && range.list[0].number <= slot && slot <= range.list[1].number &&
           range.list[2].list.size() >= 2;
}

}  // namespace

Result<Connected> Connector::connect() const {
    const auto node = master();
    if (!node) return node.error();
    auto wire = open(*node, config_.password, address_.user);
    if (!wire) return wire.error();
    if (address_.database != 0) {
        if (auto chosen = ask(**wire, *node, {"select", std::to_string(address_.database)}); !chosen)
            return chosen.error();
    }
    const auto info = ask(**wire, *node, {"INFO"});
    if (!info) return info.error();
    auto run = fact(info->text, "run_id");
    if (run.empty()) return unavailable(*node, "it does not say its run_id");
    if (fact(info->text, "role") != "master") return unavailable(*node, "it is a replica");
    if (may_forget(info->text)) return unavailable(*node, "its maxmemory-policy throws keys away; set noeviction");
    return Connected{*std::move(wire), std::move(run), *node};
}

Result<std::unique_ptr<Wire>> Connector::open(const RedisNode& node, const Secret& password,
                                              const std::string& user) const {
    auto wire = connect_wire({.node = node,
                              .tls = address_.tls,
                              .ca_file = config_.ca_file,
                              .connect_timeout = config_.connect_timeout,
                              .answer_timeout = config_.answer_timeout});
    if (!wire || password.empty()) return wire;
    Command show{"AUTH"};
    if (!user.empty()) show.push_back(user);
    show.push_back(password.reveal());
    if (auto shown = ask(**wire, node, std::move(show)); !shown) return shown.error();
    return wire;
}

// The first that answers knows it.
Result<RedisNode> Connector::master() const {
    if (address_.kind == RedisAddress::Kind::server) return address_.nodes.front();
    Error last{Errc::unavailable, "Redis: no node to ask"};
    for (const auto& node : address_.nodes) {
        auto found = address_.kind == RedisAddress::Kind::sentinel ? master_by_sentinel(node) : master_of_slot(node);
        if (found) return found;
        last = found.error();
    }
    return last;
}

Result<RedisNode> Connector::master_by_sentinel(const RedisNode& sentinel) const {
    auto wire = open(sentinel, config_.sentinel_password, "");
    if (!wire) return wire.error();
    const auto told = ask(**wire, sentinel, {"SENTINEL", "get-master-addr-by-name", address_.master});
    if (!told) return told.error();
    if (told->list.size() != 2) return unavailable(sentinel, "this sentinel knows no master " + address_.master);
    return RedisNode{told->list[0].text, std::atoi(told->list[1].text.c_str())};
}

// All keys of a fleet have one tag, so they are in one slot of the cluster.
Result<RedisNode> Connector::master_of_slot(const RedisNode& node) const {
    auto wire = open(node, config_.password, address_.user);
    if (!wire) return wire.error();
    const auto slot = ask(**wire, node, {"CLUSTER", "KEYSLOT", key(config_.prefix, "any")});
    if (!slot) return slot.error();
    const auto ranges = ask(**wire, node, {"CLUSTER", "SLOTS"});
    if (!ranges) return ranges.error();
    for (const auto& range : ranges->list) {
        if (!covers(range, slot->number)) continue;
        const auto& owner = range.list[2].list;
        return RedisNode{owner[0].text.empty() ? node.host : owner[0].text, static_cast<int>(owner[1].number)};
    }
    return unavailable(node, "no node of the cluster has our slot");
}

}  // namespace crawler::adapters::redis

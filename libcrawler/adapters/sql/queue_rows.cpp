#include "adapters/sql/queue_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace crawler::adapters::sql {
namespace {

constexpr std::size_t most_keys = 500;  // in one list

const Columns message_columns{"queue",   "body",       "message_group", "head_of",
                              "sent_at", "visible_at", "receive_count", "is_held"};
const Columns deduplication_columns{"queue", "deduplication_id", "until_at"};

// work(placeholders, values) for each few of the keys; the values begin with those of `first`.
template <class Work>
void in_lists(const Values& first, const Values& keys, Work work) {
    for (std::size_t at = 0; at < keys.size(); at += most_keys) {
        const auto few = std::span(keys).subspan(at, std::min(most_keys, keys.size() - at));
        auto values = first;
        values.insert(values.end(), few.begin(), few.end());
        work(placeholders(few.size()), values);
    }
}

Values keys_of(const std::set<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

using Heads = std::map<std::int64_t, std::string>;  // groups by the keys of their heads

Heads heads_of(Session& session, const std::string& queue, const std::set<std::string>& groups) {
    Heads heads;
    in_lists({queue}, keys_of(groups), [&](const std::string& list, const Values& values) {
        const auto rest = "FROM queue_messages WHERE queue = ? AND head_of IN " + list;
        for (auto& row : session.select({"seq", "head_of"}, rest, values)) {
            const auto seq = row.number();
            heads.emplace(seq, row.text());
        }
    });
    return heads;
}

// Of these heads, the groups of those that are still there, and stay until the transaction ends. By their keys and in order, as everybody
// else takes them away: locked in the order of another index they would meet crosswise.
std::set<std::string> lock_those(Session& session, const Heads& heads) {
    Values keys;
    for (const auto& [seq, group] : heads) keys.emplace_back(seq);
    std::set<std::string> groups;
    in_lists({}, keys, [&](const std::string& list, const Values& values) {
        const auto rest = "FROM queue_messages" + std::string(session.dialect().by_key()) + "WHERE seq IN " + list +
                          " ORDER BY seq " + std::string(session.dialect().lock_rows());
        for (auto& row : session.select({"head_of"}, rest, values)) groups.insert(row.text());
    });
    return groups;
}

// Of these groups, those that have a head; it stays until the transaction ends. One that goes while we wait for it has left its place to
// the next, which is looked for anew.
std::set<std::string> lock_heads(Session& session, const std::string& queue, std::set<std::string> groups) {
    std::set<std::string> headed;
    while (!groups.empty()) {
        const auto heads = heads_of(session, queue, groups);
        const auto locked = lock_those(session, heads);
        headed.insert(locked.begin(), locked.end());
        groups.clear();
        for (const auto& [seq, group] : heads) {
            if (!locked.contains(group)) groups.insert(group);
        }
    }
    return headed;
}

void delete_ids(Session& session, const std::string& queue, const Values& ids) {
    in_lists({queue}, ids, [&](const std::string& list, const Values& values) {
        session.execute("DELETE FROM queue_deduplication WHERE queue = ? AND deduplication_id IN " + list, values);
    });
}

// Ids that are over are of no use to anybody. More than come in at a time, so that they never pile up.
void drop_expired_ids(Session& session, const std::string& queue, std::size_t count, TimePoint now) {
    const auto rest = "FROM queue_deduplication WHERE queue = ? AND until_at <= ? ORDER BY until_at LIMIT ? " +
                      std::string(session.dialect().lock_free_rows());
    Values expired;
    for (auto& row : session.select({"deduplication_id"}, rest, {queue, now, static_cast<std::int64_t>(count)}))
        expired.emplace_back(row.text());
    delete_ids(session, queue, expired);
}

// Of these ids, those that nobody has sent of late; from now on they are sent.
std::set<std::string> take_new_ids(Session& session, const std::string& queue, std::set<std::string> ids,
                                   TimePoint now) {
    Values expired;
    in_lists({queue}, keys_of(ids), [&](const std::string& list, const Values& values) {
        const auto rest = "FROM queue_deduplication WHERE queue = ? AND deduplication_id IN " + list;
        for (auto& row : session.select({"deduplication_id", "until_at"}, rest, values)) {
            auto id = row.text();
            if (row.instant() > now) {
                ids.erase(id);
            } else {
                expired.emplace_back(std::move(id));
            }
        }
    });
    delete_ids(session, queue, expired);
    std::vector<Values> rows;
    for (const auto& id : ids) rows.push_back({queue, id, now + deduplication_interval});
    session.insert("queue_deduplication", deduplication_columns, rows);
    return ids;
}

}  // namespace

void append_messages(Session& session, const std::string& queue, const std::vector<NewMessage>& messages,
                     TimePoint now) {
    std::set<std::string> groups;
    for (const auto& message : messages) {
        if (!message.group.empty()) groups.insert(message.group);
    }
    auto headed = lock_heads(session, queue, std::move(groups));
    std::vector<Values> rows;
    for (const auto& [body, group, sent_at] : messages) {
        const Value nothing = std::nullopt;
        const bool has_group = !group.empty();
        const bool is_head = has_group && headed.insert(group).second;
        const bool is_in_line = is_head || !has_group;
        rows.push_back({queue, body, has_group ? Value(group) : nothing, is_head ? Value(group) : nothing, sent_at,
                        is_in_line ? Value(now) : nothing, 0, 0});
    }
    session.insert("queue_messages", message_columns, rows);
}

void send_messages(Session& session, const std::string& queue, const std::vector<ports::OutgoingMessage>& messages,
                   TimePoint now) {
    std::set<std::string> ids;
    for (const auto& message : messages) {
        if (!message.deduplication_id.empty()) ids.insert(message.deduplication_id);
    }
    if (!ids.empty()) {
        drop_expired_ids(session, queue, 2 * ids.size(), now);
        ids = take_new_ids(session, queue, std::move(ids), now);
    }
    std::vector<NewMessage> fresh;
    for (const auto& message : messages) {
        const bool is_sent = !message.deduplication_id.empty() && ids.erase(message.deduplication_id) == 0;
        if (!is_sent) fresh.push_back({message.body, message.group, now});
    }
    append_messages(session, queue, fresh, now);
}

bool promote_next(Session& session, const std::string& queue, const std::string& group, TimePoint now) {
    const auto rest = "FROM queue_messages WHERE queue = ? AND message_group = ? ORDER BY seq LIMIT 1";
    for (;;) {
        auto next = session.select_one({"seq"}, rest, {queue, group});
        if (!next) return false;
        const auto promoted = session.execute("UPDATE queue_messages SET head_of = ?, visible_at = ? WHERE seq = ?",
                                              {group, now, next->number()});
        if (promoted == 1) return true;  // else it was purged just now
    }
}

void delete_rows(Session& session, std::string_view table, const Values& sequence_numbers) {
    in_lists({}, sequence_numbers, [&](const std::string& list, const Values& values) {
        session.execute("DELETE FROM " + std::string(table) + " WHERE seq IN " + list, values);
    });
}

ports::QueueDepth depth_of(Session& session, const std::string& queue, TimePoint now) {
    const auto hidden = session.number("COUNT(*) FROM queue_messages WHERE queue = ? AND visible_at > ?", {queue, now});
    const auto all = session.number("COUNT(*) FROM queue_messages WHERE queue = ?", {queue});
    const auto dead = session.number("COUNT(*) FROM queue_dead_letters WHERE queue = ?", {queue});
    return {std::max<std::int64_t>(all - hidden, 0), hidden, dead};
}

}  // namespace crawler::adapters::sql

#include "adapters/sql/identity_line.hpp"

#include "adapters/sql/identity_budget.hpp"

namespace crawler::adapters::sql {
namespace {

constexpr auto with_token = PlaceInLine::with_token;
constexpr auto without_token = PlaceInLine::without_token;

Columns together(const Columns& first, const Columns& second) {
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    return all;
}
void append(Values& values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
}

// The orders of the two indexes; an ORDER BY that differs from them would sort.
constexpr std::string_view by_preference =
    "FROM user_agents WHERE ready_lane = ? ORDER BY illness, last_used_at, id LIMIT 1 ";
constexpr std::string_view by_session =
    "FROM user_agents WHERE ready_lane = ? AND session_at <= ? ORDER BY session_at, id LIMIT 1 ";

}  // namespace

void IdentityLine::wake() {
    std::vector<UserAgentId> one_by_one;
    bool several = false;
    for (auto& row : session_.select({"id", "status", "CASE WHEN token IS NULL THEN 1 ELSE 0 END"},
                                     "FROM user_agents WHERE wakes_at <= ? ORDER BY wakes_at, id " +
                                         std::string(session_.dialect().lock_rows()),
                                     {now_})) {
        auto id = row.id<UserAgentId>();
        const bool is_available = row.word<UserAgentStatus>() == UserAgentStatus::available;
        const bool needs_made_up = row.flag() && config_.sessions.made_up;
        (is_available && !needs_made_up) ? void(several = true) : one_by_one.push_back(std::move(id));
    }
    // MySQL assigns from left to right, so what the others look at comes last.
    if (several)
        session_.execute(
            "UPDATE user_agents SET ready_lane = CASE WHEN token IS NULL THEN ? ELSE ? END, wakes_at = NULL, "
            "reservation = CASE WHEN lent_until > ? THEN reservation ELSE NULL END, "
            "probe = CASE WHEN lent_until > ? THEN probe ELSE NULL END, "
            "lent_until = CASE WHEN lent_until > ? THEN lent_until ELSE NULL END "
            "WHERE wakes_at <= ? AND status = 'AVAILABLE'",
            {without_token, with_token, now_, now_, now_, now_});
    for (const auto& id : one_by_one) {
        auto held = find(id);
        if (!held) continue;
        if (!held->agent.is_available())
            (void)held->agent.recover(config_.health, now_);  // its time is over: never refused
        if (held->loan && held->loan->until <= now_) held->loan.reset();
        save(*std::move(held), own_budget(session_, id, config_.limits).free_at(now_));
    }
}

std::optional<HeldIdentity> IdentityLine::find(const UserAgentId& id) {
    return first("FROM user_agents WHERE id = ? ", {id});
}

std::optional<HeldIdentity> IdentityLine::preferred(Purpose purpose) {
    if (purpose == Purpose::request) return first(by_preference, {with_token});
    if (auto held = first(by_session, {without_token, now_})) return held;
    return first(by_session, {with_token, now_});
}

bool IdentityLine::has_any(Purpose purpose) {
    if (purpose == Purpose::request) return session_.select_one({"id"}, by_preference, {with_token}).has_value();
    return session_.select_one({"id"}, by_session, {without_token, now_}).has_value() ||
           session_.select_one({"id"}, by_session, {with_token, now_}).has_value();
}

std::optional<TimePoint> IdentityLine::next_at(Purpose purpose) {
    if (purpose == Purpose::session) return next_session_at();
    const auto awake = first_time("wakes_at", "FROM user_agents WHERE wakes_at > ? ORDER BY wakes_at LIMIT 1", {now_});
    const bool some_lack_a_token = session_.select_one({"id"}, by_preference, {without_token}).has_value();
    if (!some_lack_a_token) return awake;
    const auto again = now_ + config_.sessions.look_again;
    return std::min(again, awake.value_or(again));
}

// Who is due already rests, or it would have been found.
std::optional<TimePoint> IdentityLine::next_session_at() {
    if (config_.sessions.made_up) return now_ + config_.sessions.lifetime;
    const auto rested = first_time("MIN(wakes_at)", "FROM user_agents WHERE session_at <= ?", {now_});
    auto due = first_time("CASE WHEN wakes_at > session_at THEN wakes_at ELSE session_at END",
                          "FROM user_agents WHERE session_at > ? ORDER BY session_at, wakes_at LIMIT 1", {now_});
    if (rested && due) return std::min(*rested, *due);
    return rested ? rested : due;
}

TimePoint IdentityLine::room_at(Purpose purpose) {
    auto row = session_.select_one({"COUNT(*)", "MIN(lent_until)", "SUM(lent_for_session)",
                                    "MIN(CASE WHEN lent_for_session = 1 THEN lent_until ELSE NULL END)"},
                                   "FROM user_agents WHERE lent_until > ?", {now_});
    const auto under_way = row->number();
    const auto first_end = row->optional_instant();
    const auto sessions = row->optional_number().value_or(0);
    const auto first_session_end = row->optional_instant();
    auto room = under_way < config_.at_once ? now_ : first_end.value_or(now_);
    if (purpose == Purpose::session && sessions >= config_.sessions.at_once)
        room = std::max(room, first_session_end.value_or(now_));
    return room;
}

void IdentityLine::save(HeldIdentity identity, TimePoint free) {
    auto& agent = identity.agent;
    if (config_.sessions.made_up && agent.is_available() && agent.state().token.empty())
        (void)agent.issue_token(Secret("token-" + agent.state().id.value), now_);  // available: never refused
    auto state = agent.state();
    if (state.status != identity.status_before) has_changed_statuses_ = true;
    ++state.revision;  // whoever read it before must not save over this
    auto values = identity_values(state, seal_);
    append(values, place_values(place_of(state, free), state.health));
    append(values, loan_values(identity.loan));
    values.emplace_back(state.id);
    static const auto text =
        update_text("user_agents", together(together(identity_columns, place_columns), loan_columns), "id = ?");
    session_.execute(text, values);
}

PlaceInLine IdentityLine::place_of(const UserAgent::State& state, TimePoint free) const {
    if (state.status == UserAgentStatus::blocked) return {};
    const auto session_at = config_.sessions.due_at(state);
    if (state.status == UserAgentStatus::suspended)
        return {.wakes_at = state.suspended_until, .session_at = session_at};
    if (free > now_) return {.wakes_at = free, .session_at = session_at};
    return {.ready_lane = state.token.empty() ? without_token : with_token, .session_at = session_at};
}

std::optional<HeldIdentity> IdentityLine::first(std::string_view rest, const Values& values) {
    static const auto columns = together(identity_columns, loan_columns);
    auto row = session_.select_one(columns, std::string(rest) + std::string(session_.dialect().lock_rows()), values);
    if (!row) return std::nullopt;
    auto agent = identity_of(*row, seal_);
    auto loan = loan_of(*row);
    return HeldIdentity{std::move(agent), std::move(loan)};
}

std::optional<TimePoint> IdentityLine::first_time(std::string_view column, std::string_view rest,
                                                  const Values& values) {
    auto row = session_.select_one({column}, rest, values);
    return row ? row->optional_instant() : std::nullopt;
}

}  // namespace crawler::adapters::sql

// The states of an identity and what leads from one to the other.
#pragma once
#include "domain/user_agent.hpp"

namespace crawler {

enum class UserAgentVerb {
    lend,
    lend_for_session,
    report_success,
    report_throttling,
    report_server_error,
    report_failure,
    report_refusal,
    forgive,
    recover,
    block,
    unblock,
    issue_token,
    fail_to_issue_token,
    forgive_token_failure,
};
constexpr auto names(UserAgentVerb) {
    return std::to_array<EnumName<UserAgentVerb>>({
        {UserAgentVerb::lend, "lend"},
        {UserAgentVerb::lend_for_session, "lend for a session"},
        {UserAgentVerb::report_success, "report a success of"},
        {UserAgentVerb::report_throttling, "report a throttling of"},
        {UserAgentVerb::report_server_error, "report a server error to"},
        {UserAgentVerb::report_failure, "report a failure of"},
        {UserAgentVerb::report_refusal, "report a refusal of"},
        {UserAgentVerb::forgive, "forgive"},
        {UserAgentVerb::recover, "recover"},
        {UserAgentVerb::block, "block"},
        {UserAgentVerb::unblock, "unblock"},
        {UserAgentVerb::issue_token, "issue a token to"},
        {UserAgentVerb::fail_to_issue_token, "fail to issue a token to"},
        {UserAgentVerb::forgive_token_failure, "forgive a token failure of"},
    });
}

// The one place that says which verb an outcome is.
constexpr UserAgentVerb verb_of(RequestOutcome outcome) {
    switch (outcome) {
        case RequestOutcome::succeeded:
            return UserAgentVerb::report_success;
        case RequestOutcome::throttled:
            return UserAgentVerb::report_throttling;
        case RequestOutcome::server_error:
            return UserAgentVerb::report_server_error;
        case RequestOutcome::refused:
            return UserAgentVerb::report_refusal;
        case RequestOutcome::failed:
        case RequestOutcome::unanswered:
            break;
    }
    return UserAgentVerb::report_failure;
}

// clang-format off: one transition, one line
inline constexpr StateTable user_agent_table{"UserAgent", UserAgentStatus::available, std::to_array<Transition<UserAgentStatus, UserAgentVerb>>({
    {UserAgentStatus::available, UserAgentVerb::lend, UserAgentStatus::available, "it has a token"},
    {UserAgentStatus::available, UserAgentVerb::lend_for_session, UserAgentStatus::available},
    {UserAgentStatus::available, UserAgentVerb::report_success, UserAgentStatus::available},
    {UserAgentStatus::available, UserAgentVerb::report_throttling, UserAgentStatus::suspended},
    {UserAgentStatus::available, UserAgentVerb::report_server_error, UserAgentStatus::available, "its health is at the floor or above"},
    {UserAgentStatus::available, UserAgentVerb::report_server_error, UserAgentStatus::suspended, "its health is below the floor"},
    {UserAgentStatus::available, UserAgentVerb::report_failure, UserAgentStatus::available, "its health is at the floor or above"},
    {UserAgentStatus::available, UserAgentVerb::report_failure, UserAgentStatus::suspended, "its health is below the floor"},
    {UserAgentStatus::available, UserAgentVerb::report_refusal, UserAgentStatus::available, "its health is at the floor or above"},
    {UserAgentStatus::available, UserAgentVerb::report_refusal, UserAgentStatus::suspended, "its health is below the floor"},
    {UserAgentStatus::available, UserAgentVerb::forgive, UserAgentStatus::available},
    {UserAgentStatus::available, UserAgentVerb::issue_token, UserAgentStatus::available},
    {UserAgentStatus::available, UserAgentVerb::fail_to_issue_token, UserAgentStatus::available, "not yet too often in a row (three times)"},
    {UserAgentStatus::available, UserAgentVerb::fail_to_issue_token, UserAgentStatus::blocked, "too often in a row (three times)"},
    {UserAgentStatus::available, UserAgentVerb::forgive_token_failure, UserAgentStatus::available},
    {UserAgentStatus::available, UserAgentVerb::block, UserAgentStatus::blocked},
    {UserAgentStatus::suspended, UserAgentVerb::report_throttling, UserAgentStatus::suspended, "a late answer: it lasts longer"},
    {UserAgentStatus::suspended, UserAgentVerb::forgive, UserAgentStatus::suspended, "throttled, or its health is below the floor"},
    {UserAgentStatus::suspended, UserAgentVerb::forgive, UserAgentStatus::available, "its health is at the floor or above"},
    {UserAgentStatus::suspended, UserAgentVerb::recover, UserAgentStatus::available, "its time is over, or an administrator says so"},
    {UserAgentStatus::suspended, UserAgentVerb::forgive_token_failure, UserAgentStatus::suspended},
    {UserAgentStatus::suspended, UserAgentVerb::block, UserAgentStatus::blocked},
    {UserAgentStatus::blocked, UserAgentVerb::unblock, UserAgentStatus::available},
    {UserAgentStatus::blocked, UserAgentVerb::forgive_token_failure, UserAgentStatus::available, "it was blocked for that"},
})};
// clang-format on

}  // namespace crawler

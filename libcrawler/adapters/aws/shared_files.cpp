// Profiles in ~/.aws/credentials and ~/.aws/config.
#include <map>
#include <sstream>

#include "adapters/aws/credential_sources.hpp"

namespace crawler::adapters::aws {
namespace {

using Profile = std::map<std::string, std::string, std::less<>>;

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// [default], [name] and, in the file of configurations, [profile name].
std::string profile_of(const std::string& header) {
    auto name = trimmed(header.substr(1, header.find(']') - 1));
    if (name.starts_with("profile ")) name = trimmed(name.substr(8));
    return name;
}

// Adds what the file says of the profile; what is there already counts. Whether the file knows it.
bool add_profile(const std::string& text, const std::string& name, Profile& profile) {
    std::istringstream lines(text);
    bool is_there = false;
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
        const bool is_nested = line.starts_with(' ') || line.starts_with('\t');
        line = trimmed(line);
        if (line.empty() || line.front() == '#' || line.front() == ';') continue;
        if (line.front() == '[') {
            is_inside = profile_of(line) == name;
            is_there = is_there || is_inside;
            continue;
        }
        const auto equals = line.find('=');
        if (!is_inside || is_nested || equals == std::string::npos) continue;
        profile.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    return is_there;
}

std::string of(const Profile& profile, std::string_view key) {
    const auto found = profile.find(key);
    return found == profile.end() ? std::string() : found->second;
}

std::string or_else(std::string text, std::string otherwise) {
    return text.empty() ? std::move(otherwise) : std::move(text);
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): the account outlives its questions
Async<Found> look_in_files(const Surroundings& s) {
    const auto asked_for = or_else(s.config.profile, s.variable("AWS_PROFILE"));
    const auto name = or_else(asked_for, "default");
    const auto folder = s.variable("HOME") + "/.aws/";
    Profile profile;
    bool is_there = false;
    for (const auto& file : {or_else(s.variable("AWS_SHARED_CREDENTIALS_FILE"), folder + "credentials"),
                             or_else(s.variable("AWS_CONFIG_FILE"), folder + "config")}) {
        const auto text = read_file(file);
        if (text) is_there = add_profile(*text, name, profile) || is_there;
    }
    const auto who = "profile '" + name + "'";
    if (!is_there && !asked_for.empty()) co_return Error{Errc::blocked, who + " is in none of them"};
    if (!is_there) co_return NotSetUp{"no " + who};

    Credentials credentials{.access_key = of(profile, "aws_access_key_id"),
                            .secret_key = Secret(of(profile, "aws_secret_access_key")),
                            .session_token = Secret(of(profile, "aws_session_token"))};
    if (!credentials.access_key.empty() && !credentials.secret_key.empty()) co_return credentials;
    if (!credentials.access_key.empty()) co_return Error{Errc::blocked, who + " has no aws_secret_access_key"};

    WebIdentity identity{.role = of(profile, "role_arn"),
                         .session_name = of(profile, "role_session_name"),
                         .token_file = of(profile, "web_identity_token_file")};
    if (!identity.role.empty() && !identity.token_file.empty()) co_return co_await assume_role(s, std::move(identity));
    for (const auto* key :
         {"source_profile", "credential_source", "credential_process", "sso_session", "sso_start_url"}) {
        if (profile.contains(key))
            co_return Error{Errc::blocked, who + " says " + key +
                                               ", which is not supported: give it keys, or a "
                                               "role_arn with a web_identity_token_file"};
    }
    co_return NotSetUp{who + " has no credentials"};
}

}  // namespace crawler::adapters::aws

// What a Configuration says once it has been read: its problems, and its values.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>

#include "runtime/config.hpp"
#include "runtime/config_state.hpp"
#include "runtime/guarded_text.hpp"

namespace crawler::runtime {
namespace {

using Kind = KnownKey::Kind;

// How many letters to insert, drop or replace to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

// The candidate that a slip of the finger makes of the word, if there is one.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    auto best_distance = std::clamp<std::size_t>(word.size() / 3, word.size() < 5 ? 1 : 2, 4) + 1;
    for (const auto& candidate : candidates) {
        const auto d = distance(word, candidate);
        if (d < best_distance) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

std::string joined(const std::vector<std::string>& words) {
    std::string result;
    for (const auto& word : words) result += (result.empty() ? "" : ", ") + word;
    return result;
}

// The full path of a value of that name, wherever it is.
std::optional<std::string> elsewhere(const KnownKey& from, std::string_view name) {
    for (const auto& key : from.children) {
        if (key.name == name) return key.path;
        if (auto found = elsewhere(key, name)) return found;
    }
    return std::nullopt;
}

std::string unknown_key(const ConfigState& state, const KnownKey& section, std::string_view name) {
    std::vector<std::string> known;
    for (const auto& key : section.children) known.push_back(key.name);
    if (const auto near = nearest(name, known)) return "is not a known key; did you mean " + *near + "?";
    if (const auto other = elsewhere(state.root, name)) return "is not a known key here; did you mean " + *other + "?";
    return "is not a known key; must be one of " + joined(known);
}

void find_unknown_keys(const ConfigState& state, const KnownKey& section, std::vector<ConfigProblem>& problems) {
    if (section.yaml == nullptr || section.yaml->kind != YamlNode::Kind::map) return;
    for (const auto& child : section.yaml->children) {
        const auto* known = section.find(child.key);
        if (known != nullptr && known->kind == Kind::section) find_unknown_keys(state, *known, problems);
        if (known != nullptr) continue;
        const auto key = printable_key(child.key);
        const auto path = section.path.empty() ? key : section.path + "." + key;
        problems.push_back(state.in_file(child.line, path, unknown_key(state, section, child.key)));
    }
}

void collect_variables(const KnownKey& section, std::vector<std::string>& variables) {
    for (const auto& key : section.children) {
        if (key.kind != Kind::section) variables.push_back(key.variable);
        collect_variables(key, variables);
    }
}

// CRAWLER__CONSUMER__MAX_IN_FLIGHT -> consumer.max_in_flight
std::string path_of(std::string_view variable) {
    std::string path;
    variable.remove_prefix(override_prefix.size());
    for (std::size_t i = 0; i < variable.size(); ++i) {
        const bool level = variable.substr(i).starts_with("__");
        path += level ? '.' : static_cast<char>(std::tolower(static_cast<unsigned char>(variable[i])));
        if (level) ++i;
    }
    return path.empty() ? "(document)" : path;
}

void find_unknown_variables(const ConfigState& state, std::vector<ConfigProblem>& problems) {
    std::vector<std::string> known;
    collect_variables(state.root, known);
    for (auto it = state.environment.lower_bound(override_prefix); it != state.environment.end(); ++it) {
        const auto& name = it->first;
        if (!name.starts_with(override_prefix)) break;
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const auto near = nearest(name, known);
        const auto hint = near ? "did you mean " + *near + "?" : "must name a value of the configuration or be unset";
        auto problem = name + ": " + path_of(name);
        problem.append(": is not a known key; ").append(hint);
        problems.push_back({environment_order, std::move(problem)});
    }
}

// Plain where YAML reads it back as the same text, otherwise in double quotes.
std::string yaml_scalar(const std::string& value) {
    auto text = without_expansion(value);
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
    const bool is_null = text == "null" || text == "Null" || text == "NULL";
    if (!text.empty() && !is_null && std::all_of(text.begin(), text.end(), is_plain)) return text;

    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            result += escape;
        } else {
            result += c;
        }
    }
    return result + '"';
}

void print(const ConfigState& state, const KnownKey& section, std::size_t indent, std::string& out) {
    const std::string margin(indent, ' ');
    for (const auto& key : section.children) {
        if (key.kind == Kind::section) {
            if (!key.children.empty()) out += margin + key.name + ":\n";
            print(state, key, indent + 2, out);
            continue;
        }
        const auto origin = key.overridden        ? "environment " + key.variable
                            : key.yaml != nullptr ? state.file + ":" + std::to_string(key.line)
                                                  : "default";
        out += margin + key.name + ":";
        if (key.kind == Kind::value && !key.shown.empty()) out += " " + yaml_scalar(key.shown.front());
        if (key.kind == Kind::list && key.shown.empty()) out += " []";
        out += "  # " + origin + "\n";
        if (key.kind != Kind::list) continue;
        for (const auto& item : key.shown) out += margin + "  - " + yaml_scalar(item) + "\n";
    }
}

// All lines there are, in order, with what nobody asked for.
std::vector<std::string> report(const ConfigState& state, std::vector<ConfigProblem> unknown) {
    std::vector<ConfigProblem> found;
    found.reserve(state.yaml.problems.size());
    for (const auto& p : state.yaml.problems) found.push_back(state.in_file(p.line, p.key, p.what));
    // Without a document every other complaint would be a consequence of this one.
    if (state.file.empty() || state.yaml.is_readable()) {
        found.insert(found.end(), state.problems.begin(), state.problems.end());
        std::ranges::move(unknown, std::back_inserter(found));
    }

    std::multimap<int, std::string> in_order;  // which keeps the order of those of one line
    for (auto& problem : found) in_order.emplace(problem.order, std::move(problem.text));
    std::vector<std::string> lines;
    for (auto& [order, text] : in_order) lines.push_back(std::move(text));
    return lines;
}

}  // namespace

std::vector<std::string> Configuration::problems() const {
    std::vector<ConfigProblem> unknown;
    find_unknown_keys(*state_, state_->root, unknown);
    find_unknown_variables(*state_, unknown);
    return report(*state_, std::move(unknown));
}

std::vector<std::string> Configuration::problems_of_what_was_read() const {
    return report(*state_, {});
}

std::string Configuration::effective() const {
    std::string text;
    print(*state_, state_->root, 0, text);
    return text;
}

}  // namespace crawler::runtime

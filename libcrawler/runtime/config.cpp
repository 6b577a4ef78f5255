#include "runtime/config.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <limits>
#include <utility>

#include "runtime/config_state.hpp"
#include "runtime/guarded_text.hpp"

namespace crawler::runtime {
namespace {

using Kind = KnownKey::Kind;

// A value on its way from the file or the environment into a field.
struct Raw {
    std::string path;
    std::string text;
    int line;
};

std::string upper(std::string_view text) {
    std::string result{text};
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
    return result;
}

// A value in a message: on one line, and not endless.
std::string quoted(std::string text) {
    std::size_t longest = 120;
    if (text.size() > longest) {
        while ((text[longest] & 0xC0) == 0x80) --longest;  // not in the middle of a UTF-8 character
        text = text.substr(0, longest) + "...";
    }
    for (char& c : text) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    return '"' + text + '"';
}

std::string with_rule(std::string what, const std::string& rule) {
    return rule.empty() ? what : std::move(what) + "; " + rule;
}

void guard(GuardedText& text, Visibility visibility) {
    if (visibility == Visibility::secret) text.hide_all();
    if (visibility == Visibility::url) hide_userinfo(text);
}

// Puts the raw text into the field and notes how it shows. False: it was rejected.
bool assign(ConfigState& state, KnownKey& key, const Field& field, const Raw& raw) {
    auto [text, problems] = expand(raw.text, state.environment);
    for (const auto& problem : problems) state.reject(key, raw.line, raw.path, problem);
    if (!problems.empty()) return false;

    guard(text, field.visibility);
    const auto fault = field.assign(text.text());
    if (!fault.empty()) {
        const auto what = quoted(text.shown()) + " " + std::string(fault);
        state.reject(key, raw.line, raw.path, with_rule(what, field.rule));
        return false;
    }
    key.shown.push_back(text.has_hidden() ? text.shown() : field.current());
    return true;
}

void show_default(KnownKey& key, const std::string& current, Visibility visibility) {
    GuardedText text{current};
    guard(text, visibility);
    key.shown.push_back(text.shown());
}

std::vector<Raw> split(const KnownKey& key, std::string_view text) {
    std::vector<Raw> items;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        auto item = text.substr(0, comma);
        item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
        item = item.substr(0, item.find_last_not_of(' ') + 1);
        items.push_back({key.path + "[" + std::to_string(items.size()) + "]", std::string(item), key.line});
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return items;
}

}  // namespace

const KnownKey* KnownKey::find(std::string_view child) const {
    const auto found =
        std::find_if(children.begin(), children.end(), [&](const KnownKey& k) { return k.name == child; });
    return found == children.end() ? nullptr : &*found;
}

KnownKey& ConfigState::add(KnownKey& section, KnownKey::Kind kind, std::string_view name) {
    assert(section.find(name) == nullptr && "a key is read once");
    assert(name.find("__") == std::string_view::npos && "two underscores separate levels in the environment");
    KnownKey key{.kind = kind, .name = std::string(name)};
    key.path = section.path.empty() ? key.name : section.path + "." + key.name;
    key.variable = (section.path.empty() ? std::string(override_prefix) : section.variable + "__") + upper(name);
    key.yaml = section.yaml != nullptr ? section.yaml->find(name) : nullptr;
    key.line = key.yaml != nullptr ? key.yaml->line : section.line;
    key.overridden = kind != Kind::section && environment.contains(key.variable);
    return section.children.emplace_back(std::move(key));
}

ConfigProblem ConfigState::in_file(int line, const std::string& path, const std::string& what) const {
    const auto place = file.empty() ? "(no file)" : file + ":" + std::to_string(line);
    return {line, place + ": " + path + ": " + what};
}

void ConfigState::reject(KnownKey& key, int line, const std::string& path, const std::string& what) {
    key.wrong = true;
    problems.push_back(key.overridden ? ConfigProblem{environment_order, key.variable + ": " + path + ": " + what}
                                      : in_file(line, path, what));
}

Node Node::section(std::string_view key) {
    if (auto* again = here_->find(key)) {
        assert(again->kind == Kind::section);
        return {*state_, *again};
    }
    KnownKey& known = state_->add(*here_, Kind::section, key);
    // A section without a single key (all commented out) has no value, and that is fine.
    if (known.yaml != nullptr && known.yaml->kind != YamlNode::Kind::map && known.yaml->kind != YamlNode::Kind::null) {
        state_->reject(known, known.line, known.path, "must be a section of keys, not a value or a list");
    }
    return {*state_, known};
}

void Node::take(std::string_view key, const Field& field) {
    KnownKey& known = state_->add(*here_, Kind::value, key);
    const auto reject = [&](const std::string& what) {
        state_->reject(known, known.line, known.path, with_rule(what, field.rule));
    };

    if (known.overridden) {
        assign(*state_, known, field, {known.path, state_->environment.at(known.variable), known.line});
    } else if (known.yaml == nullptr) {
        // A round trip, so that a default meets the rule that a written value has to meet.
        if (!field.assign(field.current()).empty()) reject("is missing, here and in " + known.variable);
        show_default(known, field.current(), field.visibility);
    } else if (known.yaml->kind == YamlNode::Kind::scalar) {
        assign(*state_, known, field, {known.path, known.yaml->scalar, known.line});
    } else if (known.yaml->kind == YamlNode::Kind::null) {
        reject("has no value");
    } else {
        reject("must be one value, not a section or a list");
    }
}

void Node::take_list(std::string_view key, const ListField& list) {
    KnownKey& known = state_->add(*here_, Kind::list, key);
    std::vector<Raw> items;
    if (known.overridden) {
        items = split(known, state_->environment.at(known.variable));
    } else if (known.yaml == nullptr) {
        for (const auto& text : list.current()) show_default(known, text, list.item.visibility);
        return;
    } else if (known.yaml->kind != YamlNode::Kind::list) {
        state_->reject(known, known.line, known.path,
                       "is not a list; must be written [a, b] or one \"- item\" per line");
        return;
    } else {
        for (const auto& child : known.yaml->children) {
            const auto path = known.path + "[" + std::to_string(&child - known.yaml->children.data()) + "]";
            if (child.kind == YamlNode::Kind::scalar) {
                items.push_back({path, child.scalar, child.line});
            } else {
                state_->reject(known, child.line, path, with_rule("must be one value", list.item.rule));
            }
        }
    }

    list.clear();
    for (const auto& item : items) {
        if (assign(*state_, known, list.item, item)) list.push();
    }
}

void Node::check(std::string_view key, bool holds, std::string_view rule) {
    KnownKey* known = here_->find(key);
    assert(known != nullptr && "check a key after reading it");
    // A value that was rejected has left its default behind, which says nothing about the rule.
    if (!holds && !known->wrong) state_->reject(*known, known->line, known->path, std::string(rule));
}

Configuration::Configuration(const std::optional<std::filesystem::path>& file, Environment environment)
    : state_(std::make_unique<ConfigState>()) {
    state_->environment = std::move(environment);
    if (!file) return;
    state_->file = file->string();
    state_->yaml = read_yaml_file(*file);
    state_->root.yaml = &state_->yaml.root;
}

Configuration::~Configuration() = default;

Node Configuration::root() {
    return {*state_, state_->root};
}

}  // namespace crawler::runtime

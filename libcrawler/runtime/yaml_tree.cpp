#include "runtime/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace crawler::runtime {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t largest_file = 1'048'576;

int line_of(const YAML::Mark& mark) {
    return std::max(mark.line, 0) + 1;
}

// Builds the tree from the parser's events, because only these come with a line for every key and with repeated keys.
class TreeBuilder final : public YAML::EventHandler {
  public:
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ == 2) problem(line_of(mark), "(document)", "must be one document; a second one starts here");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add({.line = line_of(mark)}); }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
        add({.kind = Kind::scalar, .line = line_of(mark), .scalar = value});
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        problem(line_of(mark), path(), "is an alias (*name); must be written out");
        add({.line = line_of(mark)});
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open_.push_back({.node = {.kind = Kind::list, .line = line_of(mark)}});
    }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
        open_.push_back({.node = {.kind = Kind::map, .line = line_of(mark)}});
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

    YamlDocument take() { return std::exchange(document_, {}); }

  private:
    struct Open {
        YamlNode node;
        bool has_key = false;  // a map between a key and its value
        std::string key;
        int key_line = 1;
    };

    void close() {
        auto node = std::move(open_.back().node);
        open_.pop_back();
        add(std::move(node));
    }

    void add(YamlNode node) {
        if (open_.empty()) {
            if (documents_ == 1) document_.root = std::move(node);
        } else if (open_.back().node.kind == Kind::list) {
            open_.back().node.children.push_back(std::move(node));
        } else if (open_.back().has_key) {
            add_value(std::move(node));
        } else {
            add_key(node);
        }
    }

    void add_key(const YamlNode& node) {
        if (node.kind != Kind::scalar) problem(node.line, path(), "has a key that is not a plain word");
        open_.back().has_key = true;
        open_.back().key = node.scalar;
        open_.back().key_line = node.line;
    }

    void add_value(YamlNode node) {
        Open& map = open_.back();
        if (const auto* first = map.node.find(map.key)) {
            problem(map.key_line, path(),
                    "is written twice; must stand once, it is already on line " + std::to_string(first->line));
        } else {
            node.key = map.key;
            node.line = map.key_line;
            map.node.children.push_back(std::move(node));
        }
        map.has_key = false;
    }

    // consumer.hosts[2].name: where the parser is now.
    std::string path() const {
        std::string result;
        for (const Open& open : open_) {
            if (open.node.kind == Kind::list) result += "[" + std::to_string(open.node.children.size()) + "]";
            if (open.has_key) result += (result.empty() ? "" : ".") + printable_key(open.key);
        }
        return result.empty() ? "(document)" : result;
    }

    void problem(int line, std::string key, std::string what) {
        document_.problems.push_back({line, std::move(key), std::move(what)});
    }

    YamlDocument document_;
    std::vector<Open> open_;
    int documents_ = 0;
};

YamlDocument unreadable(int line, std::string what) {
    return {.problems = {{line, "(document)", std::move(what)}}};
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view child) const {
    const auto found =
        std::find_if(children.begin(), children.end(), [&](const YamlNode& c) { return c.key == child; });
    return kind == Kind::map && found != children.end() ? &*found : nullptr;
}

std::string printable_key(const std::string& key) {
    const auto is_odd = [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; };
    const auto odd = std::find_if(key.begin(), key.end(), is_odd);
    return odd == key.end() ? key : std::string(key.begin(), odd) + "...";
}

YamlDocument parse_yaml(const std::string& text) {
    TreeBuilder builder;
    try {
        std::istringstream input{text};
        YAML::Parser parser{input};
        while (parser.HandleNextDocument(builder)) continue;
    } catch (const YAML::Exception& e) {
        // Some of the library's messages go on with a piece of the text behind a colon.
        return unreadable(line_of(e.mark), "is not YAML: " + e.msg.substr(0, e.msg.find(':')));
    }

    auto document = builder.take();
    const auto kind = document.root.kind;
    if (kind == Kind::map) return document;
    return unreadable(document.root.line,
                      kind == Kind::null ? "is empty; must hold at least one key" : "must be a map of keys to values");
}

YamlDocument read_yaml_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return unreadable(1, "cannot be read: is a directory, must be a file");

    errno = 0;
    std::ifstream file{path, std::ios::binary};
    std::string text(largest_file + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
        return unreadable(1, "cannot be read: " + std::generic_category().message(errno) + "; must be a readable file");
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file) return unreadable(1, "cannot be read: is too long; must be at most 1MiB");
    return parse_yaml(text);
}

}  // namespace crawler::runtime

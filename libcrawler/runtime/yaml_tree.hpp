// A YAML file as a plain tree that remembers lines. yaml_tree.cpp is the only place that knows the YAML library; the
// configuration is read from this tree.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace crawler::runtime {

struct YamlNode {
    enum class Kind { null, scalar, list, map };

    Kind kind = Kind::null;
    std::string key;                 // empty at the root and in a list
    int line = 1;                    // from 1; of the key where there is one
    std::string scalar;              // scalar: the text, unquoted
    std::vector<YamlNode> children;  // list and map, in the order of the file; keys of a map are unique

    const YamlNode* find(std::string_view child) const;
};

struct YamlProblem {
    int line = 1;
    std::string key;   // dotted path, or "(document)"
    std::string what;  // quotes no value: it could be a secret
};

struct YamlDocument {
    YamlNode root;
    std::vector<YamlProblem> problems;

    // False where there is nothing to read: the problems then say why.
    bool is_readable() const { return root.kind == YamlNode::Kind::map; }
};

YamlDocument parse_yaml(const std::string& text);
YamlDocument read_yaml_file(const std::filesystem::path& path);

// A key as it may stand in a one-line message. It ends where it is no plain word: `{password:hunter2}`, with its space
// forgotten, makes a key of a secret.
std::string printable_key(const std::string& key);

}  // namespace crawler::runtime

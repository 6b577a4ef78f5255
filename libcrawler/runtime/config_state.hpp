// What a Configuration knows while it is read. Private to config.cpp and config_report.cpp.
#pragma once
#include <limits>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/environment.hpp"
#include "runtime/yaml_tree.hpp"

namespace crawler::runtime {

inline constexpr std::string_view override_prefix = "CRAWLER__";

// A key somebody asked for. These make a tree in the order of reading: the printout, and the measure of unknown keys.
struct KnownKey {
    enum class Kind { section, value, list };

    Kind kind = Kind::section;
    std::string name;
    std::string path;                // consumer.max_in_flight
    std::string variable;            // CRAWLER__CONSUMER__MAX_IN_FLIGHT
    const YamlNode* yaml = nullptr;  // in the file, if it is there
    int line = 1;                    // in the file, of the key or else of its section
    bool overridden = false;
    bool wrong = false;
    std::vector<std::string> shown;  // masked; one text, or the items of a list
    std::list<KnownKey> children;    // a list, because handles point into it

    const KnownKey* find(std::string_view child) const;
    KnownKey* find(std::string_view child) { return const_cast<KnownKey*>(std::as_const(*this).find(child)); }
};

inline constexpr int environment_order = std::numeric_limits<int>::max();

struct ConfigProblem {
    int order;  // the line; the environment comes after all lines
    std::string text;
};

struct ConfigState {
    std::string file;  // as given; empty without one
    Environment environment;
    YamlDocument yaml;
    KnownKey root;
    std::vector<ConfigProblem> problems;

    KnownKey& add(KnownKey& section, KnownKey::Kind kind, std::string_view name);
    // At that line of the file, or at the variable that overrides the key.
    void reject(KnownKey& key, int line, const std::string& path, const std::string& what);
    ConfigProblem in_file(int line, const std::string& path, const std::string& what) const;
};

}  // namespace crawler::runtime

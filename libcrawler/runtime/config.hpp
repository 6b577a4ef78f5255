// Reads a configuration file and its environment overrides into plain structs, strictly: all that is wrong is told, and
// what nobody asks for is wrong too. Used by services/<x>/config.cpp, called by start().
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/config_field.hpp"
#include "runtime/config_rules.hpp"
#include "runtime/environment.hpp"

namespace crawler::runtime {

struct ConfigState;
struct KnownKey;

struct ListField {
    Field item;  // reads and shows one item
    std::function<std::vector<std::string>()> current;
    std::function<void()> clear;
    std::function<void()> push;  // appends what `item` has read
};

// One section of the configuration; the root is one. Copy it freely, it is a handle into its Configuration.
class Node {
  public:
    Node section(std::string_view key);

    // Takes `key` into `value`, or leaves the value, which is the default. A default that breaks the rule makes the key
    // required. field() lists the types and their rules:
    //     node.read("enabled", cfg.enabled);                // bool, enum with names(), Endpoint: no rule
    //     node.read("batch", cfg.batch, between(1, 500));   // also between(1s, 10min), between(1_KiB, 1_MiB)
    //     node.read("queue", cfg.queue, url({"https"}));    // std::string, Secret: a rule or none
    // Read every key whatever the values of others: a key not read is unknown.
    template <class T, class... Rule>
    void read(std::string_view key, T& value, Rule... rule) {
        static_assert(!std::is_arithmetic_v<T> || std::is_same_v<T, bool> || sizeof...(Rule) > 0,
                      "a number needs its limits: between(lowest, highest)");
        take(key, field(value, std::move(rule)...));
    }

    // The rule holds for each item. In the environment, items are separated by commas.
    template <class T, class... Rule>
    void read(std::string_view key, std::vector<T>& values, Rule... rule) {
        T item{};
        const auto one = field(item, std::move(rule)...);
        const auto current = [&] {
            std::vector<std::string> texts;
            for (const T& value : values) {
                item = value;
                texts.push_back(one.current());
            }
            return texts;
        };
        take_list(key, {one, current, [&] { values.clear(); }, [&] { values.push_back(item); }});
    }

    // A rule over several values, told at one of them, which has been read before: "must be shorter than visibility".
    void check(std::string_view key, bool holds, std::string_view rule);

  private:
    friend class Configuration;
    Node(ConfigState& state, KnownKey& here) : state_(&state), here_(&here) {}

    void take(std::string_view key, const Field& field);
    void take_list(std::string_view key, const ListField& list);

    ConfigState* state_;
    KnownKey* here_;
};

// A file (or none) and the environment, while they are read and after.
class Configuration {
  public:
    Configuration(const std::optional<std::filesystem::path>& file, Environment environment);
    ~Configuration();

    Node root();

    // Ask after all reads. One line each, `FILE:LINE: KEY: what is wrong; rule`, by line, the environment last.
    std::vector<std::string> problems() const;
    // The same without keys that nobody read: for a program that reads a part of another's file.
    std::vector<std::string> problems_of_what_was_read() const;

    // What was read, as YAML in the order of reading, secrets masked, each value with its origin in a comment.
    std::string effective() const;

  private:
    std::unique_ptr<ConfigState> state_;
};

}  // namespace crawler::runtime

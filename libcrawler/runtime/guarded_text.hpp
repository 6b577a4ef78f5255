// A text that knows which of its characters must not show. Configuration values travel in it, so that an error message
// or a printout can quote them and never betray a secret.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "runtime/environment.hpp"

namespace crawler::runtime {

class GuardedText {
  public:
    GuardedText() = default;
    explicit GuardedText(std::string text) : text_(std::move(text)), hidden_(text_.size(), false) {}

    void append(std::string_view part, bool hidden);
    void hide(std::size_t from, std::size_t to);  // the half-open range
    void hide_all() { hide(0, text_.size()); }

    bool has_hidden() const;
    const std::string& text() const { return text_; }  // the real one
    std::string shown() const;                         // each hidden run is ****

  private:
    std::string text_;
    std::vector<bool> hidden_;
};

struct Expansion {
    GuardedText text;
    std::vector<std::string> problems;  // what is wrong and the rule; quotes names, never values
};

// Replaces every ${NAME} from the environment, hidden; $${ stands for a plain ${. What was inserted is not expanded
// again.
Expansion expand(std::string_view raw, const Environment& environment);

// The other way: a text that expand() gives back as it is.
std::string without_expansion(std::string_view text);

// Hides user and password of a URL, also of one that is none.
void hide_userinfo(GuardedText& url);

}  // namespace crawler::runtime

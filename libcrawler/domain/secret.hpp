// A text that must not show: it has no stream operator and no conversion, so it reaches a log or an answer only by a call
// that says `reveal`.
#pragma once
#include <string>
#include <utility>

namespace crawler {

class Secret {
  public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}

    const std::string& reveal() const { return text_; }
    bool empty() const { return text_.empty(); }

  private:
    std::string text_;
};

}  // namespace crawler

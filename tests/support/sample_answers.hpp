// Real answers of the marketplace (tests/data/mustit) and edits of them, for tests of what reads them.
#pragma once
#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace crawler::test {

inline std::string sample_answer(const std::string& file) {
    std::ifstream in(std::string(CRAWLER_SAMPLES) + "/" + file, std::ios::binary);
    if (!in) throw std::runtime_error("no sample " + file);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

// An answer that is changed at JSON pointers and then written again.
class EditedAnswer {
  public:
    explicit EditedAnswer(const std::string& file) : document_(boost::json::parse(sample_answer(file))) {}

    EditedAnswer& set(const std::string& pointer, const std::string& json) {
        const auto slash = pointer.rfind('/');
        auto& parent = document_.at_pointer(pointer.substr(0, slash));
        if (parent.is_object()) {
            parent.as_object()[pointer.substr(slash + 1)] = boost::json::parse(json);
        } else {
            document_.at_pointer(pointer) = boost::json::parse(json);
        }
        return *this;
    }
    EditedAnswer& remove(const std::string& pointer) {
        const auto slash = pointer.rfind('/');
        auto& parent = document_.at_pointer(pointer.substr(0, slash));
        const auto name = pointer.substr(slash + 1);
        if (parent.is_object()) {
            parent.as_object().erase(name);
        } else {
            auto& array = parent.as_array();
            array.erase(array.begin() + std::stol(name));
        }
        return *this;
    }
    boost::json::value& at(const std::string& pointer) { return document_.at_pointer(pointer); }
    std::string text() const { return boost::json::serialize(document_); }

  private:
    boost::json::value document_;
};

}  // namespace crawler::test

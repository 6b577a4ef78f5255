#include "architecture/layer_lists.hpp"

#include <regex>
#include <sstream>
#include <vector>

namespace crawler::architecture {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

bool is_source(const std::string& word) {
    return word.ends_with(".cpp") || word.ends_with(".hpp");
}

}  // namespace

std::set<std::string> listed_files(std::string_view cmake) {
    const auto text = std::regex_replace(std::string(cmake), std::regex("#[^\n]*"), "");
    std::set<std::string> files;
    std::string folder;
    bool folder_follows = false;
    for (const auto& word : words_of(std::regex_replace(text, std::regex("[()]"), " $& "))) {
        if (folder_follows) folder = word + "/";
        folder_follows = word == "FOLDER";
        if (word == ")") folder.clear();
        if (is_source(word)) files.insert(folder + word);
    }
    return files;
}

}  // namespace crawler::architecture

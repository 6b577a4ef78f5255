// A source file as the rules read it: the text as written, and the same text split into code, comments and literals.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace crawler::architecture {

struct SourceFile {
    std::string path;  // from the root of the checkout
    std::string text;
    std::string code;      // the text with comments and the insides of literals blanked; every line stays where it is
    std::string literals;  // the reverse: only the insides of string and character literals
};

SourceFile read_source(std::string path, std::string text);

// Every .cpp and .hpp under the folders, in order of their paths.
std::vector<SourceFile> read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders);

std::string read_text(const std::filesystem::path& file);
std::vector<std::string> lines_of(std::string_view text);
// The line, counted from one, that the position is on.
std::size_t line_at(std::string_view text, std::size_t position);

}  // namespace crawler::architecture

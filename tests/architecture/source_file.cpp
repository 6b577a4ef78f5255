#include "architecture/source_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace crawler::architecture {
namespace {

// Walks over a text once and copies each character to the one of the two views it belongs to.
class Splitter {
  public:
    explicit Splitter(SourceFile& file) : file_(file), text_(file.text) {
        file_.code.reserve(text_.size());
        file_.literals.reserve(text_.size());
    }

    void run() {
        while (at_ < text_.size()) {
            if (text_.substr(at_, 2) == "//" || is_directive("#pragma")) {  // poisoning a word is not using it
                pass_to(text_.find('\n', at_), Kind::comment);
            } else if (text_.substr(at_, 2) == "/*") {
                pass_to(after("*/", at_ + 2), Kind::comment);
            } else if (is_directive("#include")) {
                pass_to(text_.find('\n', at_), Kind::code);
            } else if (is_raw_string()) {
                pass_raw_string();
            } else if (text_[at_] == '"' || (text_[at_] == '\'' && !is_digit_separator())) {
                pass_literal(text_[at_]);
            } else {
                pass_to(at_ + 1, Kind::code);
            }
        }
    }

  private:
    enum class Kind { code, comment, literal };

    void pass_to(std::size_t end, Kind kind) {
        for (end = std::min(end, text_.size()); at_ < end; ++at_) {
            const char c = text_[at_];
            file_.code.push_back(kind == Kind::code || c == '\n' ? c : ' ');
            file_.literals.push_back(kind == Kind::literal || c == '\n' ? c : ' ');
        }
    }

    void pass_literal(char quote) {
        auto end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
        pass_to(at_ + 1, Kind::code);
        pass_to(end, Kind::literal);
        pass_to(at_ + 1, Kind::code);
    }

    void pass_raw_string() {
        const auto open = text_.find('(', at_);
        const auto closing = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
        pass_to(open + 1, Kind::code);
        pass_to(after(closing, at_) - closing.size(), Kind::literal);
        pass_to(at_ + closing.size(), Kind::code);
    }

    std::size_t after(std::string_view what, std::size_t from) const {
        const auto found = text_.find(what, from);
        return found == std::string_view::npos ? text_.size() : found + what.size();
    }

    bool follows_a_word() const {
        return at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0 || text_[at_ - 1] == '_');
    }
    bool is_digit_separator() const { return follows_a_word(); }
    bool is_raw_string() const { return text_.substr(at_, 2) == "R\"" && !follows_a_word(); }
    bool is_directive(std::string_view directive) const {
        return text_.substr(at_, directive.size()) == directive && (at_ == 0 || text_[at_ - 1] == '\n');
    }

    SourceFile& file_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

SourceFile read_source(std::string path, std::string text) {
    SourceFile file{std::move(path), std::move(text), {}, {}};
    Splitter(file).run();
    return file;
}

std::vector<SourceFile> read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders) {
    std::vector<SourceFile> files;
    for (const auto& folder : folders) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const auto& path = entry.path();
            if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
            files.push_back(read_source(std::filesystem::relative(path, root).generic_string(), read_text(path)));
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::size_t line_at(std::string_view text, std::size_t position) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

}  // namespace crawler::architecture

// What may stand around a co_await. Some compilers destroy temporaries of such an expression twice
// (docs/adr/0008-clang-19.md), and a statement that waits once, into a name, is easier to read.
#include <cctype>
#include <regex>

#include "architecture/rule.hpp"

namespace crawler::architecture {
namespace {

// Where each co_await of the file stands.
std::vector<std::size_t> waits_in(const std::string& code) {
    static const std::regex pattern(R"(\bco_await\b)");
    std::vector<std::size_t> positions;
    for (std::sregex_iterator found(code.begin(), code.end(), pattern), end; found != end; ++found)
        positions.push_back(static_cast<std::size_t>(found->position()));
    return positions;
}

// The end of the expression that starts at `begin`: its semicolon, or the bracket that encloses it.
std::size_t end_of_expression(const std::string& code, std::size_t begin) {
    int depth = 0;
    for (auto at = begin; at < code.size(); ++at) {
        const char c = code[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0 || (depth == 0 && c == ';')) return at;
    }
    return code.size();
}

// The start of the statement: after the nearest semicolon or brace before `position`.
std::size_t start_of_statement(const std::string& code, std::size_t position) {
    const auto before = position == 0 ? std::string::npos : code.find_last_of(";{}", position - 1);
    return before == std::string::npos ? 0 : before + 1;
}

// Whether the brace begins a list of initialisers. A block's brace has a space before it, and no word that wants a
// value.
bool is_initialiser(const std::string& code, std::size_t brace) {
    if (brace == 0) return false;
    if (std::isspace(static_cast<unsigned char>(code[brace - 1])) == 0)
        return code[brace - 1] != '{' && code[brace - 1] != ')';
    const auto last = code.find_last_not_of(" \n", brace - 1);
    if (last == std::string::npos) return false;
    if (code[last] == '=' || code[last] == ',' || code[last] == '(') return true;
    const std::string_view before(code.data(), last + 1);
    return before.ends_with("return");
}

std::vector<Finding> braces(const SourceFile& file) {
    std::vector<Finding> findings;
    for (const auto wait : waits_in(file.code)) {
        const auto end = end_of_expression(file.code, wait);
        const auto inside = file.code.find('{', wait);
        const auto start = start_of_statement(file.code, wait);
        const bool around = start > 0 && file.code[start - 1] == '{' && is_initialiser(file.code, start - 1);
        if (inside < end || around)
            findings.push_back({line_at(file.code, wait), "opens a brace in a co_await expression"});
    }
    return findings;
}

std::vector<Finding> several_waits(const SourceFile& file) {
    std::vector<Finding> findings;
    auto previous = std::string::npos;
    for (const auto wait : waits_in(file.code)) {
        const auto start = start_of_statement(file.code, wait);
        if (start == previous) findings.push_back({line_at(file.code, wait), "awaits a second time in one statement"});
        previous = start;
    }
    return findings;
}

std::vector<Finding> ternaries(const SourceFile& file) {
    std::vector<Finding> findings;
    for (const auto wait : waits_in(file.code)) {
        const auto start = start_of_statement(file.code, wait);
        const auto statement = file.code.substr(start, end_of_expression(file.code, wait) - start);
        if (statement.find(" ? ") != std::string::npos || statement.find("\n? ") != std::string::npos)
            findings.push_back({line_at(file.code, wait), "awaits in an arm of ?:"});
    }
    return findings;
}

std::vector<Finding> conditions(const SourceFile& file) {
    static const std::regex pattern(R"(\b(if|while|switch)\s*(constexpr\s*)?\([!(\s]*co_await\b)");
    std::vector<Finding> findings;
    for (std::sregex_iterator found(file.code.begin(), file.code.end(), pattern), end; found != end; ++found) {
        const auto position = static_cast<std::size_t>(found->position());
        findings.push_back({line_at(file.code, position), "awaits in a condition"});
    }
    return findings;
}

Sample use_case(const std::string& body) {
    return {"libcrawler/application/sample.cpp", "Async<> f() {\n    " + body + "\n}\n"};
}

}  // namespace

std::vector<Rule> coroutine_rules() {
    const std::string name_first = "name it first, then co_await f(std::move(name))";
    return {
        {"no brace in a co_await expression", name_first, braces, use_case("co_await send(Request{1, 2});"),
         use_case("for (;;) { co_await send(std::move(request)); }")},
        {"no lambda in a co_await expression", name_first, braces,
         use_case("auto x = co_await pool.run([text] { return text; });"),
         use_case("auto call = [text] { return text; };\n    co_await pool.run(std::move(call));")},
        {"no brace around a co_await expression", name_first, braces, use_case("co_return Pair{co_await first(), 2};"),
         use_case("if (auto saved = co_await save(); !saved) {\n        co_return;\n    }")},
        {"one co_await per statement", "give each its own named variable", several_waits,
         use_case("use(co_await first(), co_await second());"),
         use_case("const auto a = co_await first();\n    const auto b = co_await second();")},
        {"no ?: around co_await", "write an if", ternaries, use_case("co_return ready ? value : co_await fetch();"),
         use_case("const int n = ready ? 1 : 2;\n    co_await fetch(n);")},
        {"no if (co_await ...)", "const auto x = co_await ...; if (x)", conditions,
         use_case("if (!co_await queue.is_empty()) co_return;"),
         use_case("if (auto saved = co_await save(); !saved) co_return;")},
    };
}

}  // namespace crawler::architecture

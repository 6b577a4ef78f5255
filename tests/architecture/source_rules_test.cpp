// The rules of the house, read off the sources. The tables are in banned_words.cpp, include_arrows.cpp,
// coroutine_habits.cpp and sizes_and_names.cpp.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>

#include "architecture/layer_lists.hpp"
#include "architecture/rule.hpp"

using namespace crawler::architecture;

namespace {

const std::filesystem::path root = CRAWLER_ROOT;

std::vector<Rule> all_rules() {
    std::vector<Rule> all;
    for (auto& rules : {banned_word_rules(), include_rules(), coroutine_rules(), size_and_name_rules()})
        all.insert(all.end(), rules.begin(), rules.end());
    return all;
}

std::vector<Finding> judge(const Rule& rule, const Sample& sample) {
    return rule.check(read_source(sample.path, sample.text));
}

}  // namespace

TEST_CASE("source rules: every rule catches the sample that breaks it") {
    for (const auto& rule : all_rules()) {
        INFO(rule.name << ": " << rule.breaks.path << "\n" << rule.breaks.text);

        CHECK_FALSE(judge(rule, rule.breaks).empty());
    }
}

TEST_CASE("source rules: every rule lets the sample pass that keeps it") {
    for (const auto& rule : all_rules()) {
        INFO(rule.name << ": " << rule.keeps.path << "\n" << rule.keeps.text);

        CHECK(judge(rule, rule.keeps).empty());
    }
}

TEST_CASE("source rules: a finding says where it is, which rule it breaks and what to do instead") {
    const Rule rule{"no shouting", "whisper", {}, {}, {}};
    const auto file = read_source("services/worker/main.cpp", "\n");

    CHECK(describe(rule, file, {7, "says 'HEY'"}) ==
          "services/worker/main.cpp:7: says 'HEY' [no shouting]; instead: whisper");
}

TEST_CASE("source rules: a finding carries the line of the word, not of the file") {
    const auto rules = banned_word_rules();
    const auto found = judge(rules.front(), {"services/x.cpp", "int a;\n\nauto t = system_clock::now();\n"});

    REQUIRE(found.size() == 1);
    CHECK(found.front().line == 3);
}

TEST_CASE("source rules: comments, literals and poison are not code") {
    const auto file = read_source("a.cpp",
                                  "#pragma GCC poison getenv\n"
                                  "f(\"getenv \\\" x\", 'e');  // getenv\n"
                                  "/* getenv\n getenv */ auto n = 1'000'000;\n"
                                  "auto s = R\"q(getenv \")q\";\n");

    CHECK(file.code.find("getenv") == std::string::npos);
    CHECK(file.code.find("1'000'000;") != std::string::npos);
    CHECK(file.literals.find("getenv \\\" x") != std::string::npos);
    CHECK(file.literals.find("getenv \"") != std::string::npos);
    CHECK(file.literals.find("n = 1") == std::string::npos);
    CHECK(std::ranges::count(file.code, '\n') == std::ranges::count(file.text, '\n'));
    CHECK(file.code.size() == file.text.size());
}

TEST_CASE("source rules: the sources keep every rule") {
    const auto files = read_tree(root, {"libcrawler", "services", "tools"});
    REQUIRE(files.size() > 50);

    for (const auto& rule : all_rules()) {
        for (const auto& file : files) {
            for (const auto& finding : rule.check(file)) FAIL_CHECK(describe(rule, file, finding));
        }
    }
}

TEST_CASE("source rules: a layer's list is read with its folder") {
    const auto files = listed_files(
        "# other.cpp is only mentioned\n"
        "crawler_layer(sql FOLDER adapters/sql HEADERS sql.hpp\n    SOURCES a.cpp b.cpp # c.cpp\n    LINK dep::soci)\n"
        "target_sources(crawler_aws PRIVATE adapters/aws/sqs_asio.cpp)\n");

    CHECK(files == std::set<std::string>{"adapters/sql/sql.hpp", "adapters/sql/a.cpp", "adapters/sql/b.cpp",
                                         "adapters/aws/sqs_asio.cpp"});
}

TEST_CASE("source rules: no file of libcrawler is forgotten by its layer's target") {
    const auto listed = listed_files(read_text(root / "libcrawler/CMakeLists.txt"));

    for (const auto& file : read_tree(root, {"libcrawler"})) {
        if (file.path.ends_with("/layer.hpp")) continue;
        const auto path = file.path.substr(std::string("libcrawler/").size());
        if (!listed.contains(path))
            FAIL_CHECK(file.path << ": in no crawler_layer of libcrawler/CMakeLists.txt; add it, or delete it");
    }
}

TEST_CASE("source rules: no test is forgotten by its program") {
    const auto cmake = read_text(root / "tests/CMakeLists.txt") + read_text(root / "tests/architecture/CMakeLists.txt");
    for (const auto& file : read_tree(root, {"tests"})) {
        if (!file.path.ends_with("_test.cpp") && !file.path.ends_with("_contract.cpp")) continue;
        const auto name = file.path.substr(file.path.rfind('/') + 1);
        if (cmake.find(name) == std::string::npos)
            FAIL_CHECK(file.path << ": in no crawler_test of tests/CMakeLists.txt; add it, or delete it");
    }
}

TEST_CASE("source rules: every state table of the domain is among the machines that are drawn") {
    const auto drawn = read_text(root / "libcrawler/domain/state_machines.cpp");
    const std::regex declared(R"(constexpr StateTable (\w+)\{)");
    std::size_t found = 0;
    for (const auto& file : read_tree(root, {"libcrawler/domain"})) {
        for (auto it = std::sregex_iterator(file.code.begin(), file.code.end(), declared); it != std::sregex_iterator();
             ++it) {
            ++found;
            const auto table = (*it)[1].str();
            if (drawn.find(table + ".machine()") == std::string::npos)
                FAIL_CHECK(file.path << ": " << table << " is not in libcrawler/domain/state_machines.cpp; add it");
        }
    }
    CHECK(found > 5);
}

#include "runtime/yaml_tree.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/temp_file.hpp"

using namespace crawler::runtime;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using crawler::test::TempFile;
using Kind = YamlNode::Kind;

namespace {

// The one problem of a text.
YamlProblem problem_of(const std::string& text) {
    const auto document = parse_yaml(text);
    REQUIRE(document.problems.size() == 1);
    return document.problems.front();
}

}  // namespace

TEST_CASE("yaml: maps, lists and scalars keep their order and the line of their key") {
    const auto document =
        parse_yaml("# a comment\nconsumer:\n  drain: 20s\n  hosts:\n    - a\n    - 'b c'\nname: \"x\"\n");

    REQUIRE(document.problems.empty());
    REQUIRE(document.is_readable());
    REQUIRE(document.root.children.size() == 2);
    const auto* consumer = document.root.find("consumer");
    REQUIRE(consumer != nullptr);
    CHECK(consumer->kind == Kind::map);
    CHECK(consumer->line == 2);
    REQUIRE(consumer->find("drain") != nullptr);
    CHECK(consumer->find("drain")->scalar == "20s");
    CHECK(consumer->find("drain")->line == 3);
    const auto* hosts = consumer->find("hosts");
    REQUIRE(hosts != nullptr);
    REQUIRE(hosts->kind == Kind::list);
    REQUIRE(hosts->children.size() == 2);
    CHECK(hosts->children[1].scalar == "b c");
    CHECK(hosts->children[1].line == 6);
    CHECK(document.root.find("name")->line == 7);
}

TEST_CASE("yaml: a value that spans lines has the line of its key") {
    const auto document = parse_yaml("a: 1\ntext: |\n  one\n  two\nb: 2\n");

    CHECK(document.root.find("text")->line == 2);
    CHECK(document.root.find("text")->scalar == "one\ntwo\n");
    CHECK(document.root.find("b")->line == 5);
}

TEST_CASE("yaml: no value and an empty text are two things") {
    const auto document = parse_yaml("nothing:\ntilde: ~\nempty: \"\"\n");

    CHECK(document.root.find("nothing")->kind == Kind::null);
    CHECK(document.root.find("tilde")->kind == Kind::null);
    CHECK(document.root.find("empty")->kind == Kind::scalar);
}

TEST_CASE("yaml: a key that is written twice is told with both lines, and the first value stays") {
    const auto document = parse_yaml("consumer:\n  drain: 1s\n  other: x\n  drain: 2s\n");

    REQUIRE(document.problems.size() == 1);
    CHECK(document.problems[0].line == 4);
    CHECK(document.problems[0].key == "consumer.drain");
    CHECK_THAT(document.problems[0].what, ContainsSubstring("twice") && ContainsSubstring("line 2"));
    CHECK(document.root.find("consumer")->find("drain")->scalar == "1s");
}

TEST_CASE("yaml: a section that is written twice, also inside a list, is found") {
    CHECK(problem_of("a:\n  x: 1\nb: 2\na:\n  y: 1\n").line == 4);
    CHECK(problem_of("list:\n  - x: 1\n  - x: 1\n    x: 2\n").key == "list[1].x");
}

TEST_CASE("yaml: what is not YAML is told with the parser's line and without the text") {
    const auto document = parse_yaml("a: 1\nb: [1, 2\nc: hunter2: x\n");

    CHECK_FALSE(document.is_readable());
    REQUIRE(document.problems.size() == 1);
    CHECK(document.problems[0].line >= 2);
    CHECK(document.problems[0].key == "(document)");
    CHECK_THAT(document.problems[0].what, StartsWith("is not YAML: ") && !ContainsSubstring("hunter2"));
}

TEST_CASE("yaml: a reference to a missing anchor does not quote its name, which may be a password") {
    const auto problem = problem_of("a: 1\npassword: *hunter2\n");

    CHECK(problem.line == 2);
    CHECK_THAT(problem.what, !ContainsSubstring("hunter2"));
}

TEST_CASE("yaml: an alias is not followed") {
    const auto problem = problem_of("a: &x 1\nb: *x\n");

    CHECK(problem.line == 2);
    CHECK(problem.key == "b");
    CHECK_THAT(problem.what, ContainsSubstring("must be written out"));
}

TEST_CASE("yaml: an empty document, comments alone and a bare marker are empty") {
    for (const auto* text : {"", "\n\n", "# nothing\n", "---\n", "~\n"}) {
        CAPTURE(text);
        const auto problem = problem_of(text);
        CHECK(problem.key == "(document)");
        CHECK_THAT(problem.what, StartsWith("is empty"));
    }
}

TEST_CASE("yaml: the root must be a map") {
    for (const auto* text : {"just a text\n", "- a\n- b\n", "password:hunter2\n"}) {
        CAPTURE(text);
        const auto document = parse_yaml(text);
        CHECK_FALSE(document.is_readable());
        REQUIRE(document.problems.size() == 1);
        CHECK(document.problems[0].what == "must be a map of keys to values");
    }
}

TEST_CASE("yaml: a second document is refused where it starts") {
    const auto problem = problem_of("a: 1\n---\nb: 2\n");

    CHECK(problem.line >= 2);
    CHECK_THAT(problem.what, ContainsSubstring("one document"));
}

TEST_CASE("yaml: a key must be a plain word") {
    CHECK_THAT(problem_of("? [a, b]\n: 1\n").what, ContainsSubstring("not a plain word"));
    CHECK_THAT(problem_of("~: 1\n").what, ContainsSubstring("not a plain word"));
}

TEST_CASE("yaml: endless nesting is refused instead of exhausting the stack") {
    const auto problem = problem_of("a: " + std::string(100'000, '['));

    CHECK_THAT(problem.what, StartsWith("is not YAML"));
}

TEST_CASE("yaml: a missing file cannot be read") {
    const TempFile file{"a: 1\n"};

    const auto document = read_yaml_file(file.folder() / "missing.yaml");

    CHECK_FALSE(document.is_readable());
    REQUIRE(document.problems.size() == 1);
    CHECK(document.problems[0].line == 1);
    CHECK(document.problems[0].key == "(document)");
    CHECK_THAT(document.problems[0].what, StartsWith("cannot be read: No such file or directory"));
}

TEST_CASE("yaml: a directory cannot be read") {
    const TempFile file{"a: 1\n"};

    const auto document = read_yaml_file(file.folder());

    REQUIRE(document.problems.size() == 1);
    CHECK_THAT(document.problems[0].what, StartsWith("cannot be read: is a directory"));
}

TEST_CASE("yaml: a file beyond 1MiB is refused") {
    const TempFile file{"a: " + std::string(1024 * 1024, 'x')};

    const auto document = read_yaml_file(file.path());

    REQUIRE(document.problems.size() == 1);
    CHECK_THAT(document.problems[0].what, ContainsSubstring("1MiB"));
}

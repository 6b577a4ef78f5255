// Words that may be said in one place only, or nowhere.
#include <regex>

#include "architecture/rule.hpp"

namespace crawler::architecture {
namespace {

enum class Where { code, literals, anywhere };

struct BannedWord {
    std::string name;
    Where where;
    std::string pattern;
    std::vector<std::string> homes;
    std::string instead;
    std::string sample;
};

const std::vector<BannedWord>& table() {
    static const std::vector<BannedWord> words{
        {"wall time comes from the port",
         Where::code,
         R"(\bsystem_clock\s*::\s*now\b)",
         {"libcrawler/adapters/system/"},
         "take a ports::Clock, or a TimePoint as an argument",
         "auto now = std::chrono::system_clock::now();"},
        {"no clock and no dice behind the ports' back",
         Where::code,
         R"((^|[^\w.>])(std::)?(time|clock_gettime|gettimeofday|rand)\s*\()",
         {"libcrawler/adapters/system/"},
         "take a ports::Clock or a ports::IdGenerator",
         "const auto now = ::time(nullptr);"},
        {"SQL lives with its driver",
         Where::literals,
         R"(\b(SELECT|INSERT|UPDATE|DELETE FROM)\s)",
         {"libcrawler/adapters/sql/"},
         "give the store port a method that says the intent",
         "const auto sql = \"SELECT id FROM task\";"},
        {"every coroutine has a parent",
         Where::code,
         R"(\bdetached\b)",
         {},
         "spawn it in a coro::Group that is drained",
         "co_spawn(executor, work(), boost::asio::detached);"},
        {"few places set coroutines going",
         Where::code,
         R"(\bco_spawn\b)",
         {"libcrawler/coro/group.cpp", "libcrawler/coro/block_on.hpp", "libcrawler/runtime/service.cpp"},
         "spawn it in a coro::Group that is drained",
         "boost::asio::co_spawn(executor, work(), on_end);"},
        {"the environment is read in one place",
         Where::code,
         R"(\b(secure_)?getenv\b|\benviron\b)",
         {"libcrawler/runtime/environment."},
         "let the configuration say ${NAME}; runtime/environment reads it",
         "auto home = std::getenv(\"HOME\");"},
        {"no catch-all",
         Where::code,
         R"(\bcatch\s*\(\s*\.\.\.\s*\))",
         {"libcrawler/coro/", "libcrawler/runtime/"},
         "catch what the library throws; a catch-all also swallows cancellation",
         "try { f(); } catch (...) { }"},
        {"every sleep can be virtual",
         Where::code,
         R"(\b(steady_timer|system_timer|high_resolution_timer|sleep_for|sleep_until)\b)",
         {"libcrawler/coro/"},
         "coro::sleep or coro::with_timeout",
         "boost::asio::steady_timer timer(executor);"},
        {"nothing left undone",
         Where::anywhere,
         R"(\b(TODO|FIXME)\b)",
         {},
         "do it now, or open an issue and say nothing here",
         "// TODO: handle the error"},
        {"daemons speak through telemetry",
         Where::code,
         R"(\bstd\s*::\s*(cout|cerr|clog)\b)",
         {"tools/", "libcrawler/runtime/"},
         "emit an event (ports/telemetry.hpp)",
         "std::cout << \"done\";"},

        // Headers that cost seconds to compile have one home each.
        {"one home for Beast",
         Where::code,
         R"(^#include <boost/beast)",
         {"libcrawler/adapters/http/"},
         "use ports::HttpClient or ports::HttpServer",
         "#include <boost/beast/http.hpp>"},
        {"one home for yaml-cpp",
         Where::code,
         R"(^#include <yaml-cpp)",
         {"libcrawler/runtime/"},
         "read through runtime::Node",
         "#include <yaml-cpp/yaml.h>"},
        {"one home for spdlog and prometheus",
         Where::code,
         R"(^#include <(spdlog|fmt|prometheus)/)",
         {"libcrawler/adapters/telemetry/"},
         "emit an event (ports/telemetry.hpp)",
         "#include <spdlog/spdlog.h>"},
        {"one home for CLI11",
         Where::code,
         R"(^#include <CLI/)",
         {"libcrawler/runtime/", "tools/"},
         "let runtime/start read the command line",
         "#include <CLI/CLI.hpp>"},
        {"one home for SOCI",
         Where::code,
         R"(^#include <soci)",
         {"libcrawler/adapters/sql/"},
         "use a store port",
         "#include <soci/soci.h>"},
        {"one home for Redis",
         Where::code,
         R"(^#include <(hiredis|sw/redis\+\+)/)",
         {"libcrawler/adapters/redis/"},
         "use ports::IdentityPool or ports::Lease",
         "#include <hiredis/hiredis.h>"},
        {"one home for the AWS SDK",
         Where::code,
         R"(^#include <aws/)",
         {"libcrawler/adapters/aws/"},
         "use ports::MessageQueue or ports::ScheduleRules",
         "#include <aws/sqs/SQSClient.h>"},
    };
    return words;
}

std::vector<Finding> find_word(const BannedWord& word, const std::regex& pattern, const SourceFile& file) {
    std::vector<Finding> findings;
    if (is_under(file.path, word.homes)) return findings;
    const auto& view = word.where == Where::code       ? file.code
                       : word.where == Where::literals ? file.literals
                                                       : file.text;
    std::size_t number = 0;
    for (const auto& line : lines_of(view)) {
        ++number;
        std::smatch found;
        if (std::regex_search(line, found, pattern)) findings.push_back({number, "says '" + found.str() + "'"});
    }
    return findings;
}

// A file in which the word is welcome: its home, or, where it has none, a file that only comes near it.
Sample welcome(const BannedWord& word) {
    if (word.homes.empty()) return {"libcrawler/ports/sample.cpp", "int undetached = 0;  // nothing to do\n"};
    const auto& home = word.homes.front();
    return {home.ends_with('/') ? home + "sample.cpp" : home.ends_with('.') ? home + "cpp" : home, word.sample + "\n"};
}

}  // namespace

std::vector<Rule> banned_word_rules() {
    std::vector<Rule> rules;
    for (const auto& word : table()) {
        auto check = [&word, pattern = std::regex(word.pattern)](const SourceFile& file) {
            return find_word(word, pattern, file);
        };
        const Sample breaks{"libcrawler/ports/sample.cpp", "\n" + word.sample + "\n"};
        rules.push_back({word.name, word.instead, check, breaks, welcome(word)});
    }
    return rules;
}

}  // namespace crawler::architecture

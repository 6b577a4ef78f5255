#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <sstream>

#include "e2e/daemon_under_test.hpp"
#include "support/temp_dir.hpp"

using namespace crawler::test;

namespace {

struct Broken {
    std::string what;
    std::string yaml;
    std::string line_and_key;  // as the message begins, after the file
    std::string rule;          // a part of it that must be there
};

const Broken broken_configs[] = {
    {"unknown key", "log:\n  level: info\n  lvl: debug\n", ":3: log.lvl:", "not a known key"},
    {"wrong type", "consumer:\n  max_in_flight: many\n", ":2: consumer.max_in_flight:", "whole number"},
    {"out of range", "consumer:\n  batch: 11\n", ":2: consumer.batch:", "from 1 to 10"},
    {"missing secret", "database:\n  url: mysql://crawler:${NO_SUCH_PASSWORD}@local/crawler\n",
     ":2: database.url:", "NO_SUCH_PASSWORD"},
    {"bad duration", "consumer:\n\n  drain: 20 parsecs\n", ":3: consumer.drain:", "duration"},
    {"duplicate key", "log:\n  level: info\nlog:\n  level: debug\n", ":3: log:", "twice"},
    {"not YAML", "log: [level: info\nconsumer: {\n", ":", "YAML"},
    {"empty", "# nothing but a comment\n", ":1: (document):", "empty"},
    {"bad URL", "marketplace:\n  url: not a url\n", ":2: marketplace.url:", "URL"},
    {"no database", "database:\n  url: \"memory:\"\n", ":2: database.url:", "mysql"},
    {"wrong scheme", "marketplace:\n  url: gopher://old\n", ":2: marketplace.url:", "https"},
};

struct Contradiction {
    std::string daemon;
    std::string yaml;
    std::string said;  // after the file
};

// Each value is in its range, and each other one a default; together they break a promise.
const Contradiction contradictions[] = {
    {"worker", "slots: {margin: 20s}\n",
     ":1: slots.margin: \"20s\" is too short; must be longer than http_client.total_timeout, 20s"},
    {"trigger", "http_client: {total_timeout: 40s}\ntrigger: {attempt: {longest_request: 1m}}\n",
     ":1: slots.margin: \"30s\" is too short; must be longer than http_client.total_timeout, 40s"},
    {"worker", "pool:\n  lease: 50s\n",
     ":2: pool.lease: \"50s\" is too short; must be longer than slots.margin, 30s, and consumer.wait, 20s, together"},
    {"worker", "task:\n  attempt:\n    longest_request: 15s\n",
     ":3: task.attempt.longest_request: \"15s\" is too short; must be longer than http_client.total_timeout, 20s"},
    {"worker", "task: {lease: 30s}\n",
     ":1: task.lease: \"30s\" is too short; must be longer than task.attempt.longest_request, 30s"},
    {"trigger", "trigger: {lease: 20s}\n",
     ":1: trigger.lease: \"20s\" is too short; must be longer than trigger.attempt.longest_request, 30s"},
    {"worker", "task: {lease: 20m}\n",
     ":1: health.longest_silence: \"15m\" is too short; must not be shorter than task.lease, 20m"},
    {"product-sync", "product_outbox: {reserve: 20s}\n",
     ":1: product_outbox.reserve: \"20s\" is too short; must be longer than http_client.total_timeout, 20s"},
    {"product-sync", "product_outbox: {lease: 30s}\n",
     ":1: product_outbox.lease: \"30s\" is too short; must be longer than product_outbox.reserve, 30s"},
    {"product-sync", "health:\n  longest_silence: 14m\n",
     ":2: health.longest_silence: \"14m\" is too short; must not be shorter than product_outbox.lease, 15m"},
    {"outbox-relay", "task_outbox: {lease: 1h}\n",
     ":1: health.longest_silence: \"15m\" is too short; must not be shorter than task_outbox.lease, 1h"},
    {"outbox-relay", "pool: {window: 2d}\nretention:\n  age: {ledger_entries: 4d}\n",
     ":3: retention.age.ledger_entries: must not be shorter than two of pool.window with pool.guard"},
    {"outbox-relay", "retention:\n  age: {sent_tasks: 3d}\ninvariants:\n  patience: {run_without_progress: 4d}\n",
     ":2: retention.age.sent_tasks: \"3d\" is too short; must be longer than invariants.patience.run_without_progress, "
     "4d"},
    {"outbox-relay", "database: {lock_timeout: 30s}\n",
     ":1: database.read_timeout: must be longer than lock_timeout: who waits for a lock is silent"},
    {"outbox-relay", "database:\n  lock_retry: {first_wait: 1s}\n",
     ":2: database.lock_retry.longest_wait: must not be shorter than first_wait"},
};

// What only the start of a daemon would find otherwise.
const Contradiction late_finds[] = {
    {"product-sync",
     "http_client: {allowed_hosts: [one.example]}\nproduct_server: {url: \"https://other.example/v1\"}\n",
     ":2: product_server.url: must name a host of http_client.allowed_hosts"},
    {"worker", "marketplace: {url: \"https://other.example\"}\n",
     ":1: marketplace.url: must name a host of http_client.allowed_hosts"},
    {"worker", "marketplace: {url: \"https://m.web.mustit.co.kr/v2\"}\n",
     ":1: marketplace.url: must be a scheme and a host, and nothing behind it"},
    {"product-sync", "product_server:\n  updated: {path: /products}\n",
     ":2: product_server.updated.path: must begin with / and say {itemNo}"},
    {"worker", "queue: {kind: sqs, name: \"mustit crawler\"}\n", ":1: queue.name: must be a name that SQS takes"},
    {"worker", "queue: {kind: sqs, visibility: 3500ms}\n", ":1: queue.visibility: must be whole seconds on SQS"},
    {"worker", "aws: {endpoint: 127.0.0.1}\n", ":1: aws.endpoint: "},
    {"outbox-relay", "rules: {kind: eventbridge, target_arn: triggers}\n",
     ":1: rules.target_arn: must be the ARN of the trigger queue"},
    {"trigger", "queue: {kind: sqs}\nscheduler: {enabled: true}\n",
     ":2: scheduler.enabled: must be false where queue.kind is sqs"},
    {"worker", "pool: {token_keys: \"main:hunter2\"}\n", ":1: pool.token_keys: token keys: "},
};

Finished check_config(const std::string& daemon, const std::string& file,
                      std::map<std::string, std::string> environment = {}) {
    return run_program(program(daemon),
                       {.arguments = {"--check-config", "-c", file}, .environment = std::move(environment)});
}

// The printed configuration without the comments that say where each value came from.
std::string values_of(const std::string& yaml) {
    std::istringstream lines(yaml);
    std::string values;
    for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find(" #"));
        values += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return values;
}

}  // namespace

TEST_CASE("config: each broken file stops the start with exit code 2 and names file, line, key and rule") {
    const TempDir folder;
    for (const auto& broken : broken_configs) {
        DYNAMIC_SECTION(broken.what) {
            const auto file = folder.write("worker.yaml", broken.yaml);

            const auto checked = check_config("worker", file);

            INFO(checked.err);
            CHECK(checked.exit_code == 2);
            CHECK(checked.err.find(file + broken.line_and_key) != std::string::npos);
            CHECK(checked.err.find(broken.rule) != std::string::npos);
            CHECK(checked.out.empty());
        }
    }
}

TEST_CASE("config: durations that contradict each other stop the start, at the promise that one would break") {
    const TempDir folder;
    for (const auto& contradiction : contradictions) {
        DYNAMIC_SECTION(contradiction.said) {
            const auto file = folder.write("daemon.yaml", contradiction.yaml);

            const auto checked = check_config(contradiction.daemon, file);

            INFO(checked.err);
            CHECK(checked.exit_code == 2);
            CHECK(checked.err.find(file + contradiction.said + "\n") != std::string::npos);
            CHECK(std::ranges::count(checked.err, '\n') == 1);
            CHECK(checked.out.empty());
        }
    }
}

TEST_CASE("config: what would only be found at the start is told by the check, and no secret with it") {
    const TempDir folder;
    for (const auto& find : late_finds) {
        DYNAMIC_SECTION(find.said) {
            const auto file = folder.write("daemon.yaml", find.yaml);

            const auto checked = check_config(find.daemon, file);

            INFO(checked.err);
            CHECK(checked.exit_code == 2);
            CHECK(checked.err.find(file + find.said) != std::string::npos);
            CHECK(checked.err.find("hunter2") == std::string::npos);
        }
    }
}

TEST_CASE("config: a file that is not there, or is no file, stops the start and is named") {
    const TempDir folder;
    for (const auto& file : {folder.path() / "missing.yaml", folder.path()}) {
        const auto checked = check_config("worker", file.string());

        INFO(checked.err);
        CHECK(checked.exit_code == 2);
        CHECK(checked.err.find(file.string() + ":1: (document):") != std::string::npos);
    }
}

TEST_CASE("config: all that is wrong is told at once") {
    const TempDir folder;
    const auto file = folder.write("worker.yaml", "consumer:\n  batch: 0\n  drain: soon\nlgo: {}\n");

    const auto checked = check_config("worker", file);

    CHECK(checked.err.find(":2: consumer.batch:") != std::string::npos);
    CHECK(checked.err.find(":3: consumer.drain:") != std::string::npos);
    CHECK(checked.err.find(":4: lgo:") != std::string::npos);
}

TEST_CASE("config: a good file is printed with its secrets masked") {
    const TempDir folder;
    const auto file = folder.write("worker.yaml",
                                   "database:\n  url: mysql://crawler:${DB_PASSWORD}@local/crawler\n"
                                   "consumer:\n  drain: 25s\n");

    const auto checked = check_config("worker", file, {{"DB_PASSWORD", "hunter2"}, {"CRAWLER__CONSUMER__BATCH", "4"}});

    INFO(checked.out << checked.err);
    CHECK(checked.exit_code == 0);
    CHECK(checked.out.find("mysql://****@local") != std::string::npos);
    CHECK(checked.out.find("drain: 25s") != std::string::npos);
    CHECK(checked.out.find("batch: 4") != std::string::npos);
    CHECK((checked.out + checked.err).find("hunter2") == std::string::npos);
}

TEST_CASE("config: the file that ships with each daemon shows every key with its default") {
    for (const auto& name : daemons) {
        DYNAMIC_SECTION(name) {
            const auto shipped = std::string(CRAWLER_SOURCE_DIR) + "/services/" + name + "/" + name + ".yaml";

            const auto checked = check_config(name, shipped);
            const auto defaults = run_program(program(name), {.arguments = {"--check-config"}});

            INFO(checked.out << checked.err);
            CHECK(checked.exit_code == 0);
            CHECK(checked.out.find("# default") == std::string::npos);
            CHECK(values_of(checked.out) == values_of(defaults.out));
        }
    }
}

TEST_CASE("command line: every program explains itself, knows its version and refuses what it does not know") {
    for (const std::string name : {"trigger", "outbox-relay", "worker", "product-sync", "crawlerctl"}) {
        DYNAMIC_SECTION(name) {
            const auto help = run_program(program(name), {.arguments = {"--help"}});
            CHECK(help.exit_code == 0);
            CHECK(help.out.find(name) != std::string::npos);

            const auto version = run_program(program(name), {.arguments = {"--version"}});
            CHECK(version.exit_code == 0);
            CHECK(version.out.find(CRAWLER_VERSION) != std::string::npos);

            const auto unknown = run_program(program(name), {.arguments = {"--no-such-option"}});
            CHECK(unknown.exit_code == 2);
            CHECK(unknown.err.find("no-such-option") != std::string::npos);
        }
    }
}

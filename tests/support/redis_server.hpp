// Redis for tests: the suite's server, on which every test has a prefix of its own, or a server of a test's own, which it may kill.
#pragma once
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/process.hpp"
#include "support/temp_dir.hpp"

namespace crawler::test {

// Names nobody else's keys.
class RedisPlace {
  public:
    // The suite's server, unless the environment names another one's folder.
    static std::string url() {
        const char* folder = std::getenv("CRAWLER_TEST_REDIS");
        return "redis+unix://" + std::string(folder ? folder : CRAWLER_TEST_REDIS) + "/sock";
    }
    std::string prefix() const { return dir_.path().filename().string(); }

  private:
    TempDir dir_;
};

class RedisServer {
  public:
    explicit RedisServer(std::vector<std::string> options = {}) : options_(std::move(options)) { start(); }
    ~RedisServer() { tool("stop", {}); }
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    std::string url() const { return "redis+unix://" + folder() + "/sock"; }
    std::string folder() const { return (dir_.path() / "redis").string(); }
    // Empty, whatever it knew before.
    void start() { tool("start", options_); }
    // SIGKILL, and gone when this returns.
    void kill() {
        int pid = 0;
        std::ifstream(folder() + "/pid") >> pid;
        if (pid == 0 || ::kill(pid, SIGKILL) != 0) throw std::runtime_error("there is no server to kill");
        while (is_there(pid)) std::this_thread::yield();
    }
    std::string ask(std::vector<std::string> words) const {
        words.insert(words.begin(), {"-s", folder() + "/sock"});
        return run_program("/usr/bin/redis-cli", {.arguments = std::move(words), .environment = {}}).out;
    }

  private:
    // A child that nobody has waited for yet is none.
    static bool is_there(int pid) {
        if (::kill(pid, 0) != 0) return false;
        std::string text;
        std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
        std::getline(status, text);
        return text.find(") Z ") == std::string::npos;
    }
    void tool(const std::string& action, std::vector<std::string> options) const {
        options.insert(options.begin(), {action, folder()});
        const auto done =
            run_program(CRAWLER_SOURCE_DIR "/scripts/test-redis", {.arguments = std::move(options), .environment = {}});
        if (done.exit_code != 0) throw std::runtime_error("test-redis " + action + ": " + done.err);
    }

    std::vector<std::string> options_;
    TempDir dir_;
};

}  // namespace crawler::test

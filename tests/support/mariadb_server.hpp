// A MariaDB server of a test's own, which the test may kill and start again. Durable, as in production.
#pragma once
#include <signal.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/process.hpp"
#include "support/temp_dir.hpp"

namespace crawler::test {

class MariaDbServer {
  public:
    MariaDbServer() {
        start();
        const auto made = run_program(
            "/usr/bin/mariadb",
            {.arguments = {"--no-defaults", "--user=root", "--socket=" + socket(), "--execute=CREATE DATABASE crawler"},
             .environment = {}});
        if (made.exit_code != 0) throw std::runtime_error(made.err);
    }
    ~MariaDbServer() { tool("stop"); }
    MariaDbServer(const MariaDbServer&) = delete;
    MariaDbServer& operator=(const MariaDbServer&) = delete;

    std::string url() const { return "mysql://root@localhost/crawler?unix_socket=" + socket(); }
    void start() { tool("start"); }
    // SIGKILL, and gone when this returns.
    void kill() {
        int pid = 0;
        std::ifstream(dir_.path() / "pid") >> pid;
        if (pid == 0 || ::kill(pid, SIGKILL) != 0) throw std::runtime_error("there is no server to kill");
        while (::kill(pid, 0) == 0) std::this_thread::yield();
    }

  private:
    std::string socket() const { return (dir_.path() / "sock").string(); }
    void tool(const std::string& action) {
        const auto done = run_program(CRAWLER_SOURCE_DIR "/scripts/test-database",
                                      {.arguments = {action, dir_.path().string()}, .environment = {}});
        if (done.exit_code != 0) throw std::runtime_error("test-database " + action + ": " + done.err);
    }

    TempDir dir_;
};

}  // namespace crawler::test

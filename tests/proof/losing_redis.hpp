// A Redis server that forgets: it keeps what it knew at one moment, and comes back with that or with nothing.
#pragma once
#include <signal.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/process.hpp"
#include "support/temp_dir.hpp"

namespace crawler::proof {

class LosingRedis {
  public:
    LosingRedis() { start(); }

    std::string url() const { return "redis+unix://" + socket(); }
    void keep() {
        const auto saved =
            test::run_program("/usr/bin/redis-cli", {.arguments = {"-s", socket(), "SAVE"}, .environment = {}});
        if (!saved.out.starts_with("OK")) throw std::runtime_error("redis-cli SAVE: " + saved.out + saved.err);
        std::filesystem::copy_file(dump(), kept(), std::filesystem::copy_options::overwrite_existing);
    }
    void die() {
        server_->signal(SIGKILL);
        (void)server_->wait(std::chrono::seconds{10});
        server_.reset();
        std::filesystem::remove(dump());
    }
    void come_back(bool with_what_it_kept) {
        if (with_what_it_kept) std::filesystem::copy_file(kept(), dump());
        start();
    }

  private:
    std::string socket() const { return (folder_.path() / "sock").string(); }
    std::filesystem::path dump() const { return folder_.path() / "dump.rdb"; }
    std::filesystem::path kept() const { return folder_.path() / "kept.rdb"; }
    void start() {
        std::vector<std::string> arguments{"--port", "0", "--unixsocket", socket(), "--dir", folder_.path().string(),
                                           "--save", "",  "--appendonly", "no"};
        server_ = std::make_unique<test::Process>("/usr/bin/redis-server",
                                                  test::Process::Options{.arguments = arguments, .environment = {}});
        if (!server_->wait_for_line("ready to accept connections", std::chrono::seconds{30}))
            throw std::runtime_error("redis-server did not start: " + server_->out() + server_->err());
    }

    test::TempDir folder_;
    std::unique_ptr<test::Process> server_;
};

}  // namespace crawler::proof

// A child process of a test or a benchmark: started with its own arguments and environment, read while it runs, always ended.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace crawler::test {

class Process {
  public:
    struct Options {
        std::vector<std::string> arguments;              // without the program itself
        std::map<std::string, std::string> environment;  // all the child gets, besides PATH
    };

    Process(std::string program, Options options);
    // Kills what is still running.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int pid() const { return pid_; }
    void signal(int number) const;
    // Exit code, or 128 + signal; empty if it still runs after `limit`.
    std::optional<int> wait(std::chrono::milliseconds limit);

    // The first line of standard output that contains `text`; empty if none came within `limit` or before the end of output.
    std::optional<std::string> wait_for_line(const std::string& text, std::chrono::milliseconds limit);

    // All that has been written so far; after wait() all there is.
    std::string out();
    std::string err();

  private:
    struct Stream {
        std::string text;
        bool ended = false;
        std::thread reader;
    };
    void read(int fd, Stream& stream);

    int pid_ = -1;
    int pidfd_ = -1;
    std::optional<int> exit_code_;
    std::mutex mutex_;
    std::condition_variable more_;
    Stream out_;
    Stream err_;
};

// Runs a program to its end (at most a minute).
struct Finished {
    int exit_code = -1;
    std::string out;
    std::string err;
};
Finished run_program(std::string program, Process::Options options);

}  // namespace crawler::test

#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace crawler::test {
namespace {

struct Pipe {
    int read_end = -1;
    int write_end = -1;
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        read_end = ends[0];
        write_end = ends[1];
    }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (auto& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

Process::Process(std::string program, Options options) {
    std::vector<std::string> arguments{program};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> environment;
    if (const char* path = std::getenv("PATH")) environment.push_back(std::string("PATH=") + path);
    for (const auto& [name, value] : options.environment) environment.push_back(name + "=" + value);

    const Pipe out;
    const Pipe err;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
    posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
    const int failed = ::posix_spawnp(&pid_, program.c_str(), &actions, nullptr, pointers(arguments).data(),
                                      pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(out.write_end);
    ::close(err.write_end);
    if (failed != 0) throw std::system_error(failed, std::generic_category(), "cannot start " + program);

    pidfd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    out_.reader = std::thread([this, fd = out.read_end] { read(fd, out_); });
    err_.reader = std::thread([this, fd = err.read_end] { read(fd, err_); });
}

Process::~Process() {
    if (!exit_code_) {
        signal(SIGKILL);
        wait(std::chrono::minutes{1});
    }
    if (out_.reader.joinable()) out_.reader.join();
    if (err_.reader.joinable()) err_.reader.join();
    ::close(pidfd_);
}

void Process::read(int fd, Stream& stream) {
    char buffer[4096];
    for (;;) {
        const auto count = ::read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        const std::scoped_lock lock(mutex_);
        if (count > 0) {
            stream.text.append(buffer, static_cast<std::size_t>(count));
        } else {
            stream.ended = true;
        }
        more_.notify_all();
        if (stream.ended) break;
    }
    ::close(fd);
}

void Process::signal(int number) const {
    if (!exit_code_) ::kill(pid_, number);
}

std::optional<int> Process::wait(std::chrono::milliseconds limit) {
    if (exit_code_) return exit_code_;
    pollfd ended{.fd = pidfd_, .events = POLLIN, .revents = 0};
    if (::poll(&ended, 1, static_cast<int>(limit.count())) != 1) return std::nullopt;
    int status = 0;
    if (::waitpid(pid_, &status, 0) != pid_) throw std::system_error(errno, std::generic_category(), "waitpid");
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    out_.reader.join();
    err_.reader.join();
    return exit_code_;
}

std::optional<std::string> Process::wait_for_line(const std::string& text, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    std::optional<std::string> line;
    auto found = [&] {
        const auto at = out_.text.find(text);
        if (at == std::string::npos) return out_.ended;
        const auto end = out_.text.find('\n', at);
        if (end == std::string::npos) return out_.ended;
        const auto begin = out_.text.rfind('\n', at) + 1;  // npos + 1 is 0: the first line
        line = out_.text.substr(begin, end - begin);
        return true;
    };
    more_.wait_for(lock, limit, found);
    return line;
}

std::string Process::out() {
    const std::scoped_lock lock(mutex_);
    return out_.text;
}

std::string Process::err() {
    const std::scoped_lock lock(mutex_);
    return err_.text;
}

Finished run_program(std::string program, Process::Options options) {
    Process process(program, std::move(options));
    const auto exit_code = process.wait(std::chrono::minutes{1});
    if (!exit_code) throw std::runtime_error(program + " did not end within a minute");
    return {*exit_code, process.out(), process.err()};
}

}  // namespace crawler::test

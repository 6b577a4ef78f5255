#include "runtime/start.hpp"

#include <fcntl.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <iostream>

namespace crawler::runtime {
namespace {

class Reporter {
  public:
    Reporter(std::string_view name, std::ostream& err) : name_(name), err_(err) {}

    void operator()(std::string text) const {
        std::replace(text.begin(), text.end(), '\n', ' ');  // one line per problem
        err_ << name_ << ": " << text << '\n' << std::flush;
    }

  private:
    std::string_view name_;
    std::ostream& err_;
};

int print(const std::string& text, std::ostream& out, const Reporter& report) {
    out << text << std::flush;
    if (out) return exit_code::fine;
    report("cannot write to standard output");
    return exit_code::failed;
}

// A closed descriptor would be given to the next socket, and what is printed would go there.
void open_standard_streams() {
    for (const int fd : {0, 1, 2}) {
        if (::fcntl(fd, F_GETFD) == -1) ::open("/dev/null", O_RDWR);
    }
}

// glibc gives every thread a store of memory of its own, and what one of the many database threads leaves free in its store is of no use to
// another. With two of them a busy daemon needs a quarter less and is no slower.
void share_memory_among_threads() {
#ifdef __GLIBC__
    constexpr int stores = 2;
    ::mallopt(M_ARENA_MAX, stores);
#endif
}

int run_guarded(const std::function<int()>& run, const Reporter& report) {
    try {
        return run();
    } catch (const StartFailure& e) {
        report(e.what());
        return exit_code::not_ready;
    } catch (const std::exception& e) {
        report(std::string("failed: ") + e.what());
    } catch (...) {
        report("failed: an exception of an unknown type");
    }
    return exit_code::failed;
}

}  // namespace

Surroundings process_surroundings(int argc, char** argv) {
    open_standard_streams();
    share_memory_among_threads();
    return {{argv + std::min(argc, 1), argv + argc}, process_environment(), std::cout, std::cerr};
}

int run_start(const StartInfo& info, const Surroundings& surroundings, const std::function<void(Node)>& read,
              const std::function<int()>& run) {
    const Reporter report{info.name, surroundings.err};
    try {
        const auto parsed = parse_command_line(info, surroundings.arguments);
        if (const auto* answer = std::get_if<Answer>(&parsed)) return print(answer->text, surroundings.out, report);
        if (const auto* problem = std::get_if<UsageProblem>(&parsed)) {
            report(problem->text);
            return exit_code::not_ready;
        }

        const auto& options = std::get<Options>(parsed);
        Configuration configuration{options.config, surroundings.environment};
        read(configuration.root());
        const auto problems = configuration.problems();
        for (const auto& problem : problems) report(problem);
        if (!problems.empty()) return exit_code::not_ready;
        if (options.check_config) return print(configuration.effective(), surroundings.out, report);
    } catch (const std::exception& e) {
        report(e.what());
        return exit_code::not_ready;
    }
    return run_guarded(run, report);
}

}  // namespace crawler::runtime

// The simulated world, a SQLite database of the test's own and the daemons that the test starts on it.
#pragma once
#include "e2e/daemon_under_test.hpp"
#include "support/temp_dir.hpp"

namespace crawler::test {

class LineUnderTest {
  public:
    // The world with so many sellers and products each; `faults` as marketsim's scenario has them.
    explicit LineUnderTest(int sellers = 1, int products = 10, const std::string& faults = "{}");

    // With whatever the daemon needs to reach the world; `environment` besides.
    std::unique_ptr<DaemonUnderTest> start(const std::string& daemon,
                                           std::map<std::string, std::string> environment = {});
    // On the database, with exit code 0 or the test fails; what it printed.
    std::string crawlerctl(std::vector<std::string> arguments);
    // All sellers are registered and their crawl is ordered.
    void crawl();

    Process& world() { return *world_; }

  private:
    int sellers_;
    TempDir folder_;
    std::string database_;
    std::string keys_;
    std::unique_ptr<Process> world_;
    std::string world_url_;
};

// An environment in which every daemon starts, on a database of the folder's own, and nobody is there to be asked.
std::map<std::string, std::string> alone(const TempDir& folder, const std::string& daemon);

}  // namespace crawler::test

// How the databases find identities: what is walked over or sorted costs nothing with fifty of them and everything with thousands.
#include <soci/soci.h>

#include <catch2/catch_template_test_macros.hpp>
#include <map>
#include <mutex>
#include <set>

#include "integration/identity_pool_world.hpp"

using namespace crawler;
using namespace crawler::test;
using namespace std::chrono_literals;
using enum crawler::ports::SlotOutcome;

namespace {

constexpr int identities = 5000;

struct Step {
    std::string table;
    std::string how;
    bool walks = false;
    bool sorts = false;
};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// "SCAN user_agents USING INDEX ..." and "USE TEMP B-TREE FOR ORDER BY", which is of the table before.
std::vector<Step> steps_in(const SqliteFile&, soci::session& connection, const std::string& statement) {
    const soci::rowset<soci::row> rows = (connection.prepare << "EXPLAIN QUERY PLAN " + statement);
    std::vector<Step> steps;
    for (const auto& row : rows) {
        const auto detail = row.get<std::string>("detail");
        if (contains(detail, "TEMP B-TREE")) {
            REQUIRE_FALSE(steps.empty());
            steps.back().sorts = true;
            continue;
        }
        const auto begin = detail.find(' ') + 1;
        const auto table = detail.substr(begin, detail.find(' ', begin) - begin);
        steps.push_back({.table = table, .how = detail, .walks = detail.starts_with("SCAN")});
    }
    return steps;
}

std::vector<Step> steps_in(const MariaDbSchema&, soci::session& connection, const std::string& statement) {
    const soci::rowset<soci::row> rows = (connection.prepare << "EXPLAIN " + statement);
    std::vector<Step> steps;
    for (const auto& row : rows) {
        const auto type = row.get<std::string>("type", "");
        const auto extra = row.get<std::string>("Extra", "");
        steps.push_back({.table = row.get<std::string>("table", ""),
                         .how = type + " by " + row.get<std::string>("key", "nothing") + ": " + extra,
                         .walks = type == "ALL" || type == "index",
                         .sorts = contains(extra, "filesort") || contains(extra, "temporary")});
    }
    return steps;
}

// A value for what stands before it: which identity and which endpoint does not matter; a time is now, or of the ledger an hour ago.
std::string value_after(std::string_view text, TimePoint now) {
    static const std::map<std::string, std::string, std::less<>> values{{"id", "'ua-17'"},
                                                                        {"identity_id", "'ua-17'"},
                                                                        {"name", "'identities'"},
                                                                        {"reservation", "'p0-000001'"},
                                                                        {"endpoint", "'MINISHOP'"},
                                                                        {"ready_lane", "0"},
                                                                        {"LIMIT", "80"},
                                                                        {"OFFSET", "99"}};
    while (!text.empty() && contains(" <=>", text.substr(text.size() - 1))) text.remove_suffix(1);
    const auto begin = text.find_last_of(" ,(.") + 1;
    if (text.substr(begin) == "latest_at") now -= 1h;
    const auto found = values.find(text.substr(begin));
    return found == values.end() ? std::to_string(now.time_since_epoch().count()) : found->second;
}

std::string with_values(const std::string& statement, TimePoint now) {
    std::string text;
    for (const char c : statement) {
        if (c == '?') {
            text += value_after(text, now);
        } else {
            text += c;
        }
    }
    return text;
}

// Distinct statements.
struct Statements {
    int searches = 0;  // of identities
    int counts = 0;    // of all of them
};

// A pool of five thousand whose statements are written down.
template <class Stores>
class Watched : public PoolWorld<Stores> {
  public:
    Watched() {
        this->config.sessions = {.at_once = 2};
        this->config.at_once = 3;
        enroll_all();
        const auto note = [this](std::string_view statement) {
            const std::lock_guard hold(guard_);
            statements_.emplace(statement);
        };
        process_ =
            std::make_unique<PoolProcess>(this->place.url(), "watched", this->config, this->clock, test_keys(), note);
        // All are new, so all are looked at and counted, once.
        ask(*this, pool());
        fill_ledger();
        this->advance(1s);
        settle();
    }

    ports::IdentityPool& pool() { return *process_->pool; }
    void change_all(const std::string& assignments) {
        execute_sql(this->place.url(), "UPDATE user_agents SET " + assignments);
        settle();
    }
    void forget() {
        const std::lock_guard hold(guard_);
        statements_.clear();
    }
    // Each since the last time finds its identities by an index, and in order; unless it is one that counts all of them.
    Statements check_statements() {
        Statements seen;
        const auto dialect = adapters::sql::make_dialect({.url = this->place.url()});
        const auto connection = dialect->connect();
        const std::lock_guard hold(guard_);
        for (const auto& statement : statements_) {
            if (!begins_with_a_search(statement)) continue;
            const bool counts = counts_all(statement);
            if (counts) ++seen.counts;
            const auto text = with_values(statement, this->now());
            for (const auto& step : steps_in(this->place, *connection, text)) {
                const bool of_identities = step.table == "user_agents" || step.table == "agent";
                if (!of_identities && step.table != "request_ledger") continue;
                INFO(text);
                INFO(step.how);
                if (!counts) CHECK_FALSE(step.walks);
                if (of_identities) CHECK_FALSE(step.sorts);  // of the ledger, a second's or an hour's requests
                if (of_identities && !counts) ++seen.searches;
            }
        }
        statements_.clear();
        return seen;
    }

  private:
    static bool begins_with_a_search(std::string_view statement) {
        return statement.starts_with("SELECT ") || statement.starts_with("UPDATE ") || statement.starts_with("DELETE ");
    }
    static bool counts_all(std::string_view statement) {
        return statement.starts_with("SELECT COUNT(*) FROM user_agents ") ||
               statement.starts_with("SELECT status, COUNT(*)");
    }

    // One in five has no token.
    void enroll_all() {
        std::vector<UserAgent> agents;
        for (int i = 1; i <= identities; ++i) {
            const auto number = std::to_string(i);
            auto agent = *UserAgent::enroll(UserAgentId{"ua-" + number}, "Mozilla/5.0 " + number, this->now());
            if (i % 5 != 0) (void)agent.issue_token(Secret("a token"), this->now());
            agents.push_back(std::move(agent));
        }
        REQUIRE(this->run(this->user_agents->add(std::move(agents))));
    }
    // Each has asked half an hour ago, and a few times long before.
    void fill_ledger() {
        for (const auto ago : std::vector<Duration>{30min, 3h, 6h, 9h, 12h}) {
            const auto at = std::to_string((this->now() - ago).time_since_epoch().count());
            execute_sql(this->place.url(),
                        "INSERT INTO request_ledger (reservation, identity_id, reserved_at, lease_end, answered_at, "
                        "outcome, latest_at) SELECT REPLACE(id, 'ua', '" +
                            at + "'), id, " + at + ", " + at + " + 60000000, " + at + ", 'SUCCEEDED', " + at +
                            " FROM user_agents");
        }
    }
    // MariaDB guesses how many rows it will find by what is in its indexes, where what is long gone may still be. SQLite does not guess.
    void settle() {
        if constexpr (std::is_same_v<Stores, MariaDbStores>)
            execute_sql(this->place.url(), "OPTIMIZE TABLE user_agents, request_ledger");
        forget();
    }

    std::mutex guard_;
    std::set<std::string> statements_;
    std::unique_ptr<PoolProcess> process_;
};

using Worlds = std::tuple<Watched<SqliteStores>, Watched<MariaDbStores>>;

template <class World>
std::variant<ports::Slot, ports::NextSlotAt> reserve_session(World& w) {
    auto reserved = w.run(w.pool().reserve_for_session());
    REQUIRE(reserved);
    return *reserved;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("sql identity pool: with five thousand identities no request walks over them or sorts them",
                        "[integration][identity_pool][plans]", Worlds) {
    TestType w;
    auto& pool = w.pool();
    const auto later = w.now() + 10min;
    const auto as_number = std::to_string(later.time_since_epoch().count());

    SECTION("from its reservation to its report") {
        for (const auto& outcome : {succeeded, server_error, failed, unanswered, refused}) ask(w, pool, outcome);
    }
    SECTION("where others come back from their rest") {
        ask(w, pool);
        w.advance(1min);
        ask(w, pool);
    }
    SECTION("where several fail at once, and are forgiven") {
        for (int i = 0; i < 3; ++i) ask(w, pool, ports::SlotReport(server_error, "MINISHOP"));
    }
    SECTION("where too many are under way") {
        for (int i = 0; i < 3; ++i) slot(w, pool);
        w.forget();
        CHECK(next_slot_at(w, pool) == w.now() + 60s);
    }
    SECTION("where everybody rests") {
        w.change_all("ready_lane = NULL, wakes_at = " + as_number);
        CHECK(next_slot_at(w, pool) == later);
    }
    SECTION("that opens a session") {
        auto reserved = reserve_session(w);
        REQUIRE(std::holds_alternative<ports::Slot>(reserved));
        REQUIRE(w.run(pool.report_session(std::get<ports::Slot>(reserved), Secret("another token"))));
    }
    SECTION("that would open a session, where nobody needs one") {
        w.change_all("session_at = " + as_number);
        const auto reserved = reserve_session(w);
        REQUIRE(std::holds_alternative<ports::NextSlotAt>(reserved));
        CHECK(std::get<ports::NextSlotAt>(reserved).time == later);
    }

    const auto seen = w.check_statements();
    CHECK(seen.searches > 0);
    CHECK(seen.counts == 0);
}

TEMPLATE_LIST_TEST_CASE("sql identity pool: five thousand are counted where a status has changed, or somebody looks",
                        "[integration][identity_pool][plans]", Worlds) {
    TestType w;
    auto& pool = w.pool();

    ask(w, pool, throttled);
    const auto suspended = w.check_statements();
    CHECK(suspended.searches > 0);
    CHECK(suspended.counts == 2);

    w.advance(1h);
    ask(w, pool);
    CHECK(w.check_statements().counts == 2);
    ask(w, pool);
    CHECK(w.check_statements().counts == 0);

    REQUIRE(w.run(pool.look(1min)));
    CHECK(w.check_statements().counts == 1);
}

// The one door to the database: a function, one connection, one transaction, on a thread that may block. The function is no
// coroutine, so no lock is ever held over the network. It may be called again where a transaction lost to another one, so it
// leaves what it was given as it is.
#pragma once
#include <mutex>
#include <optional>
#include <type_traits>

#include "adapters/sql/session.hpp"
#include "adapters/sql/sql.hpp"
#include "coro/blocking_pool.hpp"
#include "coro/sleep.hpp"

namespace crawler::adapters {

class SqlDatabase {
  public:
    SqlDatabase(DatabaseConfig config, ports::Telemetry& telemetry);
    ~SqlDatabase();
    SqlDatabase(const SqlDatabase&) = delete;
    SqlDatabase& operator=(const SqlDatabase&) = delete;

    // body(Session&) -> Result<T>. An error rolls back. Errors of our own: unavailable, it did not happen; timeout, the
    // connection broke while it was committed, so it may have; conflict, a key is taken; invalid, a value or a row is no good.
    template <class Body>
    Async<std::invoke_result_t<Body&, sql::Session&>> transact(Body body) {
        co_return co_await in_session(Door::write, std::move(body));
    }
    // The same for what only looks: no transaction, each statement sees what is committed.
    template <class Body>
    Async<std::invoke_result_t<Body&, sql::Session&>> read(Body body) {
        co_return co_await in_session(Door::read, std::move(body));
    }

    const sql::Dialect& dialect() const { return *dialect_; }
    // To be called when the transaction is done.
    void tell(const std::vector<ports::RowSetAside>& rows);

  private:
    enum class Door { read, write };
    struct Failure {
        Error error;
        bool may_pass = false;  // it lost to another transaction
    };
    using Connection = std::unique_ptr<soci::session>;
    using Body = std::function<bool(sql::Session&)>;  // false: roll back

    template <class Work>
    Async<std::invoke_result_t<Work&, sql::Session&>> in_session(Door door, Work work) {
        using Answer = std::invoke_result_t<Work&, sql::Session&>;
        const auto key = next_key();
        for (int retries = 0;; ++retries) {
            std::optional<Answer> answer;
            auto body = [&work, &answer](sql::Session& session) {
                answer.emplace(work(session));
                return static_cast<bool>(*answer);
            };
            auto call = [this, door, &body] { return attempt(door, body); };
            const auto failure = co_await threads_.run(call);
            if (!failure) co_return *std::move(answer);
            const auto wait = failure->may_pass ? config_.lock_retry.next_wait(retries, key) : std::nullopt;
            if (!wait) co_return failure->error;
            telemetry_.emit(ports::TransactionRetried{retries + 1, failure->error, *wait});
            co_await coro::sleep(*wait);
        }
    }

    // What went wrong, if anything did; not what the body itself refused.
    std::optional<Failure> attempt(Door door, const Body& body);
    std::optional<sql::DatabaseError> run(soci::session& connection, Door door, const Body& body, bool& began,
                                          bool& ended);
    std::string next_key();
    Connection take();
    void put_back(Connection connection);
    void close_idle();
    Duration elapsed() const;

    DatabaseConfig config_;
    ports::Telemetry& telemetry_;
    std::unique_ptr<sql::Dialect> dialect_;
    std::mutex writer_;
    std::mutex guard_;  // of the next two
    // The last used last: those that are not needed stay in front, longest idle first.
    struct Idle {
        Connection connection;
        Duration since{};
    };
    std::vector<Idle> idle_;
    std::uint64_t calls_ = 0;
    const std::string salt_;  // so that the waits of two processes differ, be they both the first of their container
    coro::BlockingPool threads_;  // one each for every connection there may be
};

}  // namespace crawler::adapters

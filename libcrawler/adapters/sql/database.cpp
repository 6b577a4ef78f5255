#include "adapters/sql/database.hpp"

#include <soci/soci.h>

#include <algorithm>
#include <random>

#include "adapters/sql/migrator.hpp"

namespace crawler::adapters {
namespace {

using sql::DatabaseError;
using sql::Trouble;

std::size_t most_connections(const DatabaseConfig& config, const sql::Dialect& dialect) {
    return static_cast<std::size_t>(std::clamp(config.max_connections, 1, dialect.most_connections()));
}

std::size_t least_connections(const DatabaseConfig& config, const sql::Dialect& dialect) {
    return std::min(static_cast<std::size_t>(std::max(config.min_connections, 1)), most_connections(config, dialect));
}

Error error_of(const DatabaseError& trouble, bool was_ending) {
    const std::string text = std::string("database: ") + trouble.what();
    switch (trouble.trouble) {
        case Trouble::taken:
            return {Errc::conflict, text};
        case Trouble::refused:
        case Trouble::corrupt:
            return {Errc::invalid, text};
        case Trouble::lost:
            if (was_ending) return {Errc::timeout, text + " (while committing: it may have happened)"};
            break;
        case Trouble::locked:
        case Trouble::there:
        case Trouble::other:
            break;
    }
    return {Errc::unavailable, text};
}

std::string random_salt() {
    std::random_device dice;
    return std::to_string(dice()) + "-" + std::to_string(dice());
}

}  // namespace

SqlDatabase::SqlDatabase(DatabaseConfig config, ports::Telemetry& telemetry)
    : config_(std::move(config)),
      telemetry_(telemetry),
      dialect_(sql::make_dialect(config_)),
      salt_(random_salt()),
      threads_(most_connections(config_, *dialect_)) {
    while (idle_.size() < least_connections(config_, *dialect_)) idle_.push_back({dialect_->connect(), elapsed()});
    sql::Session session(*idle_.front().connection, *dialect_, config_.before_statement);
    sql::require_schema(session);
}

SqlDatabase::~SqlDatabase() = default;

std::optional<SqlDatabase::Failure> SqlDatabase::attempt(Door door, const Body& body) {
    std::unique_lock alone(writer_, std::defer_lock);
    if (door == Door::write && dialect_->has_one_writer()) alone.lock();

    for (bool is_second = false;; is_second = true) {
        bool began = false;
        bool ended = false;
        std::optional<DatabaseError> trouble;
        try {
            auto connection = take();
            trouble = run(*connection, door, body, began, ended);
            if (!trouble || trouble->trouble != Trouble::lost) put_back(std::move(connection));
        } catch (const DatabaseError& error) {  // there is none to be had
            trouble = error;
            is_second = true;
        }
        if (!trouble) return std::nullopt;
        if (trouble->trouble == Trouble::lost) {
            // The server went away while the connections were idle: all of them are dead. Before anything was done there is no harm
            // in trying a new one.
            close_idle();
            if (!is_second && (!began || door == Door::read)) continue;
        }
        return Failure{error_of(*trouble, ended), trouble->trouble == Trouble::locked};
    }
}

std::optional<DatabaseError> SqlDatabase::run(soci::session& connection, Door door, const Body& body, bool& began,
                                              bool& ended) {
    sql::Session session(connection, *dialect_, config_.before_statement);
    std::optional<DatabaseError> trouble;
    try {
        if (door == Door::write) session.execute(dialect_->begin());
        began = true;
        const bool is_good = body(session);
        ended = is_good;
        if (door == Door::write) session.execute(is_good ? "COMMIT" : "ROLLBACK");
        return std::nullopt;
    } catch (const soci::soci_error& error) {
        trouble = dialect_->describe(error);
    } catch (const DatabaseError& error) {
        trouble = error;
    }
    try {
        if (door == Door::write && began) connection << "ROLLBACK";
    } catch (const soci::soci_error&) {
        // It cannot be used again; whoever holds locks through it loses them with it.
        trouble = DatabaseError(trouble->trouble == Trouble::locked ? Trouble::locked : Trouble::lost, trouble->what());
        connection.close();
    }
    return trouble;
}

void SqlDatabase::tell(const std::vector<ports::RowSetAside>& rows) {
    for (const auto& row : rows) telemetry_.emit(row);
}

std::string SqlDatabase::next_key() {
    const std::lock_guard hold(guard_);
    return salt_ + "/" + std::to_string(++calls_);
}

SqlDatabase::Connection SqlDatabase::take() {
    {
        const std::lock_guard hold(guard_);
        if (!idle_.empty()) {
            auto connection = std::move(idle_.back().connection);
            idle_.pop_back();
            return connection;
        }
    }
    return dialect_->connect();
}

void SqlDatabase::put_back(Connection connection) {
    if (!connection->is_connected()) return;
    const auto now = elapsed();
    std::vector<Idle> unneeded;  // closed without the lock
    const std::lock_guard hold(guard_);
    idle_.push_back({std::move(connection), now});
    const auto least = least_connections(config_, *dialect_);
    const auto spare = idle_.begin() + static_cast<std::ptrdiff_t>(idle_.size() - std::min(idle_.size(), least));
    const auto needed =
        std::find_if(idle_.begin(), spare, [&](const Idle& idle) { return idle.since + config_.idle_timeout > now; });
    unneeded.assign(std::make_move_iterator(idle_.begin()), std::make_move_iterator(needed));
    idle_.erase(idle_.begin(), needed);
}

Duration SqlDatabase::elapsed() const {
    if (config_.elapsed) return config_.elapsed();
    return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

void SqlDatabase::close_idle() {
    std::vector<Idle> dead;
    const std::lock_guard hold(guard_);
    dead.swap(idle_);
}

void CloseDatabase::operator()(SqlDatabase* database) const {
    delete database;
}

Database open_database(DatabaseConfig config, ports::Telemetry& telemetry) {
    return Database(new SqlDatabase(std::move(config), telemetry));
}

}  // namespace crawler::adapters

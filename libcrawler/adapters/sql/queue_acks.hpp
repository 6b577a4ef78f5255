// Acknowledgements, in one go where the database has one writer: a consumer settles its deliveries one by one, and a commit costs a
// flush to the disk; those that come in while one is being written go together into the next. A server flushes for several connections
// at once, and a transaction that holds one head while it waits for another's would meet senders in a deadlock: there each goes by
// itself. Used by the embedded queue.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/database.hpp"
#include "coro/event.hpp"

namespace crawler::adapters::sql {

// One delivery of one message. Its text has the group too, so that an ack need not look it up: 17-2-group.
struct Receipt {
    std::int64_t seq = 0;
    int receive_count = 0;
    std::string group;

    std::string text() const;
    static std::optional<Receipt> parse(const std::string& text);
};
Error delivery_is_over();

class QueueAcks {
  public:
    QueueAcks(SqlDatabase& database, std::string queue, const ports::Clock& clock,
              const boost::asio::any_io_executor& executor)
        : database_(database), queue_(std::move(queue)), clock_(clock), written_(executor) {}

    // True: its group goes on. conflict: the delivery is over.
    Async<Result<bool>> ack(Receipt delivery);

  private:
    struct Waiting {
        Receipt delivery;
        std::optional<Result<bool>> outcome;
    };
    using Batch = std::vector<std::shared_ptr<Waiting>>;
    class Turn;

    Async<> write(Batch batch);
    Result<std::vector<Result<bool>>> write_in(Session& session, const std::vector<Receipt>& deliveries, TimePoint now);

    SqlDatabase& database_;
    std::string queue_;
    const ports::Clock& clock_;
    Batch waiting_;
    bool is_writing_ = false;
    coro::Event written_;
};

}  // namespace crawler::adapters::sql

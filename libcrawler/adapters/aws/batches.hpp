// Gathers what comes one by one into requests of ten, without making a lone one wait: who comes while there is room for a request sends
// one with all that has gathered by then. Used for acknowledgements and for changes of visibility.
#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coro/event.hpp"
#include "domain/result.hpp"

namespace crawler::adapters::aws {

inline constexpr std::size_t most_in_batch = 10;

struct BatchEntry {
    std::string receipt;
    std::int64_t seconds = 0;  // of visibility, where that is what changes
};

class Batches {
  public:
    // One outcome per entry, in order.
    using Send = std::function<Async<std::vector<Result<>>>(std::vector<BatchEntry>)>;
    Batches(Send send, int at_once, const boost::asio::any_io_executor& executor)
        : send_(std::move(send)), at_once_(at_once), executor_(executor), turn_ended_(executor) {}

    Async<Result<>> add(BatchEntry entry);

  private:
    struct Waiting {
        BatchEntry entry;
        bool is_taken = false;
        std::optional<Result<>> outcome = std::nullopt;
    };
    using Shared = std::shared_ptr<Waiting>;
    class Turn;

    Send send_;
    int at_once_;
    boost::asio::any_io_executor executor_;
    std::vector<Shared> waiting_;  // in the order they came
    int turns_ = 0;
    coro::Event turn_ended_;
};

}  // namespace crawler::adapters::aws

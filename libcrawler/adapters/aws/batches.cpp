#include "adapters/aws/batches.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace crawler::adapters::aws {

// One request. If it is cut before it is answered, the others in it are left to the next one.
class Batches::Turn {
  public:
    explicit Turn(Batches& batches) : batches_(batches) { ++batches_.turns_; }
    ~Turn() {
        for (auto& one : taken_) {
            one->is_taken = false;
            if (!one->outcome) batches_.waiting_.push_back(std::move(one));
        }
        --batches_.turns_;
        batches_.turn_ended_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    std::vector<BatchEntry> take() {
        auto& waiting = batches_.waiting_;
        const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), most_in_batch));
        taken_.assign(waiting.begin(), end);
        waiting.erase(waiting.begin(), end);
        std::vector<BatchEntry> entries;
        for (const auto& one : taken_) {
            one->is_taken = true;
            entries.push_back(one->entry);
        }
        return entries;
    }
    void settle(std::vector<Result<>> outcomes) {
        for (std::size_t i = 0; i < taken_.size(); ++i) taken_[i]->outcome = std::move(outcomes[i]);
    }

  private:
    Batches& batches_;
    std::vector<Shared> taken_;
};

Async<Result<>> Batches::add(BatchEntry entry) {
    const auto mine = std::make_shared<Waiting>(std::move(entry));
    waiting_.push_back(mine);
    while (!mine->outcome) {
        if (mine->is_taken || turns_ >= at_once_) {
            co_await turn_ended_.wait();
            continue;
        }
        Turn turn(*this);
        // Whoever is about to come in this very moment comes along.
        co_await boost::asio::post(executor_, boost::asio::use_awaitable);
        auto entries = turn.take();
        if (entries.empty()) continue;
        auto outcomes = co_await send_(std::move(entries));
        turn.settle(std::move(outcomes));
    }
    co_return *mine->outcome;
}

}  // namespace crawler::adapters::aws

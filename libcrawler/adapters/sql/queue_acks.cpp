#include "adapters/sql/queue_acks.hpp"

#include <charconv>

#include "adapters/sql/queue_rows.hpp"

namespace crawler::adapters::sql {

std::string Receipt::text() const {
    return std::to_string(seq) + "-" + std::to_string(receive_count) + "-" + group;
}

std::optional<Receipt> Receipt::parse(const std::string& text) {
    Receipt receipt;
    const auto* const end = text.data() + text.size();
    const auto seq = std::from_chars(text.data(), end, receipt.seq);
    if (seq.ec != std::errc{} || seq.ptr == end || *seq.ptr != '-') return std::nullopt;
    const auto count = std::from_chars(seq.ptr + 1, end, receipt.receive_count);
    if (count.ec != std::errc{} || count.ptr == end || *count.ptr != '-') return std::nullopt;
    receipt.group.assign(count.ptr + 1, end);
    return receipt;
}

Error delivery_is_over() {
    return {Errc::conflict, "that delivery is over"};
}

// Whoever comes while nobody writes does it for all who wait. If that is cut before anything was written, the others are left to the
// next one.
class QueueAcks::Turn {
  public:
    explicit Turn(QueueAcks& acks) : batch(std::exchange(acks.waiting_, {})), acks_(acks) { acks_.is_writing_ = true; }
    ~Turn() {
        for (auto& one : batch) {
            if (!one->outcome) acks_.waiting_.push_back(std::move(one));
        }
        acks_.is_writing_ = false;
        acks_.written_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    Batch batch;

  private:
    QueueAcks& acks_;
};

Async<Result<bool>> QueueAcks::ack(Receipt delivery) {
    const auto mine = std::make_shared<Waiting>(std::move(delivery));
    if (!database_.dialect().has_one_writer()) {
        Batch alone{mine};
        co_await write(std::move(alone));
        co_return *mine->outcome;
    }
    waiting_.push_back(mine);
    while (!mine->outcome) {
        if (is_writing_) {
            co_await written_.wait();
            continue;
        }
        const Turn turn(*this);
        co_await write(turn.batch);
    }
    co_return *mine->outcome;
}

Async<> QueueAcks::write(Batch batch) {
    std::vector<Receipt> deliveries;
    for (const auto& one : batch) deliveries.push_back(one->delivery);
    auto body = [this, deliveries = std::move(deliveries), now = clock_.now()](Session& session) {
        return write_in(session, deliveries, now);
    };
    const auto outcomes = co_await database_.transact(std::move(body));
    for (std::size_t i = 0; i < batch.size(); ++i)
        batch[i]->outcome = outcomes ? outcomes->at(i) : Result<bool>(outcomes.error());
}

Result<std::vector<Result<bool>>> QueueAcks::write_in(Session& session, const std::vector<Receipt>& deliveries,
                                                      TimePoint now) {
    std::vector<Result<bool>> outcomes;
    for (const auto& delivery : deliveries) {
        const auto deleted = session.execute(
            "DELETE FROM queue_messages WHERE seq = ? AND queue = ? AND receive_count = ? AND is_held = 1",
            {delivery.seq, queue_, delivery.receive_count});
        if (deleted != 1) {
            outcomes.emplace_back(delivery_is_over());
        } else {
            outcomes.emplace_back(!delivery.group.empty() && promote_next(session, queue_, delivery.group, now));
        }
    }
    return outcomes;
}

}  // namespace crawler::adapters::sql

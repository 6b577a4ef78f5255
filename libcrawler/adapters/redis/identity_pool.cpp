#include "adapters/redis/identity_pool.hpp"

#include <stdexcept>

#include "adapters/redis/fetching.hpp"
#include "adapters/redis/identity_view.hpp"

namespace crawler::adapters {

using namespace redis;

Result<> RedisIdentityPoolConfig::check() const {
    if (identities < 1 || requests < 1)
        return Error{Errc::invalid, "Redis: identities and requests of a block must be at least 1"};
    if (hold <= Duration{0} || lease <= Duration{0})
        return Error{Errc::invalid, "Redis: hold and lease must be more than 0"};
    return ceiling.check();
}

namespace {

using Reservation = std::variant<ports::Slot, ports::NextSlotAt>;

class RedisIdentityPool final : public ports::IdentityPool {
  public:
    RedisIdentityPool(RedisLink& link, ports::IdentityTruth& truth, RedisIdentityPoolConfig config,
                      const ports::Clock& clock)
        : truth_(truth), config_(std::move(config)), clock_(clock), view_(link, config_, clock) {
        if (auto sound = config_.check(); !sound) throw std::invalid_argument(sound.error().detail);
    }

    Async<Result<Reservation>> reserve() override {
        // Others may take what was fetched for this one; sooner or later there is nothing more to fetch.
        for (int tries = 0; tries < most_tries; ++tries) {
            const auto asked_at = clock_.now();
            auto lending = co_await view_.lend();
            if (!lending) co_return co_await without_redis(lending.error());
            auto* empty = std::get_if<Empty>(&*lending);
            if (empty == nullptr) {
                auto answer = with_redis(*lending, asked_at);
                co_await tell_what_ended();
                co_return answer;
            }
            ended_.insert(ended_.end(), std::make_move_iterator(empty->ended.begin()),
                          std::make_move_iterator(empty->ended.end()));
            if (is_fetching_) {
                co_await fetched_->wait();
                continue;
            }
            auto fetched = co_await fetch(*empty);
            if (!fetched) co_return fetched.error();
            if (*fetched) co_return **std::move(fetched);
        }
        co_return Reservation(ports::NextSlotAt{clock_.now() + config_.spacing});
    }

    Async<Result<>> report(ports::Slot slot, ports::SlotReport report) override {
        if (ports::block_of(slot.reservation).empty()) {
            auto reservation = slot.reservation;
            auto reported = co_await truth_.report(std::move(slot), std::move(report));
            co_await view_.note_answered(std::move(reservation));
            co_return reported;
        }
        auto reported = co_await view_.report(slot.reservation, slot.identity, report);
        if (!reported) {
            tell(false, reported.error().detail);
            co_return co_await truth_.judge_beside(slot.reservation, slot.identity, std::move(report));
        }
        if (reported->outcome == Reported::Outcome::done) co_return Result<>{};
        if (reported->outcome == Reported::Outcome::over)
            co_return Error{Errc::conflict, "reservation " + slot.reservation + " is over"};
        auto verdict = co_await truth_.judge(std::move(reported->ended), std::move(report));
        if (!verdict) co_return verdict.error();
        if (verdict->breaker != BreakerStatus::closed) co_await give_back(verdict->breaker_opens_in);
        co_return std::move(verdict->result);
    }

    // The ledger alone knows who needs one. Where it has nobody, it may be that it has lent him.
    Async<Result<Reservation>> reserve_for_session() override {
        auto reserved = co_await truth_.reserve_for_session();
        const bool has_nobody = !reserved || std::holds_alternative<ports::NextSlotAt>(*reserved);
        if (!has_nobody || !is_time_to_give_back()) co_return reserved;
        co_await give_back(no_wait);
        co_return co_await truth_.reserve_for_session();
    }
    Async<Result<>> report_session(ports::Slot slot, Result<Secret> session) override {
        auto reservation = slot.reservation;
        auto reported = co_await truth_.report_session(std::move(slot), std::move(session));
        co_await view_.note_answered(std::move(reservation));
        co_return reported;
    }

    Async<Result<ports::PoolView>> look(Duration horizon) override {
        if (has_lent_ || is_time_to_give_back()) co_await give_back(no_wait);
        co_return co_await truth_.look(horizon);
    }

  private:
    static constexpr Duration no_wait{};
    static constexpr int most_tries = 10;
    static constexpr int most_doublings = 12;

    Async<Result<Reservation>> without_redis(Error why) {
        tell(false, why.detail);
        co_return co_await truth_.reserve();
    }

    // What Redis says, on the caller's clock: a lease begins before it was asked for, a wait after it was told.
    Reservation with_redis(const Lending& lending, TimePoint asked_at) {
        tell(true, "");
        if (const auto* wait = std::get_if<Wait>(&lending))
            return ports::NextSlotAt{clock_.now() + Duration{wait->until - wait->now}};
        const auto& lent = std::get<Lent>(lending);
        has_lent_ = true;
        ++granted_;
        return ports::Slot{lent.reservation, lent.identity, lent.user_agent,
                           truth_.open(lent.sealed_token, lent.identity), asked_at + config_.lease};
    }

    // More blocks from the ledger. Empty: they are there, for whoever asks.
    Async<Result<std::optional<Reservation>>> fetch(Empty empty) {
        const auto executor = co_await boost::asio::this_coro::executor;
        if (!fetched_) fetched_.emplace(executor);
        const Fetching fetching(is_fetching_, *fetched_);
        co_return co_await exchange(std::move(empty));
    }

    Async<Result<std::optional<Reservation>>> exchange(Empty empty) {
        const auto asked_at = clock_.now();
        auto wish = wish_for(empty.run, asked_at);
        auto ended = std::exchange(ended_, {});
        const auto exchanged = co_await truth_.exchange(std::move(ended), std::move(wish));
        if (!exchanged) co_return exchanged.error();
        if (exchanged->breaker != BreakerStatus::closed) {
            const bool is_open = exchanged->breaker == BreakerStatus::open;
            const auto closed_for = is_open ? exchanged->breaker_free_at - exchanged->now : no_wait;
            co_await give_back(closed_for);
            auto alone = co_await truth_.reserve();
            if (!alone) co_return alone.error();
            co_return std::optional<Reservation>(*std::move(alone));
        }
        fetched_requests_ = 0;
        for (const auto& block : exchanged->blocks) fetched_requests_ += block.requests;
        if (exchanged->blocks.empty()) co_return next_of(empty, *exchanged);
        const auto lending = co_await view_.load(empty, *exchanged);
        if (!lending) {
            tell(false, lending.error().detail);
            co_return std::optional<Reservation>();
        }
        if (const auto* raced = std::get_if<Empty>(&*lending)) {
            ended_.insert(ended_.end(), raced->ended.begin(), raced->ended.end());
            co_return std::optional<Reservation>();
        }
        co_return std::optional<Reservation>(with_redis(*lending, asked_at));
    }

    // The earlier of what the two know, and not before the ceilings.
    Result<std::optional<Reservation>> next_of(const Empty& empty, const ports::Exchanged& exchanged) {
        std::optional<Duration> wait;
        if (exchanged.next) wait = *exchanged.next - exchanged.now;
        if (empty.next) {
            const Duration here{*empty.next - empty.now};
            wait = std::min(here, wait.value_or(here));
        }
        if (!wait)
            return Error{Errc::unavailable, "the pool has no identity to lend: there is none that is not BLOCKED"};
        tell(true, "");
        const auto longest = std::max(*wait, Duration{empty.ceiling_free - empty.now});
        return std::optional<Reservation>(ports::NextSlotAt{clock_.now() + longest});
    }

    // Little where little is wanted: what Redis loses is spent. More, where half of the last was used up within a second.
    ports::BlockWish wish_for(const std::string& run, TimePoint now) {
        const bool soon = last_fetch_ && now - *last_fetch_ < std::chrono::seconds{1};
        if (!soon) {
            doublings_ = 0;
        } else if (granted_ * 2 >= fetched_requests_) {
            doublings_ = std::min(doublings_ + 1, most_doublings);
        }
        last_fetch_ = now;
        granted_ = 0;
        return {.holder = run.substr(0, 8),
                .identities = std::min(config_.identities, 4 << doublings_),
                .requests = std::min(config_.requests, 1 << doublings_),
                .hold = config_.hold};
    }

    // Whatever is not under way goes back to the ledger.
    Async<> give_back(Duration shut) {
        auto taken = co_await view_.take(shut);
        if (!taken) {
            tell(false, taken.error().detail);
            co_return;
        }
        has_lent_ = false;
        given_back_at_ = clock_.now();
        ended_.insert(ended_.end(), std::make_move_iterator(taken->begin()), std::make_move_iterator(taken->end()));
        co_await tell_what_ended();
    }

    // Where nobody is about to tell it anyway.
    Async<> tell_what_ended() {
        if (ended_.empty() || is_fetching_) co_return;
        auto ended = std::exchange(ended_, {});
        ports::BlockWish nothing;
        (void)co_await truth_.exchange(std::move(ended), std::move(nothing));
    }

    // Whoever looks often must not have everybody back all the time.
    bool is_time_to_give_back() const {
        return !given_back_at_ || clock_.now() - *given_back_at_ >= std::chrono::seconds{1};
    }

    void tell(bool by_redis, const std::string& why) {
        if (by_redis_ == by_redis) return;
        by_redis_ = by_redis;
        if (config_.on_change) config_.on_change(by_redis, why);
    }

    ports::IdentityTruth& truth_;
    const RedisIdentityPoolConfig config_;
    const ports::Clock& clock_;
    IdentityView view_;
    std::vector<ports::BlockEnd> ended_;  // told by Redis, and by us to nobody yet
    bool is_fetching_ = false;
    std::optional<coro::Event> fetched_;
    std::optional<TimePoint> last_fetch_;
    int doublings_ = 0;
    std::int64_t fetched_requests_ = 0;  // by this process, last
    std::int64_t granted_ = 0;           // to it, since
    bool has_lent_ = false;              // since everybody was given back
    std::optional<TimePoint> given_back_at_;
    std::optional<bool> by_redis_;
};

}  // namespace

std::unique_ptr<ports::IdentityPool> make_redis_identity_pool(RedisLink& link, ports::IdentityPool& ledger,
                                                              RedisIdentityPoolConfig config,
                                                              const ports::Clock& clock) {
    auto* truth = dynamic_cast<ports::IdentityTruth*>(&ledger);
    if (truth == nullptr) throw std::invalid_argument("Redis: the pool behind it does not lend in blocks");
    return std::make_unique<RedisIdentityPool>(link, *truth, std::move(config), clock);
}

}  // namespace crawler::adapters
